"""Every case: what the rules report on it is exactly what its golden file has, and there is no other golden."""

import pytest

from tests.policies.case import GOLDENS, Case, all_cases, golden, judged, report
from tests.stack_files import ROOT


@pytest.mark.parametrize("one", all_cases(), ids=lambda one: one.name)
def test_case(one: Case) -> None:
    assert report(judged(one)) == golden(one), "run `make goldens`, read the difference, commit it with the reason"


def test_every_golden_file_has_its_cases() -> None:
    assert {file.stem for file in (ROOT / GOLDENS).iterdir()} == {one.topic for one in all_cases()}
