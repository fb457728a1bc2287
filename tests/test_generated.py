"""Committed files that are generated are what would be generated now."""

from difflib import unified_diff

import pytest

from tools.generate import ROOT, generated


@pytest.mark.parametrize("of", generated())
def test_generated_files_are_true(of: str) -> None:
    """`make goldens` mends it; read the difference before committing."""
    files = {ROOT / path: text for path, text in generated()[of]()}
    assert files
    for file, text in files.items():
        written = file.read_text(encoding="utf-8") if file.exists() else ""
        difference = unified_diff(written.splitlines(), text.splitlines(), str(file), "now", lineterm="")
        if told := "\n".join(difference):
            pytest.fail(f"run `make goldens`, read the difference, commit it with the reason\n{told}", pytrace=False)
