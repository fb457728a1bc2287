"""What of older facts stays beside newer ones."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from muster.fleet.facts import Facts
from muster.fleet.kept_facts import NONE_SAYS, Kept, Replaced, merge, of_another, path_of, pointer, written

THEN, NOW = datetime(2026, 11, 1, 9, tzinfo=UTC), datetime(2026, 11, 22, 9, tzinfo=UTC)
CR, OTHER, A = "cr-0123456789abcdef0", "cr-0fedcba9876543210", "subnet-0aaaaaaaaaaaaaaaa"


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
            "ebsEncryptionByDefault": st.booleans(),
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


@given(st.one_of(some_facts(THEN), some_facts(None)), some_facts(NOW))
def test_nothing_that_aws_did_not_answer_is_lost(old: Facts, new: Facts) -> None:
    """Every value of the older facts is there, or AWS spoke of the very thing; every answer is there as it was."""
    merged = merge(old, new)
    before, answered, after = (leaves(written(each)) for each in (old, new, merged.facts))
    assert answered.items() <= after.items()
    of_thing = written(new).get("reservations", {})
    for path, value in before.items():
        if path in answered:
            continue
        thing = of_thing.get(path[1]) if path[0] == "reservations" else None
        spoken_of = thing is not None and (thing.get("exists") is False or path[2] in NONE_SAYS["reservations"])
        assert (path in after) is not spoken_of, path
        if not spoken_of:
            assert after[path] == value
    assert after.keys() <= before.keys() | answered.keys()


@given(st.one_of(some_facts(THEN), some_facts(None)), some_facts(NOW))
def test_everything_kept_has_its_own_day(old: Facts, new: Facts) -> None:
    """And nothing else is said to be kept: what AWS answered is of now."""
    merged = merge(old, new)
    kept = [path_of(each) for each in merged.facts.kept]
    answered, after = leaves(written(new)), leaves(written(merged.facts))
    assert {path for path in after if any(path[: len(each)] == each for each in kept)} == after.keys() - answered.keys()
    assert set(merged.facts.kept.values()) <= {old.observed}
    assert merged.facts.observed == new.observed


@given(some_facts(THEN), some_facts(NOW))
def test_what_is_kept_twice_keeps_its_first_day(old: Facts, new: Facts) -> None:
    """Asked a third time in vain, it is as old as before."""
    once = merge(old, new).facts
    later = merge(once, facts(observed="2026-11-30T09:00:00Z")).facts
    assert leaves(written(later)) == leaves(written(once))
    for path in leaves(written(later)):
        assert day(later, path) == (day(once, path) if is_kept(once, path) else NOW)


def is_kept(known: Facts, path: tuple[str, ...]) -> bool:
    """Whether it, or what it is in, is said to be kept."""
    return any(path[: len(path_of(each))] == path_of(each) for each in known.kept)


def day(known: Facts, path: tuple[str, ...]) -> datetime | None:
    """When AWS said what stands at a path."""
    days = {said for each, said in known.kept.items() if path[: len(path_of(each))] == path_of(each)}
    assert len(days) <= 1
    return days.pop() if days else known.observed


@given(st.lists(st.text(), min_size=1).map(tuple))
def test_pointers_lead_back(path: tuple[str, ...]) -> None:
    """Whatever is in the keys: slashes of image parameters, tildes."""
    assert path_of(pointer(path)) == path


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
        reservations={CR: {"state": "active", "totalInstances": 8}},
        subnets={A: {"zone": "us-west-2a"}},
    )
    merged = merge(old, new)
    assert merged.kept == (Kept(("subnets", A, "freeAddresses"), THEN), Kept(("quotas", "L-417A185B"), None))
    assert list(map(str, merged.kept)) == [
        f"subnets.{A}.freeAddresses (AWS, 2026-11-01)",
        "quotas.L-417A185B (undated)",
    ]
    assert merged.replaced == (
        Replaced(("reservations", CR, "totalInstances"), 4, 8),
        Replaced(("reservations", CR, "end"), "2026-12-24T00:00:00Z", None),
    )
    assert list(map(str, merged.replaced)) == [
        f"reservations.{CR}.totalInstances: 8, was 4",
        f'reservations.{CR}.end: none, was "2026-12-24T00:00:00Z"',
    ]


def test_a_right_of_which_nothing_is_known_is_not_answered() -> None:
    """Null is an answer of an image parameter, and none of a right."""
    path = "/aws/service/x/image_id"
    old = facts(imageParameters={path: f"ami-{'0' * 17}"}, permissions={"ec2:RunInstances": True})
    new = merge(old, facts(imageParameters={path: None})).facts
    assert (new.image_parameters, new.permissions) == ({path: None}, {"ec2:RunInstances": True})
    assert new.kept == {"/permissions/ec2:RunInstances": None}


def test_facts_of_another_account_or_region() -> None:
    """They are told apart where both say whose they are."""
    ours = facts(account={"id": "111122223333", "region": "us-west-2"})
    assert of_another(ours, facts(account={"id": "111122223333", "region": "us-west-2"})) == ""
    assert of_another(ours, facts(account={"id": "444455556666", "region": "us-west-2"})) == "account 111122223333"
    assert of_another(ours, facts(account={"id": "111122223333", "region": "us-east-1"})) == "us-west-2"
    assert of_another(ours, facts()) == of_another(facts(), ours) == ""


def test_every_section_whose_silence_is_an_answer_is_there() -> None:
    """As the file names them."""
    properties = Facts.model_json_schema()["$defs"]
    of = {"reservations": "ReservationFacts", "images": "ImageFacts"}
    assert of.keys() == NONE_SAYS.keys()
    for section, keys in NONE_SAYS.items():
        assert keys <= properties[of[section]]["properties"].keys()
