"""Every case: what the rules report on it is exactly what its golden file has, and there is no other golden."""

import re
from dataclasses import replace

import pytest

from muster.fleet.resources import PodOwner, PodTemplate
from muster.policies.engine.judgement import judge
from muster.policies.engine.rule_index import sheet_of
from tests.policies.case import GOLDENS, Case, all_cases, golden, judged, report
from tests.stack_files import ROOT

TOPICS = sorted(file.stem for file in (ROOT / GOLDENS).iterdir())
of_each_topic = pytest.mark.parametrize("topic", TOPICS)


def cases_of(topic: str) -> list[Case]:
    return [one for one in all_cases() if one.topic == topic]


@of_each_topic
def test_cases(topic: str) -> None:
    now = {one.name: report(judged(one)) for one in cases_of(topic)}
    assert now == golden(topic), "run `make goldens`, read the difference, commit it with the reason"


def test_every_golden_file_has_its_cases() -> None:
    assert set(TOPICS) == {one.topic for one in all_cases()}


@of_each_topic
def test_findings_are_whole(topic: str) -> None:
    """On one line, with an action that is not the general advice again."""
    for one in cases_of(topic):
        for finding in judged(one).findings:
            for text in (finding.got, finding.remedy):
                assert text.strip() == text
                assert "\n" not in text
                assert "  " not in text
                assert text[-1] not in ".,;:"
                assert not re.search(r"None|UNKNOWN|Ref\(|frozenset|\[\]|\(\)", text), text
            assert finding.remedy != sheet_of(finding.rule).remedy
            assert finding.got != finding.remedy
        for each in judged(one).not_evaluated:
            assert not re.search(r"None|UNKNOWN|Ref\(|frozenset|  |\n", each.missing), each.missing
            assert each.missing[-1] not in ".,;:"


@of_each_topic
def test_pods_without_requests_change_no_finding(topic: str) -> None:
    """The first kind of pod of an object hides nothing about the next."""
    plain = PodTemplate("before", {"containers": [{"name": "fine", "image": "fine:1"}]}, 1)
    for one in cases_of(topic):
        fleet = one.fleet()
        if one.rule or not judged(one).findings or not any(isinstance(each, PodOwner) for each in fleet.objects):
            continue
        objects = tuple(
            replace(each, templates=(plain, *each.templates)) if isinstance(each, PodOwner) else each
            for each in fleet.objects
        )
        assert judge(replace(fleet, objects=objects)).findings == judged(one).findings, one.name
