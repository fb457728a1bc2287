"""Every case: what the rules report on it is exactly what its golden file has, and there is no other golden."""

from dataclasses import replace

import pytest

from muster.fleet.resources import PodOwner, PodTemplate
from policies.engine.judgement import judge
from tests.policies.case import GOLDENS, Case, all_cases, golden, judged, report
from tests.stack_files import ROOT


@pytest.mark.parametrize("one", all_cases(), ids=lambda one: one.name)
def test_case(one: Case) -> None:
    assert report(judged(one)) == golden(one), "run `make goldens`, read the difference, commit it with the reason"


def test_every_golden_file_has_its_cases() -> None:
    assert {file.stem for file in (ROOT / GOLDENS).iterdir()} == {one.topic for one in all_cases()}


def _with_findings_of_pods() -> list[Case]:
    return [
        one
        for one in all_cases()
        if not one.rule and judged(one).findings and any(isinstance(each, PodOwner) for each in one.fleet().objects)
    ]


@pytest.mark.parametrize("one", _with_findings_of_pods(), ids=lambda one: one.name)
def test_pods_without_requests_change_no_finding(one: Case) -> None:
    """The first kind of pod of an object hides nothing about the next."""
    plain = PodTemplate("before", {"containers": [{"name": "fine", "image": "fine:1"}]}, 1)
    fleet = one.fleet()
    things = tuple(
        replace(each, templates=(plain, *each.templates)) if isinstance(each, PodOwner) else each
        for each in fleet.objects
    )
    assert judge(replace(fleet, objects=things)).findings == judged(one).findings
