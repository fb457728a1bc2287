"""What a description may not be: every fault at once, each at its own place; and what is taken."""

import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from muster.config.description.eks_cluster import EksCluster
from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.finding import SCHEMA, Finding, Level
from muster.fleet.facts import Facts, ReservationFacts
from muster.hardware.catalogue import hardware
from muster.message_text import closest_match, show_value
from muster.stack.stack_file import load
from tests.description_faults import (
    BOTH,
    CPU,
    CR,
    CREATED,
    DATABASE,
    DAYS,
    DOCKER,
    GROUP_ARN,
    HELD,
    HP,
    JOINED,
    LUSTRE,
    MARKETS,
    OWN_SCRIPT,
    PYXIS,
    TRAIN,
    WORKERS,
    R,
    V,
    W,
    findings,
    rows,
)
from tests.factories import DROP, a_document
from tests.factories.hyperpod import a_hyperpod_document
from tests.factories.hyperpod_slurm import a_hyperpod_slurm_document
from tests.factories.parallelcluster import a_slurm_document
from tests.factories.pcs import a_pcs_document
from tests.hardware_types import CLUSTER_TYPES
from tests.stack_files import edited, text_of


def places(edits: dict[str, Any]) -> list[str]:
    """Where an edited description has faults."""
    return [finding.where for finding in findings(a_document(edits))]


def test_every_fault_is_told_once_in_lines_of_our_own() -> None:
    """What was found and what to do, each on one line; no place has two; pydantic's own messages are never shown."""
    for name, edits, found in rows():
        about = f"{name} {edits}"
        assert found, about
        assert len({finding.where for finding in found}) == len(found), about
        for each in found:
            assert (each.rule, each.level) == (SCHEMA, Level.MANDATORY), about
            for words in (each.got, each.remedy):
                assert words, about
                assert "\n" not in words and "Input should" not in words and len(words) < 400, about


TAKEN: dict[str, tuple[Any, list[dict[str, Any]]]] = {
    "eks": (
        a_document,
        [
            {f"{W}.instance": "p6e-gb200.36xlarge"},
            {"addons.nvidia-device-plugin": {"values": {"affinity": None, "list": [None, {"a": None}]}}},
            *(
                {V: volume}
                for volume in ({"size": "64TiB", "iops": 80000, "throughput": 2000}, {"size": "160GiB", "iops": 80000})
            ),
            *({V: volume} for volume in ({"throughput": 750}, {"size": "20GiB"})),
            *({"groups.system.nodes": number} for number in (1, 5000)),
            *(
                {"network": {"create": {"zones": [f"us-west-2{each}" for each in "abcdefg"[:zones]]}}}
                for zones in (2, 7)
            ),
            *({f"{W}.capacity": word} for word in ("on-demand", "spot", {"spot": {"interruptions-accepted": True}})),
            *({f"{W}.capacity": kind} for kind in MARKETS.values()),
            {f"{W}.capacity": {"reservation-group": {"arn": GROUP_ARN, **HELD}}},
            {f"{W}.capacity": {"capacity-block": {"buy": {"offering": "cb-0123456789abcdefg"}, **DAYS}}},
            {**JOINED, "network": CREATED, "control-plane": "create", "api": "private"},
            JOINED,
            *(
                {"secrets-key": f"arn:aws:kms:us-west-2:210987654321:key/{key}"}
                for key in ("01234567-89ab-cdef-0123-456789abcdef", f"mrk-{'0' * 32}")
            ),
            *(
                {"tags": {key: "x"}}
                for key in ("team", "example.com/team", "eksperiment", "mykubernetes.io/x", "karpenter.sh/discovery")
            ),
            {"tags": {"aws": "", "awsx:y": "", "team:aws:": "", "eks": "", "muster": "", "our eks:nodegroup-name": ""}},
            {f"{W}.labels": {"kubernetes.io": "x", "example.com/kubernetes.io": "x", "arch": "x"}},
            *(
                {"image-mirror": host}
                for host in ("localhost/mirror", "localhost:5000", "registry.example.org/teams/ml")
            ),
            *({"registry": {"repository": name}} for name in ("ab", "ml/training")),
            {
                "access": [
                    {"principal": "arn:aws:iam::210987654321:role/ada", "policy": each} for each in ("edit", "view")
                ]
            },
            {f"{W}.was": "system", "groups.system.was": "workers"},
            *({f"{W}.was": was} for was in ("workers", "old")),
            {"addons.volcano.queues": {"a": {"parent": "root"}}},
            {"addons.kueue.queues": {"a": {"share": 60}, "b": {"share": 40}}},
            {"addons.kueue.queues": {"a": {"share": 10, "nodes": {"workers": 0}}, "b": {"nodes": {"workers": 1}}}},
        ],
    ),
    "hyperpod": (
        a_hyperpod_document,
        [
            {f"{HP}.threads-per-core": 1},
            *({"hyperpod.mlflow": {"name": name}} for name in ("a", "A1", "team--a")),
            *(
                {f"{HP}.updates": {"schedule": schedule}}
                for schedule in (
                    "cron(0 3 ? * SUN *)",
                    "cron(30 22 15 * ? 2027)",
                    "cron(59 23 ? 12 2#1 2099)",
                    "cron(0 0 ? * L *)",
                )
            ),
        ],
    ),
    "parallelcluster": (
        a_slurm_document,
        [
            *({f"{WORKERS}.nodes": number} for number in (1, 5000)),
            {
                "queues": {
                    "train": {
                        "groups": {
                            f"g{n}": {**CPU, "capacity": each}
                            for n, each in enumerate(["on-demand", {"reservation": {"id": CR, **HELD}}])
                        }
                    }
                }
            },
            {"slurm.default-queue": "train"},
            {"queues.another": {"groups": {"cpus": CPU}}, "slurm.default-queue": "train"},
            *(
                {"head": head}
                for head in ({}, {"login": "ssm"}, {"login": {"key-pair": "ml"}, "ssh-from": "198.51.100.0/24"})
            ),
            {"slurm.settings": {"MaxJobCount": 20000, "JobCompType": "jobcomp/filetxt"}},
            {"accounting": DATABASE},
            {
                "queues": {f"q{n}": {"groups": {f"g{n}-{each}": CPU for each in range(25)}} for n in range(2)},
                "slurm.default-queue": "q0",
            },
            *({"head.instance": instance} for instance in ("m5.4xlarge", "m6i.4xlarge", "p6e-gb200.36xlarge")),
            {f"{WORKERS}.instance": "p6e-gb200.36xlarge"},
            {"storage.fsx": LUSTRE},
            {f"{WORKERS}.capacity": MARKETS["block"]},
            # The head node has Pyxis, or no node has it.
            {"post-install": PYXIS},
            {"post-install": BOTH, f"{TRAIN}.post-install": OWN_SCRIPT},
            {"head.post-install": PYXIS, f"{TRAIN}.post-install": PYXIS},
            {"post-install": PYXIS, "head.post-install": DOCKER, f"{TRAIN}.post-install": DOCKER},
            *({"os": os, "post-install": DOCKER} for os in ("alinux2023", "ubuntu2204", "ubuntu2404")),
        ],
    ),
}
"""Backend -> what makes its documents, and edits that are taken."""


@pytest.mark.parametrize("backend", TAKEN)
def test_what_is_taken(backend: str) -> None:
    """The other side of the faults: limits themselves, every kind of capacity, names that are nearly reserved."""
    make, every = TAKEN[backend]
    for edits in every:
        document = make({"image": "ami-0123456789abcdef0", **edits} if backend == "parallelcluster" else edits)
        assert findings(document) == [], edits


@pytest.mark.parametrize(
    ("stack", "change", "stands"),
    [
        (
            "p5-odcr",
            (
                "        volume: {size: 300GiB}\n",
                "        volume: {size: 300GiB}\n        image: {custom: {id: ami-1}}\n",
            ),
            "ami-1",
        ),
        ("p5-join-existing", ('    kubernetes: "1.35"\n', '    kubernetes: "1.35"\n    name: mine\n'), "mine"),
        ("g4dn-vpc", ("scaled-by: you", "scaled-by: karpenter"), "karpenter"),
        (
            "p5-odcr",
            ("    api: {public: [203.0.113.0/24]} # the network from which you deploy\n", ""),
            "muster:cluster:",
        ),
    ],
)
def test_a_fault_is_at_its_line_and_column(tmp_path: Path, stack: str, change: tuple[str, str], stands: str) -> None:
    """Of what is missing that is the key around it."""
    text = edited(text_of(stack), *change)
    file = tmp_path / f"Pulumi.{stack}.yaml"
    file.write_text(text, encoding="utf-8")
    (fault,) = load(stack, file, tmp_path / "none.json").faults
    line = text.splitlines()[fault.position.line - 1]
    assert line[fault.position.column - 1 :].startswith(stands)
    assert str(fault) == f"{file}:{fault.position.line}:{fault.position.column}"


@pytest.mark.parametrize(("key", "spaces"), [("addons", 2), ("addons", 0)])
def test_a_block_that_is_not_indented_enough_is_reported_at_its_own_line(tmp_path: Path, key: str, spaces: int) -> None:
    """YAML reads the last block of a file so, as a key beside `muster:cluster`."""
    text = edited(text_of("p5-odcr"), f"\n    {key}:", f"\n{' ' * spaces}{key}:")
    file = tmp_path / "Pulumi.p5-odcr.yaml"
    file.write_text(text, encoding="utf-8")
    (fault,) = load("p5-odcr", file, tmp_path / "none.json").faults
    assert text.splitlines()[fault.position.line - 1].strip().startswith(f"{key}:")


def test_all_faults_at_once_each_at_its_own_place() -> None:
    found = places({"kubernetes": 1.35, f"{W}.zone": "us-west-2", f"{W}.instanse": "p5", "addons.mpi-operator": None})
    assert set(found) == {"kubernetes", f"{W}.zone", f"{W}.instanse", "addons.mpi-operator"}


@pytest.mark.parametrize(
    ("edits", "at"),
    [
        ({"api": DROP, "apii": "private"}, ["apii"]),
        ({"control-plane": DROP, "api": DROP}, ["control-plane"]),
        ({**JOINED, "name": None}, ["name"]),
        ({V: {"iops": "many", "throughput": 2000}}, [f"{V}.iops"]),
        ({f"{W}.zone": None, f"{R}.count": None}, [f"{W}.zone", f"{R}.count"]),
        ({"api": {"public": ["x"]}}, ["api.public[0]"]),
        (
            {"network": {"create": {"zones": ["us-west-2", "usw2-az1"]}}},
            [f"network.create.zones[{at}]" for at in (0, 1)],
        ),
        (
            {"groups": {"My Group": {}}},
            ["groups.My Group", *(f"groups.My Group.{key}" for key in ("for", "instance", "nodes"))],
        ),
    ],
)
def test_what_follows_from_a_fault_is_not_told_beside_it(edits: dict[str, Any], at: list[str]) -> None:
    """A misspelt key is not missing as well, a list of faulty items is not too short as well."""
    assert places(edits) == at


def test_huge_pages_advised_are_taken() -> None:
    """Whole pages that leave pods some memory, also where the memory that is left is an odd number."""
    for instance in [each for each in CLUSTER_TYPES if hardware(each).max_pods is not None]:
        for make, group in ((a_document, "groups.system"), (a_hyperpod_document, W)):
            if make is a_hyperpod_document and not hardware(instance).hyperpod:
                continue
            edits = {f"{group}.instance": instance, f"{group}.hyperpod": DROP}
            (finding,) = findings(make({**edits, f"{group}.huge-pages": "9TiB"}))
            most = finding.remedy.rpartition(" ")[2]
            assert findings(make({**edits, f"{group}.huge-pages": most})) == [], instance


class Every(BaseModel):
    """A form with a key of every kind."""

    listed: list[str] = Field(default=[], max_length=2)
    day: date = date(2026, 11, 22)
    time: datetime = datetime(2026, 11, 22, tzinfo=UTC)
    number: int = Field(default=1, ge=1, le=3)
    word: str = Field(default="ab", min_length=2, max_length=4, pattern="^[a-z]*$")
    letter: str = Field(default="a", min_length=1)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("listed", "a", "'a' stands where a list belongs; write [a]"),
        ("listed", ["a", "b", "c"], "'listed' has 3 entries; keep at most 2"),
        ("day", "today", "'today' stands where a date belongs; write a date, in quotes, as in \"2026-12-31\""),
        (
            "time",
            "now",
            "'now' stands where a time belongs; write a time, in quotes, as in \"2026-11-21T09:00:00Z\"",
        ),
        ("number", 1.5, "1.5 stands where a whole number belongs; write a whole number"),
        ("number", 0, "0 is out of range; write at least 1"),
        ("number", 4, "4 is out of range; write at most 3"),
        ("word", "a", "'a' has 1 character; write at least 2"),
        ("letter", "", "'' has 0 characters; write at least 1"),
        ("word", "abcde", "'abcde' has 5 characters; write at most 4"),
        ("word", "ABC", "'ABC' has not the form ^[a-z]*$; write it in that form"),
    ],
)
def test_every_kind_of_fault_has_words_of_its_own(key: str, value: Any, words: str) -> None:
    """No kind of pydantic's is told in pydantic's words."""
    made, ((_, finding),) = validate(Every, {key: value})
    assert made is None
    assert (finding.where, f"{finding.got}; {finding.remedy}") == (key, words)


@pytest.mark.parametrize(
    "make", [a_document, a_hyperpod_document, a_slurm_document, a_pcs_document, a_hyperpod_slurm_document]
)
def test_the_example_of_a_missing_key_is_accepted(make: Any) -> None:
    """Each required key of a description and of its groups: followed, the advice leaves no fault of that key."""
    followed = 0
    for path in _keys(make()):
        document = make({path: DROP})
        advised = [each for _, each in validate(model_of(document), document)[1] if each.where == path]
        for remedy in [each.remedy for each in advised if each.remedy.startswith("add it, for example ")]:
            followed += 1
            example = yaml.safe_load(remedy.removeprefix("add it, for example "))
            ((key, value),) = example.items()
            assert key == path.rpartition(".")[2]
            assert "..." not in remedy or "existing" in remedy, remedy
            again = make({path: value})
            faults = [each.where for _, each in validate(model_of(again), again)[1]]
            assert not [where for where in faults if re.match(rf"{re.escape(path)}([.\[]|$)", where)], (remedy, faults)
    assert followed


def _keys(block: Any, at: str = "") -> list[str]:
    if not isinstance(block, dict):
        return []
    return [path for key, each in block.items() for path in (f"{at}{key}", *_keys(each, f"{at}{key}."))]


ARN_OF_CR = f"arn:aws:ec2:us-west-2:111122223333:capacity-reservation/{CR}"


@pytest.mark.parametrize(
    ("make", "place", "value", "remedy"),
    [
        (a_document, f"{W}.volume", {"size": 300}, "write the unit, as in 300MiB or 300GiB"),
        (a_document, f"{W}.taints", [{"key": "a"}], "write a map of names to values"),
        (a_document, f"{W}.capacity", {"reservation": ARN_OF_CR}, "valid keys: zone, "),
        (a_hyperpod_document, f"{W}.capacity", "training-plan", "write training-plan: {arn: ..., zone: us-west-2a, "),
        (a_document, f"{W}.volume", [1], "valid keys: size, throughput, iops"),
        (a_hyperpod_slurm_document, f"{W}.partition", ["a", "b"], "write text"),
        (a_document, "network", {"create": {"cidr": "10.0.0.0"}}, "write 10.0.0.0/16"),
    ],
)
def test_a_value_of_the_wrong_form_is_told_in_the_right_form(make: Any, place: str, value: Any, remedy: str) -> None:
    document = make({place: value})
    assert any(each.remedy.startswith(remedy) for _, each in validate(model_of(document), document)[1])


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
        ("none", "one", False),
        ("10", "1", False),
        ("p5-orcd", "p5-odcr", True),
        ("P5_ORCD", "p5-odcr", True),
        ("5p-orcd", "p5-odcr", False),
        ("p5-orcde", "p5-odcr", False),
    ],
)
def test_how_near_is_near(word: str, known: str, *, found: bool) -> None:
    """Three letters of four are, five of seven are not; swapped letters are, behind the same first letter; a word of
    four begins with its own letter, one of five need not; nothing is near to `none` or to a number."""
    assert closest_match(word, [known]) == (known if found else None)


def test_a_fact_that_nobody_gave_may_be_written_as_null() -> None:
    """It is as one that is not there; in a description null is a fault. Times are UTC's."""
    assert validate(Facts, {}) == (Facts(), [])
    said = {"reservations": {CR: {"state": None, "end": "2026-12-01T11:30:00Z"}}}
    made, found = validate(Facts, said)
    assert found == []
    assert made == Facts(reservations={CR: ReservationFacts(end=datetime(2026, 12, 1, 11, 30, tzinfo=UTC))})


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.text("abc-", min_size=1, max_size=4), below, max_size=3)
    ),
    max_leaves=8,
)
somewhere = st.sampled_from(
    [
        *("kubernetes", "groups", W, f"{W}.nodes", f"{W}.capacity", R, V, "network", "addons", "access", "api"),
    ]
)


@given(anything, somewhere)
def test_whatever_stands_there_is_a_fault_and_never_a_crash(value: Any, where: str) -> None:
    """And a fault is one line, with something found and something to do."""
    made, found = validate(EksCluster, a_document({where: value}))
    assert (made is None) == bool(found)
    assert all(isinstance(each, Finding) and each.got and each.remedy for _, each in found)


@given(anything)
def test_a_document_of_anything_is_a_fault_and_never_a_crash(value: Any) -> None:
    made, found = validate(EksCluster, value)
    assert made is None
    assert found


def test_a_long_value_keeps_its_own_quotes_only() -> None:
    assert show_value(10**80).endswith("000...")
    assert show_value("a" * 80).endswith("aaa...'")
