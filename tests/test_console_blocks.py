"""The commands that pages show do what the pages show."""

import warnings
from pathlib import Path

import pytest

from tools.console_blocks import ROOT, blocks, pages, run

PAGES = [page for page in pages() if any(block.runs for block in blocks(page.read_text(encoding="utf-8")))]
WITH_REHEARSALS = [
    page for page in PAGES if any("rehearsal" in each.marks for each in blocks(page.read_text(encoding="utf-8")))
]


def shows(page: Path, *, rehearsals: bool) -> None:
    ran = run(page, rehearsals=rehearsals)
    for each in ran.not_run:
        warnings.warn(f"not run: {each}", stacklevel=1)
    assert ran.text == page.read_text(encoding="utf-8"), "run `python -m tools.console_blocks`, read the difference"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_page_shows_what_is_printed(page: Path) -> None:
    shows(page, rehearsals=False)


@pytest.mark.rehearsal
@pytest.mark.parametrize("page", WITH_REHEARSALS, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_page_shows_what_a_rehearsal_prints(page: Path) -> None:
    shows(page, rehearsals=True)


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_runs_or_says_why_not(page: Path) -> None:
    for block in blocks(page.read_text(encoding="utf-8")):
        assert block.language not in {"bash", "shell"}, "write sh, or console with the output"
        assert block.marks.get("not run:", "a reason"), block.body
