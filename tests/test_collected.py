"""No test is left out because of the name of its file."""

import re

from tests.stack_files import ROOT


def test_files_with_tests_have_names_that_pytest_collects() -> None:
    others = (each for each in (ROOT / "tests").rglob("*.py") if not each.name.startswith("test_"))
    assert [each for each in others if re.search(r"^(async )?def test_", each.read_text(), re.MULTILINE)] == []
