"""Versions as charts write them: with a v before them or without."""

import re


def same(one: str, other: str) -> bool:
    """Whether they are one version."""
    return one.removeprefix("v") == other.removeprefix("v")


def spellings(version: str) -> tuple[str, str]:
    """As it is, and the other way."""
    return version, version.removeprefix("v") if version.startswith("v") else f"v{version}"


def order(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Sorts newer versions after older ones, and a release after its candidates."""
    number, _, candidate = version.removeprefix("v").partition("-")
    return tuple(int(digits) for digits in re.findall(r"\d+", number)), not candidate, candidate
