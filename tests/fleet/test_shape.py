"""Shape faults: all at once, each at its place, in the words of the document."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.finding import SHAPE, Level
from muster.fleet.facts import Facts, ReservationFacts
from muster.message_text import closest_match
from tests.factories import CR, DROP, a_document

W = "groups.workers"
RESERVATION = f"{W}.capacity.reservation"


def faults(edits: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(place, what was found, what to do) of every fault of an edited description."""
    made, found = validate(EksCluster, a_document(edits))
    assert (made is None) == bool(found)
    assert all((finding.rule, finding.level) == (SHAPE, Level.MANDATORY) for _, finding in found)
    return [(finding.where, finding.got, finding.remedy) for _, finding in found]


KINDS = "on-demand, spot, reservation, reservation-group or capacity-block"
RETENTION = "1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653"
KEYS_OF_A_GROUP = (
    "keys here: capacity, for, huge-pages, image, instance, interfaces, labels, local-storage, node-repair, nodes, "
    "security-groups, self-managed, session, subnets, taints, updates, volume, was, zone"
)


@pytest.mark.parametrize(
    ("where", "value", "got", "remedy"),
    [
        (f"{W}.instanse", "p5", "unknown key 'instanse'; did you mean 'instance'?", KEYS_OF_A_GROUP),
        (f"{W}.x", 1, "unknown key 'x'", KEYS_OF_A_GROUP),
        (f"{W}.huge_pages", "2GiB", "unknown key 'huge_pages'; did you mean 'huge-pages'?", KEYS_OF_A_GROUP),
        (f"{W}.instance", DROP, "'instance' is missing", "add it"),
        ("kubernetes", 1.35, "1.35 is a number here", 'write it in quotes: "1.35"'),
        (
            f"{W}.for",
            "train",
            "'train' is not a choice here; did you mean 'training'?",
            "choices: training, inference, system",
        ),
        (f"{W}.interfaces", "AWS", "'AWS' is not a choice here; did you mean 'aws'?", "choices: aws, classic, plain"),
        ("backend", "hyperpod", "'hyperpod' is not a choice here", "choices: eks"),
        (f"{W}.zone", "us-west-2", "'us-west-2' is a Region", "write a zone in it, as in us-west-2a"),
        (f"{W}.zone", "usw2-az1", "'usw2-az1' is a zone id", "write the zone's name, as in us-west-2a"),
        (f"{W}.capacity", "reserved", "'reserved' is not a choice here", f"give {KINDS}"),
        (
            f"{W}.volume",
            "big",
            "'big' stands where a block of keys belongs",
            "write a block of keys: {size, throughput, iops}",
        ),
        (
            f"{W}.labels",
            ["a"],
            "a list stands where a map of names to values belongs",
            "write a map of names to values",
        ),
        (f"{W}.security-groups", "sg-1", "'sg-1' stands where a list belongs", "write a list"),
        (f"{W}.node-repair", "yes", "'yes' stands where true or false belongs", "write true or false"),
        (f"{RESERVATION}.count", "4", "'4' is text here", "leave the quotes out"),
        (f"{RESERVATION}.count", "four", "'four' stands where a whole number belongs", "write a whole number"),
        (f"{W}.nodes", "4", "'4' is text here", "leave the quotes out"),
        (f"{W}.node-repair", "true", "'true' is text here", "leave the quotes out"),
        ("logs.retention-days", "180", "'180' is text here", "leave the quotes out"),
        ("logs.retention-days", 10, "'10' is not a choice here", f"choices: {RETENTION}"),
        (f"{W}.local-storage", True, "true is not a choice here", "choices: raid0, none"),
        (f"{W}.labels.gpu", True, "true is not text here", 'write it in quotes: "true"'),
        (
            "control-plane",
            "existing",
            "'existing' needs settings",
            "write existing: {name: ..., security-group: ..., authentication: ...}",
        ),
        (
            "control-plane",
            [],
            "a list stands where a block of keys belongs",
            "write a block of keys: {create, existing}",
        ),
        ("api", "public", "'public' needs settings", "write public: [...]"),
        (f"{W}.image", "custom", "'custom' needs settings", "write custom: {id: ...}"),
        (
            f"{W}.image.custom",
            "x",
            "'x' stands where a block of keys belongs",
            "write a block of keys: {id, ssm, family}",
        ),
        (
            f"{W}.image",
            "Bottlerocket",
            "'Bottlerocket' is not a choice here; did you mean 'bottlerocket'?",
            "give al2023, bottlerocket or custom",
        ),
        (f"{W}.session", "key-pair", "'key-pair' needs settings", "write key-pair: NAME"),
        (
            f"{W}.capacity",
            "reservation",
            "'reservation' needs settings",
            "write reservation: {zone: ..., count: ..., provided-by: ..., id: ...}",
        ),
        (
            f"{W}.capacity",
            "resrvation",
            "'resrvation' is not a choice here; did you mean 'reservation'?",
            "write reservation: {zone: ..., count: ..., provided-by: ..., id: ...}",
        ),
        (f"{W}.capacity", "SPOT", "'SPOT' is not a choice here; did you mean 'spot'?", f"give {KINDS}"),
        (f"{W}.capacity", {}, f"none of {KINDS} is given", "add one"),
        (
            f"{W}.capacity",
            {"spot": {}, "on-demand": {}, "reservation": {}},
            "on-demand, spot and reservation are given",
            "keep one",
        ),
        ("network", {}, "neither existing nor create is given", "add one"),
        (
            "groups.a",
            1,
            "'1' stands where a block of keys belongs",
            "write a block of keys: {for, instance, nodes, capacity, zone, security-groups, ...}",
        ),
        (
            f"{W}.huge-pages",
            5128,
            "5128 has no unit",
            "write a size, as in 10256MiB (5128 pages of 2MiB are 10256MiB)",
        ),
        (f"{W}.efaEnabled", 1, "unknown key 'efaEnabled'", KEYS_OF_A_GROUP),
        (f"{W}.desiredCapacity", 1, "unknown key 'desiredCapacity'", KEYS_OF_A_GROUP),
        (f"{RESERVATION}.count", 4.5, "'4.5' stands where a whole number belongs", "write a whole number"),
        (f"{RESERVATION}.count", True, "true stands where a whole number belongs", "write a whole number"),
        (f"{RESERVATION}.count", 0, "0 is out of range", "write at least 1"),
        (f"{RESERVATION}.count", 1001, "1001 is out of range", "write at most 1000"),
        (
            f"{RESERVATION}.id",
            "cr-123",
            "'cr-123' is not a capacity reservation id",
            "write cr- and 17 hexadecimal digits (or cr-fill-me-in until you have it)",
        ),
        (f"{W}.volume.size", "10GiB", "10GiB is not a root volume", "give 20GiB to 65536GiB"),
        (f"{W}.volume.size", "65537GiB", "65537GiB is not a root volume", "give 20GiB to 65536GiB"),
        (f"{W}.volume.size", "30000MiB", "30000MiB is not a whole number of GiB", "write 29GiB or 30GiB"),
        (f"{W}.volume.iops", 80001, "80001 is out of range", "write at most 80000"),
        (f"{W}.huge-pages", "10257MiB", "10257MiB is not a multiple of 2MiB", "write 10256MiB or 10258MiB"),
        (f"{W}.volume.size", "300", "300 has no unit", "write a size, as in 10256MiB"),
        (
            "name",
            "My Cluster",
            "'My Cluster' is not a name",
            (
                "use lower-case letters, digits and dashes, 40 at most, a letter first (EKS takes more, but the names "
                "of roles, buckets, repositories and placement groups that Muster makes begin so)"
            ),
        ),
        ("secrets-key", "alias/x", "'alias/x' is not the ARN of a KMS key", "write arn:aws:kms:REGION:ACCOUNT:key/ID"),
        (
            "addons.mpi-operator",
            None,
            "'mpi-operator' has no value",
            "give it one ({} for no settings), or remove the key",
        ),
        ("registry", None, "'registry' has no value", "give it one ({} for no settings), or remove the key"),
        (f"{W}.huge-pages", None, "'huge-pages' has no value", "give it one, or remove the key"),
        (f"{W}.capacity", None, "'capacity' has no value", "give it one, or remove the key"),
        (RESERVATION, None, "'reservation' has no value", "give it one, or remove the key"),
        ("groups", {}, "nothing is listed here", "give at least 1"),
    ],
)
def test_the_words_of_a_fault(where: str, value: Any, got: str, remedy: str) -> None:
    assert faults({where: value}) == [(where, got, remedy)]


SHOWN: list[tuple[Any, str]] = [
    (True, "true"),
    (False, "false"),
    ({"a": 1}, "a block of keys"),
    ([1], "a list"),
    (1.5, "'1.5'"),
    ("x", "'x'"),
    ("x" * 58, f"'{'x' * 58}'"),
    ("x" * 59, f"'{'x' * 56}...'"),
]
"""What stands there, and how it is told: to 60 characters."""

WHERE = [
    ("control-plane.create", "a block of keys", "", (dict,)),
    (f"{W}.volume", "a block of keys", ": {size, throughput, iops}", (dict,)),
    (f"{W}.labels", "a map of names to values", "", (dict,)),
    (f"{W}.security-groups", "a list", "", (list,)),
    (f"{W}.node-repair", "true or false", "", (bool,)),
    (f"{W}.volume.iops", "a whole number", "", ()),
    (f"{W}.volume.size", "a size", ", as in 300GiB", (str,)),
    ("suppress", "a list", "", (list,)),
]
"""A place, what belongs there, what more is said of that, and what is told in other words."""


@pytest.mark.parametrize(("where", "belongs", "more", "otherwise"), WHERE, ids=[where for where, *_ in WHERE])
@pytest.mark.parametrize(("value", "shown"), SHOWN, ids=[shown for _, shown in SHOWN])
def test_what_stands_in_the_wrong_place(
    value: Any, shown: str, where: str, belongs: str, more: str, otherwise: tuple[type, ...]
) -> None:
    """Whatever it is, and whatever belongs there. What is merely wrong below, or in part, is not told so."""
    words = (where, f"{shown} stands where {belongs} belongs", f"write {belongs}{more}")
    around: dict[str, Any] = {"control-plane": {}} if where.startswith("control-plane.") else {}
    assert (words in faults({**around, where: value})) == (not isinstance(value, otherwise))


class Every(BaseModel):
    """A form of six keys."""

    listed: list[str] = Field(default=[], max_length=2)
    day: date = date(2026, 11, 22)
    time: datetime = datetime(2026, 11, 22, tzinfo=UTC)
    number: int = Field(default=1, ge=1, le=3)
    word: str = Field(default="ab", min_length=2, max_length=4, pattern="^[a-z]*$")
    letter: str = Field(default="a", min_length=1)


@pytest.mark.parametrize(
    ("key", "value", "got", "remedy"),
    [
        ("listed", "a", "'a' stands where a list belongs", "write a list"),
        ("listed", ["a", "b", "c"], "3 are listed here", "give at most 2"),
        ("day", [], "a list stands where a date in quotes belongs", 'write a date in quotes, as in "2026-12-31"'),
        ("day", "today", "'today' is no date", 'write one as in "2026-12-31"'),
        (
            "time",
            [],
            "a list stands where a time in quotes belongs",
            'write a time in quotes, as in "2026-11-21T09:00:00Z"',
        ),
        (
            "time",
            "now",
            "'now' stands where a time in quotes belongs",
            'write a time in quotes, as in "2026-11-21T09:00:00Z"',
        ),
        (
            "time",
            1e30,
            "'1e+30' stands where a time in quotes belongs",
            'write a time in quotes, as in "2026-11-21T09:00:00Z"',
        ),
        ("number", 1.5, "'1.5' stands where a whole number belongs", "write a whole number"),
        ("number", [], "a list stands where a whole number belongs", "write a whole number"),
        ("number", 0, "0 is out of range", "write at least 1"),
        ("number", 4, "4 is out of range", "write at most 3"),
        ("word", "a", "'a' is too short", "write at least 2 characters"),
        ("letter", "", "'' is too short", "write at least 1 character"),
        ("word", "abcde", "'abcde' has 5 letters", "write at most 4"),
        ("word", "ABC", "'ABC' has not the form ^[a-z]*$", "write it in that form"),
    ],
)
def test_every_kind_of_fault_has_words_of_its_own(key: str, value: Any, got: str, remedy: str) -> None:
    """No kind of pydantic's is told in pydantic's words."""
    made, found = validate(Every, {key: value})
    assert made is None
    assert [(each.where, each.got, each.remedy) for _, each in found] == [(key, got, remedy)]


def test_six_keys_are_all_named() -> None:
    """Where there are more, the rest is left out, and that is shown."""
    _, found = validate(Every, 1)
    keys = "{listed, day, time, number, word, letter}"
    assert [each.remedy for _, each in found] == [f"write a block of keys: {keys}"]


def test_pages_without_a_unit() -> None:
    """As many as anybody would say are told as a size, in quotes or without."""
    pages = f"{W}.huge-pages"
    for written in ("5128", "999999999"):
        size = f"{int(written) * 2}MiB"
        remedy = f"write a size, as in 10256MiB ({written} pages of 2MiB are {size})"
        assert faults({pages: written}) == faults({pages: int(written)}) == [(pages, f"{written} has no unit", remedy)]
    words = ("'1000000000' is not a size", "write a whole number and a unit, as in 300GiB")
    assert faults({pages: "1000000000"}) == [(pages, *words)]


def test_a_number_in_quotes() -> None:
    """To 18 digits; what is longer is a text."""
    count = f"{RESERVATION}.count"
    assert faults({count: "9" * 18}) == [(count, f"'{'9' * 18}' is text here", "leave the quotes out")]
    words = (f"'{'9' * 19}' stands where a whole number belongs", "write a whole number")
    assert faults({count: "9" * 19}) == [(count, *words)]


def test_a_document_of_nothing() -> None:
    """The keys of one are told; so of facts, in which null is one that is not there."""
    for model, what in (
        (EksCluster, "a block of keys: {backend, kubernetes, control-plane, network, groups, name, ...}"),
        (Facts, "a block of keys: {contract, observed, kept, account, vpcs, offerings, ...}"),
    ):
        _, found = validate(model, None)
        assert [(each.where, each.got, each.remedy) for _, each in found] == [
            ("", "nothing stands where a block of keys belongs", f"write {what}")
        ]
    _, found = validate(Facts, {"zones": None})
    assert [(each.where, each.got, each.remedy) for _, each in found] == [
        ("zones", "nothing stands where a map of names to values belongs", "write a map of names to values")
    ]


def test_a_key_where_none_belongs() -> None:
    """There are none to list."""
    assert faults({"control-plane": {"create": {"zones": 2}}}) == [
        ("control-plane.create.zones", "unknown key 'zones'", "remove it: no key belongs here")
    ]


@pytest.mark.parametrize("written", ["2026-02-30", "2026-12-01T11:30:00Z", "tomorrow"])
def test_what_is_no_date(written: str) -> None:
    """Nor is a time: the day is what is asked for."""
    suppressed = {"rule": "x", "at": W, "reason": "it is all right", "until": written}
    assert faults({"suppress": [suppressed]}) == [
        ("suppress[0].until", f"'{written}' is no date", 'write one as in "2026-12-31"')
    ]


def test_nothing_is_near_to_none_or_to_a_number() -> None:
    assert closest_match("none", ["one", "per-zone"]) is None
    assert closest_match("10", ["180", "1"]) is None
    assert closest_match("resrvation", ["reservation", "reservation-group"]) == "reservation"


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("instanse", "instance", True),
        ("efaEnabled", "self-managed", False),
        ("abcd", "abce", True),
        ("abcdefg", "abcdexy", False),
        ("bear", "near", False),
        ("brack", "track", True),
        ("gear", "gera", True),
        ("eg", "ge", False),
    ],
)
def test_how_near_is_near(word: str, known: str, *, found: bool) -> None:
    """Three letters of four are, five of seven are not; a word of four begins with its own letter, one of five need
    not."""
    assert closest_match(word, [known]) == (known if found else None)


def test_swapped_letters_are_near() -> None:
    """Also two that do not stand side by side; not behind another first letter, and not one letter more."""
    stacks = ["p4de-odcr", "p5-efa", "p5-odcr"]
    assert closest_match("p5-orcd", stacks) == "p5-odcr"
    assert closest_match("P5_ORCD", stacks) == "p5-odcr"
    assert closest_match("5p-orcd", stacks) is None
    assert closest_match("p5-orcde", stacks) is None


def test_unknown_hardware_is_a_fault_of_form() -> None:
    ((where, got, _),) = faults({f"{W}.instance": "p5.84xlarge"})
    assert where == f"{W}.instance"
    assert got.startswith("'p5.84xlarge' is not in the hardware catalogue")


def test_hardware_without_its_numbers_is_no_fault_of_form() -> None:
    assert faults({f"{W}.instance": "p6e-gb200.36xlarge"}) == []


def test_all_faults_at_once_each_at_its_own_place() -> None:
    found = faults({"kubernetes": 1.35, f"{W}.zone": "us-west-2", f"{W}.instanse": "p5", "addons.mpi-operator": None})
    assert {where for where, *_ in found} == {"kubernetes", f"{W}.zone", f"{W}.instanse", "addons.mpi-operator"}


def test_faults_of_a_list_name_its_index() -> None:
    entries = [
        {"principal": "arn:aws:iam::111122223333:role/a", "policy": "view"},
        {"principal": "me", "policy": "root"},
    ]
    assert [where for where, *_ in faults({"access": entries})] == ["access[1].principal", "access[1].policy"]


EMPTY_LISTS = {"api": {"public": []}, "network": {"create": {"cidr": "10.0.0.0/16", "zones": []}}}


def test_what_is_empty_is_told_beside_what_is_faulty_elsewhere() -> None:
    """Each list by itself: another's items excuse nothing."""
    nothing = ("nothing is listed here", "give at least 1")
    assert faults({**EMPTY_LISTS, "kubernetes": 1.35, f"{W}.security-groups": ["x"]}) == [
        ("kubernetes", "1.35 is a number here", 'write it in quotes: "1.35"'),
        ("api.public", *nothing),
        ("network.create.zones", *nothing),
        (
            f"{W}.security-groups[0]",
            "'x' is not a security group id",
            "write sg- and 17 hexadecimal digits (or sg-fill-me-in until you have it)",
        ),
    ]


def test_a_list_of_faulty_items_is_not_too_short_as_well() -> None:
    """Its items are told, and nothing of the list."""
    assert [where for where, *_ in faults({"api": {"public": ["x"]}})] == ["api.public[0]"]
    zones = {"create": {"cidr": "10.0.0.0/16", "zones": ["us-west-2", "usw2-az1"]}}
    assert [where for where, *_ in faults({"network": zones})] == [f"network.create.zones[{at}]" for at in (0, 1)]
    within = [where for where, *_ in faults({"groups": {"My Group": {}}})]
    assert within == ["groups.My Group", *(f"groups.My Group.{key}" for key in ("for", "instance", "nodes"))]


def test_an_empty_value_is_said_once_and_as_what_it_is() -> None:
    """Not also as the wrong type of value."""
    assert [got for _, got, _ in faults({f"{W}.zone": None, f"{RESERVATION}.count": None})] == [
        "'zone' has no value",
        "'count' has no value",
    ]


def test_chart_values_are_free_even_of_nulls() -> None:
    assert faults({"addons.nvidia-device-plugin": {"values": {"affinity": None, "list": [None, {"a": None}]}}}) == []


def test_long_values_are_cut() -> None:
    ((_, got, _),) = faults({f"{W}.volume": "x" * 500})
    assert len(got) < 120
    assert got.startswith("'xxx")


@pytest.mark.parametrize(
    ("data", "where", "got"),
    [
        ({"observed": "now"}, "observed", "'now' stands where a time"),
        (
            {"reservations": {CR: {"instance_type": "p5"}}},
            f"reservations.{CR}.instance_type",
            "unknown key 'instance_type'",
        ),
        ({"reservations": {CR: {"state": "on"}}}, f"reservations.{CR}.state", "'on' is not a choice here"),
        (
            {"reservations": {CR: {"totalInstances": 1.5}}},
            f"reservations.{CR}.totalInstances",
            "'1.5' stands where a whole",
        ),
        ({"zones": {"us-west-2a": "us-west-2a"}}, "zones.us-west-2a", "'us-west-2a' is not a zone id"),
        ({"contract": 2}, "contract", "'2' is not a choice here"),
    ],
)
def test_facts_are_shaped_alike(data: dict[str, Any], where: str, got: str) -> None:
    made, found = validate(Facts, data)
    assert made is None
    assert [finding.where for _, finding in found] == [where]
    assert found[0][1].got.startswith(got)


def test_facts_of_nothing_are_facts() -> None:
    made, found = validate(Facts, {})
    assert (made, found) == (Facts(), [])


def test_a_fact_that_nobody_gave_may_be_written_as_null() -> None:
    """It is as one that is not there; in a description null is a fault."""
    made, found = validate(Facts, {"ebsEncryptionByDefault": None, "reservations": {CR: {"state": None}}})
    assert found == []
    assert made == Facts(reservations={CR: ReservationFacts()})


def test_facts_keep_what_aws_said() -> None:
    made, _ = validate(
        Facts, {"observed": "2026-11-21T09:00:00Z", "reservations": {CR: {"end": "2026-12-01T11:30:00Z"}}}
    )
    assert made is not None
    assert made.observed == datetime(2026, 11, 21, 9, tzinfo=UTC)
    assert made.reservations[CR].end == datetime(2026, 12, 1, 11, 30, tzinfo=UTC)
    assert made.reservations[CR].zone is None


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.text("abc-", min_size=1, max_size=4), below, max_size=3)
    ),
    max_leaves=8,
)
places = st.sampled_from(
    [
        "kubernetes",
        "groups",
        W,
        f"{W}.nodes",
        f"{W}.capacity",
        RESERVATION,
        f"{W}.volume",
        "network",
        "addons",
        "access",
        "api",
    ]
)


@given(anything, places)
def test_whatever_stands_there_is_a_fault_and_never_a_crash(value: Any, where: str) -> None:
    """And a fault is one line, with something found and something to do."""
    made, found = validate(EksCluster, a_document({where: value}))
    assert (made is None) == bool(found)
    for _, finding in found:
        assert finding.got
        assert finding.remedy
        assert "Input should" not in finding.got + finding.remedy


@given(anything)
def test_a_document_of_anything_is_a_fault_and_never_a_crash(value: Any) -> None:
    made, found = validate(EksCluster, value)
    assert made is None
    assert found
