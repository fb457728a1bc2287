"""A backend that there is not, and keys of another backend: each is told once, with what is meant instead."""

import re
from typing import Any, get_type_hints

import pytest
from pydantic import BaseModel

from muster import backends
from muster.config.description import foreign_keys
from muster.config.description.capacity import Capacity, HyperPodCapacity, Reservation
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.description.instance_group import InstanceGroup
from muster.config.description.node_group import Group
from muster.config.description.root import model_of
from muster.config.description.slurm_cluster import SlurmCluster
from muster.config.description.slurm_nodes import ComputeResource, LoginPool, SlurmQueue
from muster.config.validation import validate
from tests.factories import DROP, a_document
from tests.hyperpod_factories import a_hyperpod_document
from tests.hyperpod_slurm_factories import a_hyperpod_slurm_document
from tests.pcs_factories import a_pcs_document
from tests.slurm_factories import TRAIN, WORKERS, a_slurm_document

W = "groups.workers"


def told(document: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Place -> what was found, and what to do."""
    made, found = validate(model_of(document), document)
    assert (made is None) == bool(found)
    assert len({finding.where for _, finding in found}) == len(found), "nothing is said twice"
    return {finding.where: (finding.got, finding.remedy) for _, finding in found}


def keys_of(model: type[BaseModel]) -> set[str]:
    return {info.alias or name for name, info in model.model_fields.items()}


def own(one: type[BaseModel], other: type[BaseModel]) -> list[str]:
    return sorted(keys_of(one) - keys_of(other))


def test_no_key_of_another_backend_is_merely_unknown() -> None:
    """It is told at its place, and what is quoted first there is the key itself."""
    for make, place in [
        *((a_document, key) for other in (HyperPodCluster, SlurmCluster) for key in own(other, EksCluster)),
        *((a_document, f"{W}.{key}") for other in (InstanceGroup, ComputeResource) for key in own(other, Group)),
        *((a_document, f"{W}.capacity.{key}") for key in own(HyperPodCapacity, Capacity)),
        *((a_hyperpod_document, key) for other in (EksCluster, SlurmCluster) for key in own(other, HyperPodCluster)),
        *(
            (a_hyperpod_document, f"{W}.{key}")
            for other in (Group, ComputeResource)
            for key in own(other, InstanceGroup)
        ),
        *((a_hyperpod_document, f"{W}.capacity.{key}") for key in own(Capacity, HyperPodCapacity)),
        *((a_slurm_document, key) for other in (EksCluster, HyperPodCluster) for key in own(other, SlurmCluster)),
        *(
            (a_slurm_document, f"{WORKERS}.{key}")
            for other in (Group, InstanceGroup)
            for key in own(other, ComputeResource)
        ),
        *((a_slurm_document, f"{WORKERS}.capacity.{key}") for key in own(HyperPodCapacity, Capacity)),
        *((a_slurm_document, f"{WORKERS}.nodes.{key}") for key in ("start", "scaled-by", "count", "minimum")),
    ]:
        edits: dict[str, Any] = {f"{place.partition('.capacity.')[0]}.capacity": {}} if ".capacity." in place else {}
        if ".nodes." in place:
            edits = {f"{WORKERS}.nodes": {"min": 0, "max": 4}}
        ((where, (got, _)),) = told(make({**edits, place: {}})).items()
        assert where == place
        assert "unknown key" not in got
        assert re.findall(r"'([\w-]+)'", got)[:1] in ([], [place.rpartition(".")[2]])


OF_PARALLELCLUSTER = {
    "": (
        *("AdditionalPackages", "AdditionalResources", "CustomS3Bucket", "DeploymentSettings", "DevSettings"),
        *("DirectoryService", "HeadNode", "Iam", "Image", "Imds", "LoginNodes", "Monitoring", "Region", "Scheduling"),
        *("SharedStorage", "Tags"),
        *("CustomActions", "SlurmQueues", "SlurmSettings"),  # a level deeper there
    ),
    "head.": (
        *("CustomActions", "Dcv", "DisableSimultaneousMultithreading", "Iam", "Image", "Imds", "InstanceType"),
        *("LocalStorage", "Networking", "SharedStorageEfsSettings", "SharedStorageType", "Ssh"),
        *("key-pair", "session", "volume", "image"),  # of a group on EKS
    ),
    "login-nodes.login.": (
        *("Count", "CustomActions", "Dcv", "GracetimePeriod", "Iam", "Image", "InstanceType", "Name", "Networking"),
        *("Ssh", "login", "root", "image"),  # of the head node, and of the cluster
    ),
    f"{TRAIN}.": (
        *("AllocationStrategy", "CapacityReservationTarget", "CapacityType", "ComputeResources", "ComputeSettings"),
        *("CustomActions", "CustomSlurmSettings", "HealthChecks", "Iam", "Image", "JobExclusiveAllocation", "Name"),
        *("Networking", "Tags"),
        *("zone", "instance", "nodes", "for", "capacity", "volume"),  # of its groups
    ),
    f"{WORKERS}.": (
        *("CapacityReservationTarget", "CustomSlurmSettings", "DisableSimultaneousMultithreading"),
        *("DynamicNodePriority", "Efa", "HealthChecks", "InstanceType", "Instances", "LaunchTemplateOverrides"),
        *("MaxCount", "MinCount", "Name", "Networking", "SchedulableMemory", "SpotPrice", "StaticNodePriority", "Tags"),
    ),
}
"""Where in a description -> all keys of the schema for it in aws-parallelcluster 3.16.1 (`cluster_schema.py`:
ClusterSchema, HeadNodeSchema, LoginNodesPoolSchema, SlurmQueueSchema, SlurmComputeResourceSchema), and what else people
write there."""


def test_parallelclusters_own_names() -> None:
    """Each is told where it stands, names itself, and says what to write or to remove."""
    for place in [f"{at}{key}" for at, keys in OF_PARALLELCLUSTER.items() for key in keys]:
        pool = {"login-nodes.login.instance": "m5.large"} if place.startswith("login-nodes.") else {}
        ((where, (got, remedy)),) = told(a_slurm_document({**pool, place: {}})).items()
        assert where == place
        assert got.startswith(f"'{place.rpartition('.')[2]}' is ")
        assert remedy.startswith(("write ", "remove it"))


def test_parallelclusters_names_are_keys_here() -> None:
    """What is named in quotes beside ParallelCluster's own name stands in a cluster's form, or in its head node's."""
    head = get_type_hints(SlurmCluster)["head"]
    known = {info.alias or name for form in (SlurmCluster, head) for name, info in form.model_fields.items()}
    for words in (foreign_keys.PCLUSTER_CLUSTER_KEYS, foreign_keys.PCLUSTER_HEAD_KEYS):
        for key, (got, *_) in words.items():
            assert set(re.findall(r"'([^'.]+)(?:\.[^']+)?'", got)) - {key, "aws:region"} <= known, got


@pytest.mark.parametrize(
    ("words", "known"),
    [
        (foreign_keys.PCLUSTER_LOGIN_KEYS, keys_of(LoginPool)),
        (foreign_keys.PCLUSTER_QUEUE_KEYS, keys_of(SlurmQueue) | keys_of(ComputeResource)),
        (foreign_keys.PCLUSTER_GROUP_KEYS, keys_of(ComputeResource)),
        (foreign_keys.PCLUSTER_RESERVATION_KEYS, keys_of(Reservation) | keys_of(Capacity)),
    ],
)
def test_keys_that_are_named_stand_there(words: dict[str, tuple[str, str]], known: set[str]) -> None:
    """In quotes beside ParallelCluster's own name: keys of the block, or of one beside or in it."""
    for got, *_ in words.values():
        assert re.fullmatch(r"'[\w-]+' is not a key here: .+", got), got
        named = re.findall(r"'([^']+)'", got.partition(" is ")[2])
        assert {*named} <= known, got


@pytest.mark.parametrize(
    ("word", "backend", "missing"),
    [("slurm", "parallelcluster", "queues"), ("SageMaker", "hyperpod", "groups"), ("kubernetes", "eks", "groups")],
)
def test_another_word_for_a_backend_is_read_as_that_backend(word: str, backend: str, missing: str) -> None:
    """The keys that are missing are that backend's."""
    found = told({"backend": word})
    assert found["backend"] == (
        f"'{word}' is not a valid value; did you mean '{backend}'?",
        "valid values: eks, hyperpod, hyperpod-slurm, parallelcluster, pcs",
    )
    got, remedy = found[missing]
    assert got == f"'{missing}' is missing"
    assert remedy.startswith(f"add it, for example {missing}: {{workers: ")


@pytest.mark.parametrize(
    ("value", "shown"), [(["eks"], "a list"), ({"eks": {}}, "a block of keys"), (True, "true"), (3, "3")]
)
def test_a_backend_that_is_no_text_is_told_every_choice(value: Any, shown: str) -> None:
    expected = (f"{shown} is not a valid value", "valid values: eks, hyperpod, hyperpod-slurm, parallelcluster, pcs")
    assert told({"backend": value})["backend"] == expected


PLACES = {
    "eks": (a_document, {f"{W}.capacity": "on-demand"}),
    "hyperpod": (a_hyperpod_document, {}),
    "parallelcluster": (a_slurm_document, {}),
    "pcs": (a_pcs_document, {}),
    "hyperpod-slurm": (a_hyperpod_slurm_document, {}),
}


@pytest.mark.parametrize("backend", PLACES)
def test_a_key_of_any_other_backend_is_never_merely_unknown(backend: str) -> None:
    """At the root of every description."""
    make, edits = PLACES[backend]
    own_record = backends.named(backend)
    for other in backends.every():
        for key in own(other.description.load(), own_record.description.load()):
            got, _ = told(make({**edits, key: {}}))[key]
            assert "unknown key" not in got


def test_a_key_of_several_backends_is_told_with_all_of_them() -> None:
    got, remedy = told(a_hyperpod_document({"queues": {}}))["queues"]
    assert "only to ParallelCluster or AWS PCS, but this cluster is on HyperPod" in got
    assert "backend: parallelcluster or pcs" in remedy
    got, _ = told(a_hyperpod_slurm_document({"slurm": {}}))["slurm"]
    assert "ParallelCluster or AWS PCS" in got


@pytest.mark.parametrize(
    ("make", "place", "value", "says"),
    [
        (a_document, f"{W}.reservation", {"id": "cr-1"}, "'reservation' belongs below 'capacity'"),
        (a_hyperpod_document, "task-governance", {}, "'task-governance' belongs below 'hyperpod'"),
        (a_document, "addons.nvidia-device-plugin", {"groups": ["workers"]}, "but of 'nvidia-dra-driver'"),
        (a_hyperpod_slurm_document, f"{W}.InstanceCount", 4, "its equivalent is 'nodes'"),
        (a_hyperpod_slurm_document, "controller.nodes", 2, "exactly one controller"),
        (a_slurm_document, f"{WORKERS}.tags", {}, "'Tags'|of the cluster"),
    ],
)
def test_a_key_of_another_place_is_told_with_its_place(make: Any, place: str, value: Any, says: str) -> None:
    ((_, (got, _)),) = told(make({place: value})).items()
    assert re.search(says, got)


@pytest.mark.parametrize(
    ("edits", "place", "value", "remedy"),
    [
        ({}, "addons.nvidia-device-plugin", {"groups": ["workers"]}, "remove it"),
        ({}, "addons.mpi-operator", {"queues": {}}, "remove it"),
        ({"addons.kueue": {}}, "addons.mpi-operator", {"queues": {}}, "write kueue: {queues: ...}"),
        ({}, f"{W}.capacity", {"spot": {"count": 4}}, "write reservation: {count: ...}"),
    ],
)
def test_a_key_of_another_addon_does_not_add_that_addon(edits: Any, place: str, value: Any, remedy: str) -> None:
    """Only a block that the document has is advised, or an alternative: a second driver would serve the same GPUs."""
    assert remedy in {each for _, each in told(a_document({**edits, place: value})).values()}


@pytest.mark.parametrize(
    ("make", "place", "nodes"),
    [
        (a_hyperpod_slurm_document, f"{W}.nodes", {"min": 2, "max": 4}),
        (a_slurm_document, f"{WORKERS}.nodes", {"count": 4, "minimum": 2}),
    ],
)
def test_the_numbers_of_another_backend_are_one_fault_for_each_key(make: Any, place: str, nodes: Any) -> None:
    """The key that is missing for it is not also reported."""
    assert set(told(make({place: nodes}))) == {f"{place}.{key}" for key in nodes}


@pytest.mark.parametrize(
    ("make", "key", "missing"),
    [
        (a_hyperpod_slurm_document, "queues", "groups"),
        (a_document, "queues", "groups"),
        (a_hyperpod_slurm_document, "head", "controller"),
        (a_slurm_document, "groups", "queues"),
        (a_pcs_document, "groups", "queues"),
        (a_pcs_document, "computeNodeGroups", "queues"),
        (a_hyperpod_slurm_document, f"{W}.InstanceCount", f"{W}.nodes"),
        (a_hyperpod_slurm_document, f"{W}.InstanceType", f"{W}.instance"),
    ],
)
def test_a_key_that_stands_for_another_is_the_only_fault(make: Any, key: str, missing: str) -> None:
    """The one that is missing for it is not also reported."""
    assert set(told(make({key: {}, missing: DROP}))) == {key}
