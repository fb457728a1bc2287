"""What a description may not be: every fault at once, each at its own place; and what is taken."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.finding import SCHEMA, Level
from muster.fleet.facts import Facts, ReservationFacts
from muster.hardware.catalogue import hardware
from muster.message_text import closest_match
from muster.stack.stack_file import load
from tests.description_faults import BOTH, DATABASE, DOCKER, OWN_SCRIPT, PYXIS, TRAIN, WORKERS, findings, rows
from tests.eks_description_faults import CPU, CREATED, DAYS, JOINED, V, W
from tests.factories import CR, DROP, a_document
from tests.factories.hyperpod import a_hyperpod_document
from tests.factories.hyperpod_slurm import a_hyperpod_slurm_document
from tests.factories.parallelcluster import a_slurm_document
from tests.factories.pcs import a_pcs_document
from tests.hardware_types import CLUSTER_TYPES
from tests.stack_files import edited, text_of


def test_every_fault_is_told_once_in_lines_of_our_own() -> None:
    """What was found and what to do, each on one line; no place has two; pydantic's own messages are never shown."""
    for name, edits, found in rows():
        about = f"{name} {edits}"
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
            {"addons.nvidia-device-plugin": {"values": {"affinity": None, "list": [None, {"a": None}]}}},
            *({V: {"size": size, "iops": 80000}} for size in ("64TiB", "160GiB")),
            *({f"{W}.nodes": number} for number in (1, 5000)),
            *(
                {"network": {"create": {"zones": [f"us-west-2{each}" for each in "abcdefg"[:zones]]}}}
                for zones in (2, 7)
            ),
            {f"{W}.capacity": {"capacity-block": {"buy": {"offering": "cb-0123456789abcdefg"}, **DAYS}}},
            {**JOINED, "network": CREATED, "control-plane": "create", "api": "private"},
            {"secrets-key": f"arn:aws:kms:us-west-2:210987654321:key/mrk-{'0' * 32}"},
            {
                "tags": dict.fromkeys(
                    ("example.com/team", "eksperiment", "mykubernetes.io/x", "karpenter.sh/discovery"), ""
                )
            },
            {"tags": dict.fromkeys(("aws", "awsx:y", "team:aws:", "eks", "muster", "our eks:nodegroup-name"), "")},
            {f"{W}.labels": {"kubernetes.io": "x", "example.com/kubernetes.io": "x", "arch": "x"}},
            *({"image-mirror": host} for host in ("localhost/mirror", "localhost:5000")),
            {f"{W}.was": "system", "groups.system.was": "workers"},
            {f"{W}.was": "workers"},
            {"addons.volcano.queues": {"a": {"parent": "root"}}},
            {"addons.kueue.queues": {"a": {"share": 60}, "b": {"share": 40}}},
            {"addons.kueue.queues": {"a": {"share": 10, "nodes": {"workers": 0}}, "b": {"nodes": {"workers": 1}}}},
        ],
    ),
    "hyperpod": (a_hyperpod_document, [{"hyperpod.mlflow": {"name": name}} for name in ("a", "team--a")]),
    "parallelcluster": (
        a_slurm_document,
        [
            *({f"{WORKERS}.nodes": number} for number in (1, 5000)),
            {"queues.another": {"groups": {"cpus": CPU}}, "slurm.default-queue": "train"},
            *({"head": head} for head in ({}, {"login": "ssm"})),
            {"slurm.settings": {"MaxJobCount": 20000, "JobCompType": "jobcomp/filetxt"}},
            {"accounting": DATABASE},
            # The head node has Pyxis, or no node has it.
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
        ("p5-odcr", ("volume: {size: 300GiB}", "image: {custom: {id: ami-1}}"), "ami-1"),
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


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("instanse", "instance", True),
        ("P5_ORCD", "p5-odcr", True),
        ("5p-orcd", "p5-odcr", False),
        ("abcd", "abce", True),
        ("abcdefg", "abcdexy", False),
        ("bear", "near", False),
        ("brack", "track", True),
        ("gear", "gera", True),
        ("eg", "ge", False),
        ("none", "one", False),
        ("10", "1", False),
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
