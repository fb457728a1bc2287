"""What of older facts stays beside newer ones."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.fleet.facts import Facts
from muster.fleet.facts_merge import (
    ABSENT_WHEN_ANSWERED,
    DroppedFact,
    FactPath,
    KeptFact,
    ReplacedFact,
    facts_document,
    from_json_pointer,
    merge_facts,
    other_account,
    to_json_pointer,
)

THEN, NOW = datetime(2026, 11, 1, 9, tzinfo=UTC), datetime(2026, 11, 22, 9, tzinfo=UTC)
CR, OTHER, A = "cr-0123456789abcdef0", "cr-0fedcba9876543210", "subnet-0aaaaaaaaaaaaaaaa"
EVERYTHING: frozenset[FactPath] = frozenset((each,) for each in Facts.model_json_schema()["properties"])
"""AWS was asked about all that there is, and did not answer."""
NOTHING: frozenset[FactPath] = frozenset()
"""It answered whatever it was asked."""


def facts(**said: Any) -> Facts:
    """Facts as a file has them."""
    return Facts.model_validate(said)


def reservations() -> st.SearchStrategy[dict[str, dict[str, Any]]]:
    """What is known of a few, by id."""
    known = st.fixed_dictionaries(
        {},
        optional={
            "exists": st.booleans(),
            "instanceType": st.sampled_from(["p5.48xlarge", "p4d.24xlarge"]),
            "totalInstances": st.integers(0, 9),
            "state": st.sampled_from(["active", "expired"]),
            "end": st.just("2026-12-24T00:00:00Z"),
        },
    )
    return st.dictionaries(st.sampled_from([CR, OTHER]), known)


def some_facts(observed: datetime | None) -> st.SearchStrategy[Facts]:
    """Facts of one moment, or without any: those that a person wrote."""
    numbers = st.dictionaries(st.sampled_from(["L-417A185B", "L-1216C47A"]), st.integers(0, 400))
    known = st.fixed_dictionaries(
        {},
        optional={
            "reservations": reservations(),
            "quotas": numbers,
            "imageParameters": st.dictionaries(
                st.just("/aws/a~1/image_id"), st.sampled_from([None, f"ami-{'0' * 17}"])
            ),
            "permissions": st.dictionaries(st.sampled_from(["ec2:RunInstances", "eks:CreateCluster"]), st.booleans()),
        },
    )
    return known.map(lambda said: facts(**said, **({"observed": observed.isoformat()} if observed else {})))


def leaves(data: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Every value by its path, but for what is about the file."""
    if isinstance(data, dict):
        below = {key: value for key, value in data.items() if path or key not in {"contract", "observed", "kept"}}
        return {leaf: value for key, each in below.items() for leaf, value in leaves(each, (*path, key)).items()}
    return {path: data}


open_sections = st.frozensets(st.sampled_from(sorted(EVERYTHING)))


@given(st.one_of(some_facts(THEN), some_facts(None)), some_facts(NOW))
def test_nothing_that_aws_did_not_answer_is_lost(old: Facts, new: Facts) -> None:
    """Every value of the older facts is there, or AWS spoke of the very thing; every answer is there as it was."""
    merged = merge_facts(old, new, EVERYTHING)
    before, answered, after = (leaves(facts_document(each)) for each in (old, new, merged.facts))
    assert answered.items() <= after.items()
    of_thing = facts_document(new).get("reservations", {})
    for path, value in before.items():
        if path in answered:
            continue
        thing = of_thing.get(path[1]) if path[0] == "reservations" else None
        spoken_of = thing is not None and (
            thing.get("exists") is False or ABSENT_WHEN_ANSWERED["reservations"].get(path[2]) in thing
        )
        assert (path in after) is not spoken_of, path
        if not spoken_of:
            assert after[path] == value
    assert after.keys() <= before.keys() | answered.keys()


@given(some_facts(THEN), some_facts(NOW), open_sections)
def test_what_aws_said_and_was_not_asked_any_more_is_left_out(
    old: Facts, new: Facts, open_: frozenset[FactPath]
) -> None:
    """What stays was asked for and not answered; all of a file that AWS wrote is answered, kept, replaced or left."""
    merged = merge_facts(old, new, open_)
    before, answered, after = (leaves(facts_document(each)) for each in (old, new, merged.facts))
    assert {path[:1] for path in after.keys() - answered.keys()} <= open_
    left = {path for path in before if any(path[: len(each.path)] == each.path for each in merged.left)}
    assert left.isdisjoint(after)
    assert not any(path[:1] in open_ for path in left)
    gone = {path for path in before if any(path[: len(each.path)] == each.path for each in merged.replaced)}
    assert before.keys() - after.keys() == left | (gone - after.keys())
    assert left.isdisjoint(gone)


@given(some_facts(THEN), some_facts(NOW))
def test_where_all_is_answered_nothing_older_is_left(old: Facts, new: Facts) -> None:
    """The file is what a first preflight would have written."""
    assert merge_facts(old, new, NOTHING).facts == new


@given(some_facts(None), some_facts(NOW))
def test_what_a_person_wrote_stays_where_no_answer_is_about_it(old: Facts, new: Facts) -> None:
    """But of sections that are answered as a whole: what nobody needs any more would be judged."""
    merged = merge_facts(old, new, NOTHING)
    of_person, now = merge_facts(old, new, EVERYTHING).facts, merged.facts
    assert now.model_copy(update={"permissions": {}, "kept": {}}) == of_person.model_copy(
        update={"permissions": {}, "kept": {}}
    )
    assert now.permissions == (new.permissions or old.permissions)
    assert {each.path[0] for each in merged.left} <= {"permissions"}


VALUES: dict[str, dict[str, Any]] = {
    "reservations": {"id": CR, "end": "2026-12-24T00:00:00Z", "invitation": "arn:x"},
    "images": {"id": f"ami-{'0' * 17}", "parallelclusterVersion": "3.16.1", "os": "alinux2023"},
    "subnets": {
        "id": A,
        "gateway": "nat-0123456789abcdef0",
        "gatewayFault": "gone",
        "endpointsOpenTo": {"ec2": ["sg-0123456789abcdef0"]},
        "endpointsInDoubt": {"s3": "kind-unknown"},
    },
    "fileSystems": {"id": "fs-0123456789abcdef0", "portsOpenTo": ["sg-0123456789abcdef0"]},
}
ANSWERS = {"exists": True, "wayOut": "none", "endpoints": [], "portsOpenToVpc": False}


@pytest.mark.parametrize(
    ("section", "key", "by"), [(of, *both) for of in ABSENT_WHEN_ANSWERED for both in ABSENT_WHEN_ANSWERED[of].items()]
)
def test_what_is_left_out_as_there_is_none_is_answered_with_its_companion(section: str, key: str, by: str) -> None:
    """Whatever else is not answered: a network that was mended is not judged by what was wrong with it. Without its
    companion it was not answered, and stays."""
    values = VALUES[section]
    old = facts(observed=THEN.isoformat(), **{section: {values["id"]: {key: values[key]}}})
    new = facts(observed=NOW.isoformat(), **{section: {values["id"]: {by: ANSWERS[by]}}})
    merged = merge_facts(old, new, EVERYTHING)
    assert merged.facts == new
    assert [each.path for each in merged.replaced] == [(section, values["id"], key)]
    silent = facts(observed=NOW.isoformat(), **{section: {values["id"]: {}}})
    assert facts_document(merge_facts(old, silent, EVERYTHING).facts)[section] == {values["id"]: {key: values[key]}}


def test_what_was_said_of_a_gateway_is_not_said_of_another() -> None:
    """A subnet whose route leads elsewhere now, and AWS does not say what to: by the older gateway it had a way out."""
    first, second = "nat-0123456789abcdef0", "nat-0fedcba9876543210"
    old = facts(observed=THEN.isoformat(), subnets={A: {"wayOut": "nat", "gateway": first}})
    for gateway, known in ((first, {"wayOut": "nat", "gateway": first}), (second, {"gateway": second})):
        new = facts(observed=NOW.isoformat(), subnets={A: {"gateway": gateway}})
        assert facts_document(merge_facts(old, new, EVERYTHING).facts)["subnets"][A] == known


@given(st.one_of(some_facts(THEN), some_facts(None)), some_facts(NOW))
def test_everything_kept_has_its_own_day(old: Facts, new: Facts) -> None:
    """And nothing else is said to be kept: what AWS answered is of now."""
    merged = merge_facts(old, new, EVERYTHING)
    kept = [from_json_pointer(each) for each in merged.facts.kept]
    answered, after = leaves(facts_document(new)), leaves(facts_document(merged.facts))
    assert {path for path in after if any(path[: len(each)] == each for each in kept)} == after.keys() - answered.keys()
    assert set(merged.facts.kept.values()) <= {old.observed}
    assert merged.facts.observed == new.observed


@given(some_facts(THEN), some_facts(NOW))
def test_what_is_kept_twice_keeps_its_first_day(old: Facts, new: Facts) -> None:
    """Asked a third time in vain, it is as old as before."""
    once = merge_facts(old, new, EVERYTHING).facts
    later = merge_facts(once, facts(observed="2026-11-30T09:00:00Z"), EVERYTHING).facts
    assert leaves(facts_document(later)) == leaves(facts_document(once))
    for path in leaves(facts_document(later)):
        assert day(later, path) == (day(once, path) if is_kept(once, path) else NOW)


def is_kept(known: Facts, path: tuple[str, ...]) -> bool:
    """Whether it, or what it is in, is said to be kept."""
    return any(path[: len(from_json_pointer(each))] == from_json_pointer(each) for each in known.kept)


def day(known: Facts, path: tuple[str, ...]) -> datetime | None:
    """When AWS said what stands at a path."""
    days = {
        said for each, said in known.kept.items() if path[: len(from_json_pointer(each))] == from_json_pointer(each)
    }
    assert len(days) <= 1
    return days.pop() if days else known.observed


@given(st.lists(st.text(), min_size=1).map(tuple))
def test_pointers_lead_back(path: tuple[str, ...]) -> None:
    """Whatever is in the keys: slashes of image parameters, tildes."""
    assert from_json_pointer(to_json_pointer(path)) == path


def test_what_is_said_of_it() -> None:
    """What stays, with its day; what AWS says another way, with both values; what there is no more."""
    old = facts(
        observed=THEN.isoformat(),
        reservations={CR: {"state": "active", "totalInstances": 4, "end": "2026-12-24T00:00:00Z"}},
        subnets={A: {"zone": "us-west-2a", "freeAddresses": 12}},
        quotas={"L-417A185B": 384},
        kept={"/quotas/L-417A185B": None},
    )
    new = facts(
        observed=NOW.isoformat(),
        reservations={CR: {"exists": True, "state": "active", "totalInstances": 8}},
        subnets={A: {"zone": "us-west-2a"}},
    )
    merged = merge_facts(old, new, EVERYTHING)
    assert merged.kept == (KeptFact(("subnets", A, "freeAddresses"), THEN), KeptFact(("quotas", "L-417A185B"), None))
    assert list(map(str, merged.kept)) == [
        f"subnets.{A}.freeAddresses (AWS, 2026-11-01)",
        "quotas.L-417A185B (undated)",
    ]
    assert merged.replaced == (
        ReplacedFact(("reservations", CR, "totalInstances"), 4, 8),
        ReplacedFact(("reservations", CR, "end"), "2026-12-24T00:00:00Z", None),
    )
    assert list(map(str, merged.replaced)) == [
        f"reservations.{CR}.totalInstances: 8, was 4",
        f'reservations.{CR}.end: none, was "2026-12-24T00:00:00Z"',
    ]


def test_a_right_that_was_not_answered_stays() -> None:
    """Null is an answer of an image parameter; of a right where a condition decides, and none where it was not
    answered."""
    path, run, pass_ = "/aws/service/x/image_id", "ec2:RunInstances", "iam:PassRole"
    old = facts(imageParameters={path: f"ami-{'0' * 17}"}, permissions={run: True, pass_: True, "fsx:Tag": False})
    answered = facts(imageParameters={path: None}, permissions={run: None, pass_: None})
    merged = merge_facts(old, answered, {("permissions", run)})
    assert merged.facts.image_parameters == {path: None}
    assert merged.facts.permissions == {run: True, pass_: None}
    assert merged.facts.kept == {f"/permissions/{run}": None}
    assert list(map(str, merged.replaced)) == [
        f'imageParameters.{path}: none, was "ami-{"0" * 17}"',
        f"permissions.{pass_}: a condition decides, was true",
    ]
    assert merged.left == (DroppedFact(("permissions", "fsx:Tag"), False),)
    assert str(merged.left[0]) == "permissions.fsx:Tag: was false"


def test_what_only_a_person_says_stays() -> None:
    """Whatever AWS answers, and whenever it was written."""
    cluster = {"ml": {"version": "1.34", "hyperpodChart": True}}
    old = facts(observed=THEN.isoformat(), clusters=cluster)
    new = facts(observed=NOW.isoformat(), clusters={"ml": {"version": "1.35"}})
    assert facts_document(merge_facts(old, new, NOTHING).facts)["clusters"] == {
        "ml": {"version": "1.35", "hyperpodChart": True}
    }


def test_facts_of_another_account_or_region() -> None:
    """They are told apart where both say whose they are."""
    ours = facts(account={"id": "111122223333", "region": "us-west-2"})
    assert other_account(ours, facts(account={"id": "111122223333", "region": "us-west-2"})) == ""
    assert other_account(ours, facts(account={"id": "444455556666", "region": "us-west-2"})) == "account 111122223333"
    assert other_account(ours, facts(account={"id": "111122223333", "region": "us-east-1"})) == "us-west-2"
    assert other_account(ours, facts()) == other_account(facts(), ours) == ""


def test_every_section_whose_silence_is_an_answer_is_there() -> None:
    """As the file names them."""
    properties = Facts.model_json_schema()["$defs"]
    of = {
        "reservations": "ReservationFacts",
        "images": "ImageFacts",
        "subnets": "SubnetFacts",
        "fileSystems": "FileSystemFacts",
    }
    assert of.keys() == ABSENT_WHEN_ANSWERED.keys() == VALUES.keys()
    for section, keys in ABSENT_WHEN_ANSWERED.items():
        assert keys.keys() == VALUES[section].keys() - {"id"}
        assert keys.keys() | set(keys.values()) <= properties[of[section]]["properties"].keys()


def test_what_the_file_leaves_out_when_it_is_empty_has_a_companion() -> None:
    """Facts whose usual value is not null: empty and answered they are not in the file."""
    definitions = Facts.model_json_schema()["$defs"]
    empty = {
        key
        for name, each in definitions.items()
        if name.endswith("Facts")
        for key, value in each["properties"].items()
        if value.get("default") is not None
    }
    assert empty == {"endpointsOpenTo", "endpointsInDoubt"}
    assert empty <= ABSENT_WHEN_ANSWERED["subnets"].keys()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("quotas",), {"L-417A185B": 384}),
        (("quotas", "L-417A185B"), 384),
        (("reservations",), {CR: {"totalInstances": 4}}),
        (("reservations", CR), {"totalInstances": 4}),
        (("reservations", CR, "totalInstances"), 4),
    ],
)
def test_what_was_kept_whole_keeps_the_day_of_the_whole(path: FactPath, value: Any) -> None:
    """A section, a thing in it or a key of that: kept once more it is as old as before, also where less of it is left
    open; what stands beside it has the file's own day."""
    before = datetime(2026, 10, 1, 9, tzinfo=UTC)
    said: Any = value
    for step in reversed(path):
        said = {step: said}
    beside = {"subnets": {A: {"zone": "us-west-2a"}}}
    old = facts(observed=THEN.isoformat(), kept={to_json_pointer(path): before.isoformat()}, **said, **beside)
    merged = merge_facts(old, facts(observed=NOW.isoformat()), EVERYTHING)
    assert {day(merged.facts, leaf) for leaf in leaves(said)} == {before}
    assert day(merged.facts, ("subnets", A, "zone")) == THEN
    assert {each.observed for each in merged.kept if each.path[0] == path[0]} == {before}


def test_a_key_of_a_thing_that_was_kept_whole_keeps_its_day() -> None:
    """AWS spoke of the thing now, and not of this key of it."""
    before = datetime(2026, 10, 1, 9, tzinfo=UTC)
    for kept in (f"/reservations/{CR}", "/reservations"):
        old = facts(
            observed=THEN.isoformat(),
            reservations={CR: {"state": "active", "totalInstances": 4}},
            kept={kept: before.isoformat()},
        )
        new = facts(observed=NOW.isoformat(), reservations={CR: {"state": "active"}})
        assert merge_facts(old, new, EVERYTHING).kept == (KeptFact(("reservations", CR, "totalInstances"), before),)


@pytest.mark.parametrize("now", [{"id": "111122223333"}, {"id": "111122223333", "region": "us-west-2"}])
def test_whose_the_facts_are_stays_or_goes_at_once(now: dict[str, str]) -> None:
    """No part of an older answer stands beside a newer one, and of what stays one day is told."""
    was = {"id": "111122223333", "partition": "aws", "region": "us-west-2"}
    old = facts(observed=THEN.isoformat(), account=was)
    kept = merge_facts(old, facts(observed=NOW.isoformat()), EVERYTHING)
    assert facts_document(kept.facts)["account"] == was
    assert kept.kept == (KeptFact(("account",), THEN),)
    merged = merge_facts(old, facts(observed=NOW.isoformat(), account=now), EVERYTHING)
    assert facts_document(merged.facts)["account"] == now
    assert (merged.kept, merged.left) == ((), ())
    assert merged.replaced == tuple(ReplacedFact(("account", key), was[key], None) for key in was if key not in now)
