"""Versions as numbers."""

import re

_FORM = re.compile(r"v?(\d+(?:\.\d+)*)(?:[-+].*)?")


def numbers(version: object) -> tuple[int, ...] | None:
    """``v0.19.2-ubi8`` -> (0, 19, 2); None for what is no version, or is not known."""
    found = _FORM.fullmatch(version) if isinstance(version, str) else None
    return tuple(map(int, found[1].split("."))) if found else None
