"""Committed files that are generated are what would be generated now."""

from tools.generate import ROOT, generated


def test_generated_files_are_true() -> None:
    """`make goldens` mends it; read the difference before committing."""
    stale = [str(path) for path, text in generated() if (ROOT / path).read_text(encoding="utf-8") != text]
    assert stale == []
