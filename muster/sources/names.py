"""The name of a file's cluster in reports."""

import re

from muster.sources.source import InputFile


def source_name(file: InputFile) -> str:
    """The file's name without its suffix (``.template.json`` for CloudFormation), with the characters that a URN may
    have."""
    return re.sub(r"[^\w.-]+", "-", file.path.stem.removesuffix(".template")).strip("-.") or "cluster"
