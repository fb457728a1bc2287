"""The name of a file's cluster in reports."""

import re

from muster.sources.source import InputFile


def source_name(file: InputFile) -> str:
    """The file's name without its suffix, with the characters that a URN may have."""
    return re.sub(r"[^\w.-]+", "-", file.path.stem).strip("-.") or "cluster"
