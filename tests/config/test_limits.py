"""Limits that a description's values have: what is on one is taken, and what is one beyond it is told."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from botocore.loaders import Loader

from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.size import Size
from tests.factories import a_document
from tests.factories.hyperpod import a_hyperpod_document
from tests.factories.parallelcluster import TRAIN, a_slurm_document

Make = Callable[[Mapping[str, Any]], dict[str, Any]]
W = "groups.workers"


def told(document: dict[str, Any]) -> list[tuple[str, str]]:
    """What was found, and what to do."""
    return [(finding.got, finding.remedy) for _, finding in validate(model_of(document), document)[1]]


SIZES: tuple[tuple[Make, str, str, int, int], ...] = (
    (a_document, f"{W}.volume.size", "a root volume", 20, 65536),
    (a_hyperpod_document, f"{W}.hyperpod.volume.size", "a volume of HyperPod", 1, 16384),
    (a_slurm_document, "head.root", "a root volume", 40, 16384),
    (a_slurm_document, "head.apps", "a volume", 6, 16384),
    (a_slurm_document, f"{TRAIN}.root", "a root volume", 40, 16384),
)
"""The key, what it is, and the smallest and the largest of it in GiB."""


@pytest.mark.parametrize(("make", "key", "what", "smallest", "largest"), SIZES, ids=[key for _, key, *_ in SIZES])
def test_a_volume_has_a_size_that_aws_takes(make: Make, key: str, what: str, smallest: int, largest: int) -> None:
    """From the smallest to the largest, and no GiB fewer or more; which those are is said."""
    for gib in (smallest, largest):
        assert told(make({key: f"{gib}GiB"})) == [], gib
    words = f"write {Size(smallest * 1024)} to {Size(largest * 1024)}"
    for gib in (smallest - 1, largest + 1):
        assert told(make({key: f"{gib}GiB"})) == [(f"{what} cannot be {Size(gib * 1024)}", words)]


def named(at: str, below: Mapping[str, Any]) -> Callable[[str], dict[str, Any]]:
    """What makes edits out of a name: a block of that name."""
    return lambda name: {at: {name: below}}


def said(key: str) -> Callable[[str], dict[str, Any]]:
    """Likewise: a value."""
    return lambda value: {key: value}


CPU = {"for": "system", "instance": "m5.2xlarge", "nodes": 1}
LUSTRE = {"lustre": {"size": "4800GiB", "throughput": 250}}
CHART = {"repository": "https://charts.example.com", "chart": "one", "version": "1.0.0", "namespace": "ours"}
DATABASE = {
    "server": "slurm.example.internal",
    "user": "slurm",
    "password-secret": "arn:aws:secretsmanager:us-west-2:210987654321:secret:slurm-Ab12Cd",
}

LENGTHS: tuple[tuple[str, Make, Callable[[str], dict[str, Any]], int], ...] = (
    ("a cluster", a_document, said("name"), 40),
    ("a cluster on HyperPod", a_hyperpod_document, said("name"), 40),
    ("a cluster on ParallelCluster", a_slurm_document, said("name"), 60),
    ("a cluster with accounting", a_slurm_document, lambda name: {"name": name, "accounting": DATABASE}, 40),
    ("a group", a_document, lambda name: {f"groups.{name}": CPU}, 36),
    ("an instance group", a_hyperpod_document, lambda name: {f"groups.{name}": CPU}, 36),
    ("a queue", a_slurm_document, lambda name: {"queues": {name: {"groups": {"cpus": CPU}}}}, 25),
    ("a compute resource", a_slurm_document, named(f"{TRAIN}.groups", CPU), 25),
    ("a file system", a_document, named("storage", LUSTRE), 36),
    ("a file system of Slurm", a_slurm_document, named("storage", LUSTRE), 30),
    ("a release", a_document, named("addons.charts", CHART), 53),
    ("a namespace", a_document, lambda name: {"addons.charts": {"one": {**CHART, "namespace": name}}}, 63),
    (
        "a queue of Kueue",
        a_document,
        lambda name: {"addons.kueue": {"queues": {name: {"namespace": "ours", "share": 50}}}},
        63,
    ),
    ("a label's value", a_document, lambda value: {f"{W}.labels": {"team": value}}, 63),
    ("a label's name", a_document, lambda name: {f"{W}.labels": {name: "ours"}}, 63),
    ("a label's prefix", a_document, lambda name: {f"{W}.labels": {f"{name}/team": "ours"}}, 58),
    ("a taint's key", a_document, lambda name: {f"{W}.taints": {name: "NoSchedule"}}, 63),
    ("a tag's key", a_document, lambda key: {"tags": {key: "ours"}}, 128),
    ("a tag's value", a_document, lambda value: {"tags": {"team": value}}, 256),
    ("a registry's repository", a_document, said("registry.repository"), 256),
    ("a tracking server", a_hyperpod_document, said("hyperpod.mlflow.name"), 256),
    ("a service account", a_hyperpod_document, said("hyperpod.mlflow.pods.service-account"), 253),
    (
        "a key pair",
        a_slurm_document,
        lambda name: {"head": {"login": {"key-pair": name}, "ssh-from": "203.0.113.0/24"}},
        255,
    ),
    ("a user of accounting", a_slurm_document, lambda name: {"accounting": {**DATABASE, "user": name}}, 32),
    ("a database of accounting", a_slurm_document, lambda name: {"accounting": {**DATABASE, "database": name}}, 64),
)
"""What it is, and how many letters its name has at most."""


def test_a_name_is_no_longer_than_what_has_it_takes() -> None:
    """The longest is taken, and one letter more is told once."""
    for what, make, edits, most in LENGTHS:
        assert told(make(edits("n" * most))) == [], what
        assert len(told(make(edits("n" * (most + 1))))) == 1, what


MAY_BE_EMPTY = {"a tag's value"}
"""AWS takes it."""
OF_TWO_LETTERS = {"a registry's repository"}
"""ECR's `RepositoryName` is no shorter; all else may have one letter."""


def test_a_name_is_no_shorter_than_what_has_it_takes() -> None:
    """The shortest is taken, and one letter fewer is told once."""
    for what, make, edits, _ in LENGTHS:
        least = 0 if what in MAY_BE_EMPTY else 2 if what in OF_TWO_LETTERS else 1
        for letters in range(3):
            assert len(told(make(edits("n" * letters)))) == (letters < least), (what, letters)


def test_a_group_of_hyperpod_has_as_many_instances_as_sagemaker_takes() -> None:
    """Its model states how many that is."""
    most = Loader().load_service_model("sagemaker", "service-2")["shapes"]["ClusterInstanceCount"]["max"]
    for nodes in (most, {"count": most, "minimum": most}):
        assert told(a_hyperpod_document({f"{W}.nodes": nodes})) == []
    for nodes in (most + 1, {"count": most + 1, "minimum": 1}, {"count": most, "minimum": most + 1}):
        assert told(a_hyperpod_document({f"{W}.nodes": nodes})) != []


def test_a_cluster_of_parallelcluster_has_fifty_groups() -> None:
    """In all its queues together."""
    for each_has, faults in ((25, 0), (26, 1)):
        queues = {f"q{n}": {"groups": {f"g{n}-{k}": CPU for k in range(each_has)}} for n in range(2)}
        assert len(told(a_slurm_document({"queues": queues, "slurm.default-queue": "q0"}))) == faults
