"""Committed files that are generated are what would be generated now."""

import pytest

from tools.generate import ROOT, generated


@pytest.mark.parametrize("of", generated())
def test_generated_files_are_true(of: str) -> None:
    """`make goldens` mends it; read the difference before committing."""
    files = {ROOT / path: text for path, text in generated()[of]()}
    stale = [str(file) for file, text in files.items() if not file.exists() or file.read_text(encoding="utf-8") != text]
    assert files
    assert stale == [], "run `make goldens`, read the difference, commit it with the reason"
