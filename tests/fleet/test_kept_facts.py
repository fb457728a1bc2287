"""What of older facts stays beside newer ones."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.fleet.facts import Facts
from muster.fleet.facts_merge import (
    KeptFact,
    facts_document,
    from_json_pointer,
    merge_facts,
    other_account,
    to_json_pointer,
)

THEN, NOW = datetime(2026, 11, 1, 9, tzinfo=UTC), datetime(2026, 11, 22, 9, tzinfo=UTC)
CR, OTHER = "cr-0123456789abcdef0", "cr-0fedcba9876543210"
SECTIONS = ("quotas", "reservations", "permissions")


def facts(observed: datetime | None = None, **said: Any) -> Facts:
    """Facts as a file has them."""
    return Facts.model_validate({**said, **({"observed": observed.isoformat()} if observed else {})})


def some_facts(observed: datetime | None) -> st.SearchStrategy[Facts]:
    """Facts of one moment, or without any: those that a person wrote."""
    one = st.fixed_dictionaries({}, optional={"exists": st.booleans(), "totalInstances": st.integers(0, 9)})
    known = st.fixed_dictionaries(
        {},
        optional={
            "reservations": st.dictionaries(st.sampled_from([CR, OTHER]), one),
            "quotas": st.dictionaries(st.sampled_from(["L-417A185B", "L-1216C47A"]), st.integers(0, 400)),
            "permissions": st.dictionaries(st.sampled_from(["ec2:RunInstances", "iam:PassRole"]), st.booleans()),
        },
    )
    return known.map(lambda said: facts(observed, **said))


@given(st.one_of(some_facts(THEN), some_facts(None)), some_facts(NOW), st.frozensets(st.sampled_from(SECTIONS)))
def test_an_answer_replaces_and_only_what_was_not_answered_stays(old: Facts, new: Facts, open_: frozenset[str]) -> None:
    """Each fact about a resource is AWS's answer of now; or the older one where AWS did not answer, or a person wrote
    it. What is kept has its own day."""
    merged, kept = merge_facts(old, new, open_)
    before, answered, after = (facts_document(each) for each in (old, new, merged))
    for section in SECTIONS:
        was, now = before.get(section, {}), answered.get(section, {})
        stays = section in open_ or old.observed is None
        assert after.get(section, {}) == ({**was, **now} if stays else now)
    assert merged.kept == {to_json_pointer(each.path): old.observed for each in kept}
    assert merged.observed == new.observed


@pytest.mark.parametrize("kept", ["/quotas/L-417A185B", "/quotas"])
def test_what_is_kept_twice_keeps_its_first_day(kept: str) -> None:
    first = datetime(2026, 10, 1, 9, tzinfo=UTC)
    old = facts(THEN, quotas={"L-417A185B": 384}, zones={"us-west-2a": "usw2-az2"}, kept={kept: first.isoformat()})
    _, stays = merge_facts(old, facts(NOW), {"quotas", "zones"})
    assert {*stays} == {KeptFact(("quotas", "L-417A185B"), first), KeptFact(("zones", "us-west-2a"), THEN)}


def test_whose_the_facts_are_stays_or_goes_at_once() -> None:
    """No part of an older answer stands beside a newer one."""
    was = {"id": "111122223333", "partition": "aws", "region": "us-west-2"}
    old = facts(THEN, account=was)
    merged, kept = merge_facts(old, facts(NOW), {"account"})
    assert (facts_document(merged)["account"], kept) == (was, (KeptFact(("account",), THEN),))
    merged, kept = merge_facts(old, facts(NOW, account={"id": "111122223333"}), {"account"})
    assert (facts_document(merged)["account"], kept) == ({"id": "111122223333"}, ())


def test_facts_of_another_account_or_region() -> None:
    """They are told apart where both say whose they are."""
    ours = facts(account={"id": "111122223333", "region": "us-west-2"})
    assert other_account(ours, ours) == ""
    assert other_account(ours, facts(account={"id": "444455556666", "region": "us-west-2"})) == "account 111122223333"
    assert other_account(ours, facts(account={"id": "111122223333", "region": "us-east-1"})) == "us-west-2"
    assert other_account(ours, facts()) == other_account(facts(), ours) == ""


@given(st.lists(st.text(), min_size=1).map(tuple))
def test_pointers_lead_back(path: tuple[str, ...]) -> None:
    """Whatever is in the keys: slashes of image parameters, tildes."""
    assert from_json_pointer(to_json_pointer(path)) == path
