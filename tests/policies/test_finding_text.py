"""Lists, numbers and names as findings write them."""

from dataclasses import replace

import pytest

from muster.policies.engine.catalogue import rule_of
from muster.policies.engine.finding_text import and_list, card_list, quantity_text, singular_or_plural
from muster.policies.engine.judgement import judge
from tests.factories import REGION
from tests.policies.case import all_cases


@pytest.mark.parametrize(
    ("things", "text"),
    [([], "none"), (["b"], "b"), (["b", "a"], "a and b"), ("cab", "a, b and c"), ([2, 1], "1 and 2")],
)
def test_and_list(things: list[object], text: str) -> None:
    assert and_list(things) == text


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([0], "card 0"),
        ([1, 0], "cards 0 to 1"),
        ([4, 0], "cards 0 and 4"),
        ([*range(8), 9], "cards 0 to 7 and 9"),
        ([3, 3], "card 3"),
    ],
)
def test_card_list(numbers: list[int], text: str) -> None:
    assert card_list(numbers) == text


def test_one_and_several() -> None:
    assert [quantity_text(n, "node") for n in range(3)] == ["0 nodes", "1 node", "2 nodes"]
    assert quantity_text(2, "entry", "entries") == "2 entries"
    assert [singular_or_plural("a" * n, "gives", "give") for n in range(3)] == ["give", "gives", "give"]


WITH_COMMANDS = {
    "access-entries-taken",
    "existing-cluster-active",
    "existing-cluster-as-declared",
    "image-parameter-exists",
    "named-things-exist",
    "vpc-resolves-names",
}
"""The rules whose remedy is a command of the AWS CLI."""


def _without_region(text: str) -> str:
    for named, left in (
        (f" --region {REGION}", ""),
        (f"account in {REGION}", "account"),
        (f"account 222233334444 in {REGION}", "account 222233334444"),
        (f"{REGION} has no", "the Region has no"),
    ):
        text = text.replace(named, left)
    return text


def test_a_command_names_the_region_where_it_is_known() -> None:
    rules, naming = [rule_of(each) for each in sorted(WITH_COMMANDS)], set()
    for one in all_cases():
        fleet = one.fleet()
        there, nowhere = (
            {(each.rule, each.got, each.remedy) for each in judge(replace(fleet, region=region), rules=rules).findings}
            for region in (REGION, None)
        )
        assert {(rule, _without_region(got), _without_region(remedy)) for rule, got, remedy in there} == nowhere
        naming |= {rule for rule, _, remedy in there if f" --region {REGION}" in remedy}
    assert naming == WITH_COMMANDS
