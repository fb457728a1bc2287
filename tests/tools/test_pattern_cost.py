"""Which patterns can take more than linear time."""

import re

import pytest

from tools.pattern_cost import is_costly


@pytest.mark.parametrize(
    ("pattern", "flags"),
    [
        # These took 29 s, 55 s and 3 s for a small file.
        (r"\$\{(!?)([^}]*)\}", 0),
        (r"[\"']?\bclusters[\"']?\s*:.*[\"']?\busers[\"']?\s*:", re.DOTALL),
        (r"^\s*[a-z_0-9]+\s*=", re.MULTILINE),
        (r"\s*x", 0),
        (r"\s*+x", 0),
        (r"(?:[a-z0-9]+[0-9]*)+x", 0),
        (r"(a|a)*x", 0),
        (r"(?:[A-Z][A-Za-z0-9]*)+(?![\w-])", 0),
    ],
)
def test_costly(pattern: str, flags: int) -> None:
    assert is_costly(pattern, flags, searches=True, whole=False)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\$\{(!?)([^}$]*)\}",
        r"[^a-z0-9]+",
        r"(?<!\s)\s++x",
        r"\b[a-z]+=",
        r"(?<![\w./-])[a-z]+(?:[A-Z][a-z0-9]*)+(?![\w/-])",
        r"[ ]{0,64}x",
        r"^\s*x",
        r'"[^"\\]*(?:\\.[^"\\]*)*"?',
    ],
)
def test_linear_in_a_search(pattern: str) -> None:
    assert not is_costly(pattern, searches=True, whole=False)


@pytest.mark.parametrize(
    ("pattern", "costly"),
    [
        (r"[a-z0-9]+(?:[._-][a-z0-9]+)*", False),
        (r"\d+\.\d+", False),
        (r"a*+b", False),
        (r"v?\d+(\.\d+)*([-+.][0-9A-Za-z.+-]+)?", True),
        (r"[a-z][a-z0-9-]*-fill-me-in[a-z0-9-]*", True),
        (r"(a+)+b", True),
    ],
)
def test_of_a_whole_text(pattern: str, costly: bool) -> None:
    assert is_costly(pattern, searches=False, whole=True) is costly
