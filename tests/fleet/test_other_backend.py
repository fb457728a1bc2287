"""A backend that there is not, and keys of another backend: each is told once, with what is meant instead."""

import re
from typing import Any, get_type_hints

import pytest
from pydantic import BaseModel

from muster.config.description import foreign_keys
from muster.config.description.capacity import Capacity, HyperPodCapacity, Reservation
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.description.instance_group import InstanceGroup
from muster.config.description.node_group import Group
from muster.config.description.root import model_of
from muster.config.description.slurm_cluster import SlurmCluster
from muster.config.description.slurm_nodes import ComputeResource, SlurmQueue
from muster.config.validation import validate
from tests.factories import CR, DROP, a_document
from tests.hyperpod_factories import a_hyperpod_document
from tests.slurm_factories import TRAIN, WORKERS, a_slurm_document

W = "groups.workers"
BACKENDS = "eks, hyperpod, parallelcluster"
HELD = {"id": CR, "zone": "us-west-2a", "count": 1}
PLAN = {"arn": "arn:aws:sagemaker:us-west-2:210987654321:training-plan/p", "zone": "us-west-2a", "count": 1}


def told(document: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Place -> what was found, and what to do."""
    made, found = validate(model_of(document), document)
    assert (made is None) == bool(found)
    assert len({finding.where for _, finding in found}) == len(found), "nothing is said twice"
    return {finding.where: (finding.got, finding.remedy) for _, finding in found}


@pytest.mark.parametrize("make", [a_document, a_hyperpod_document, a_slurm_document])
@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            DROP,
            ("'backend' is missing", "write backend: eks, backend: hyperpod or backend: parallelcluster"),
        ),
        ("nomad", ("'nomad' is not a choice here", f"choices: {BACKENDS}")),
        ("slurm", ("'slurm' is not a choice here; did you mean 'parallelcluster'?", f"choices: {BACKENDS}")),
        ("kubernetes", ("'kubernetes' is not a choice here; did you mean 'eks'?", f"choices: {BACKENDS}")),
        ("pcluster", ("'pcluster' is not a choice here; did you mean 'parallelcluster'?", f"choices: {BACKENDS}")),
        ("SageMaker", ("'SageMaker' is not a choice here; did you mean 'hyperpod'?", f"choices: {BACKENDS}")),
    ],
)
def test_a_backend_that_there_is_not(make: Any, said: Any, words: tuple[str, str]) -> None:
    """All of them are named, and nothing is said of keys that one of them knows."""
    assert told(make({"backend": said})) == {"backend": words}


@pytest.mark.parametrize(
    ("make", "said", "meant"),
    [
        (a_slurm_document, "AWS-ParallelCluster", "parallelcluster"),
        *((a_hyperpod_document, said, "hyperpod") for said in ("hyper-pod", "HyperPod", "hyperpood")),
        (a_document, "EKS", "eks"),
        *((a_slurm_document, said, "parallelcluster") for said in ("parallel-cluster", "ParallelCluster")),
    ],
)
def test_a_backend_that_is_nearly_right(make: Any, said: str, meant: str) -> None:
    """It is offered, and the rest is read as its cluster's."""
    assert told(make({"backend": said})) == {
        "backend": (f"'{said}' is not a choice here; did you mean '{meant}'?", f"choices: {BACKENDS}")
    }


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ({}, EksCluster),
        ({"groups": {"w": {"instance": "p5.48xlarge"}}}, EksCluster),
        ({"hyperpod": {}}, HyperPodCluster),
        ({"groups": {"w": {"hyperpod": {}}, "v": 1}}, HyperPodCluster),
        *(({key: {}, "groups": {"w": {"hyperpod": {}}}}, SlurmCluster) for key in ("queues", "head", "slurm")),
        ({"post-install": {}}, SlurmCluster),
    ],
)
def test_a_cluster_without_backend_is_read_as_what_its_keys_are_of(said: dict[str, Any], form: type) -> None:
    """So that what else is wrong in it is told by the form that is meant."""
    assert model_of(said) is form


def test_a_misspelt_backend_is_told_once() -> None:
    """Nor is it missing as well."""
    assert set(told(a_hyperpod_document({"backend": DROP, "backnd": "hyperpod"}))) == {"backnd"}


@pytest.mark.parametrize(
    ("key", "said", "words"),
    [
        (
            "image",
            "al2023",
            ("'image' is 'hyperpod.image' here", "write hyperpod: {image: {release: ...}} or {image: {id: ...}}"),
        ),
        (
            "volume",
            {"size": "500GiB"},
            ("'volume' is 'hyperpod.volume' here", "write hyperpod: {volume: {size: ...}}"),
        ),
        (
            "node-repair",
            True,
            (
                "HyperPod mends the nodes of all groups alike",
                "write node-recovery below the cluster's hyperpod:, and remove it here",
            ),
        ),
        ("self-managed", True, ("SageMaker runs HyperPod's instances, nobody else can", "remove it")),
    ],
)
def test_a_key_of_eks_on_hyperpod(key: str, said: Any, words: tuple[str, str]) -> None:
    assert told(a_hyperpod_document({f"{W}.{key}": said})) == {f"{W}.{key}": words}


@pytest.mark.parametrize("kind", ["reservation", "capacity-block"])
def test_capacity_of_ec2_on_hyperpod(kind: str) -> None:
    """A plan is what it has in their place."""
    assert told(a_hyperpod_document({f"{W}.capacity": {kind: HELD}})) == {
        f"{W}.capacity.{kind}": (
            "HyperPod takes no reservation or Capacity Block of EC2",
            "write training-plan: {arn: ..., zone: ..., count: ...}, or leave capacity out",
        )
    }


def test_keys_of_hyperpod_on_eks() -> None:
    """Every place of them, beside what else is wrong."""
    document = a_document(
        {
            "hyperpod": {"node-recovery": "automatic"},
            f"{W}.hyperpod": {},
            f"{W}.capacity": {"training-plan": PLAN},
            f"{W}.zone": "us-west-2",
        }
    )
    found = told(document)
    assert found.pop(f"{W}.zone")[0] == "'us-west-2' is a Region"
    words = ("'hyperpod' is for a cluster on HyperPod, and this one is on EKS", "write backend: hyperpod, or remove it")
    assert found == {
        "hyperpod": words,
        f"{W}.hyperpod": words,
        f"{W}.capacity.training-plan": (
            "EKS's groups take no training plan: it is for HyperPod",
            "write reservation or capacity-block, or backend: hyperpod",
        ),
    }


def keys_of(model: type[BaseModel]) -> set[str]:
    return {info.alias or name for name, info in model.model_fields.items()}


def own(one: type[BaseModel], other: type[BaseModel]) -> list[str]:
    return sorted(keys_of(one) - keys_of(other))


@pytest.mark.parametrize(
    ("make", "place"),
    [
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
    ],
)
def test_no_key_of_another_backend_is_merely_unknown(make: Any, place: str) -> None:
    """It is told at its place, and what is quoted first there is the key itself."""
    edits: dict[str, Any] = {f"{place.partition('.capacity.')[0]}.capacity": {}} if ".capacity." in place else {}
    if ".nodes." in place:
        edits = {f"{WORKERS}.nodes": {"min": 0, "max": 4}}
    ((where, (got, _)),) = told(make({**edits, place: {}})).items()
    assert where == place
    assert "unknown key" not in got
    assert re.findall(r"'([\w-]+)'", got)[:1] in ([], [place.rpartition(".")[2]])


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("kubernetes", ("'kubernetes' is a version, and Slurm has no Kubernetes", "remove it, or write backend: eks")),
        ("groups", ("groups are in queues here", "write queues: {QUEUE: {groups: {NAME: ...}}}")),
        (
            "addons",
            (
                "add-ons are for Kubernetes",
                "write post-install: {install: [docker, pyxis]} or {scripts: [...]}, or bring them in an image",
            ),
        ),
        (f"{WORKERS}.labels", ("Slurm has no labels: jobs choose a queue", "put the nodes into a queue of their own")),
    ],
)
def test_a_key_of_kubernetes_with_slurm(key: str, words: tuple[str, str]) -> None:
    assert told(a_slurm_document({key: {}})) == {key: words}


def test_keys_of_slurm_with_kubernetes() -> None:
    """Where they would stand there, or that they are of the other backend."""
    found = told(a_document({"queues": {}, "version": "3.16.1", "image": "ami-0123456789abcdef0", f"{W}.efa": True}))
    said = "is for a cluster with Slurm on ParallelCluster, and this one is on EKS"
    assert found == {
        "queues": (f"'queues' {said}", "write groups: {NAME: ...}, or backend: parallelcluster"),
        "version": (f"'version' {said}", "write kubernetes: for Kubernetes' version, or backend: parallelcluster"),
        "image": (f"'image' {said}", "write it in a group, or backend: parallelcluster"),
        f"{W}.efa": ("'efa' is 'interfaces' here", "write interfaces: aws or plain, or leave it out"),
    }


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
ClusterSchema, HeadNodeSchema, SlurmQueueSchema, SlurmComputeResourceSchema), and what else people write there."""


@pytest.mark.parametrize("place", [f"{at}{key}" for at, keys in OF_PARALLELCLUSTER.items() for key in keys])
def test_parallelclusters_own_names(place: str) -> None:
    """Each is told where it stands, names itself, and says what to write or to remove."""
    ((where, (got, remedy)),) = told(a_slurm_document({place: {}})).items()
    assert where == place
    assert got.startswith(f"'{place.rpartition('.')[2]}' is ")
    assert remedy.startswith(("write ", "remove it"))


def test_parallelclusters_names_are_keys_here() -> None:
    """What is named in quotes beside ParallelCluster's own name stands in a cluster's form, or in its head node's."""
    head = get_type_hints(SlurmCluster)["head"]
    known = {info.alias or name for form in (SlurmCluster, head) for name, info in form.model_fields.items()}
    for words in (foreign_keys.PCLUSTER_CLUSTER_KEYS, foreign_keys.PCLUSTER_HEAD_KEYS):
        for key, (got, _) in words.items():
            assert set(re.findall(r"'([^'.]+)(?:\.[^']+)?'", got)) - {key, "aws:region"} <= known, got


RESERVATION = {"id": "cr-0123456789abcdef0", "zone": "us-west-2a", "count": 4, "provided-by": "aws"}
BLOCK = {"id": RESERVATION["id"], "zone": "us-west-2a", "count": 4, "starts": "2026-12-01", "ends": "2026-12-15"}
GROUP_OF_THEM = "write capacity: {reservation-group: {arn: ..., zone: ..., count: ..., provided-by: ...}}"


@pytest.mark.parametrize(
    ("capacity", "key", "words"),
    [
        (
            {"reservation": {**RESERVATION, "group": "arn:aws:resource-groups:us-west-2:111122223333:group/held"}},
            "reservation.group",
            ("'group' is 'reservation-group' here", GROUP_OF_THEM),
        ),
        (
            {"reservation": {**RESERVATION, "arn": "arn:aws:resource-groups:us-west-2:111122223333:group/held"}},
            "reservation.arn",
            ("'arn' is that of a 'reservation-group' here", GROUP_OF_THEM),
        ),
        (
            {"reservation": {**RESERVATION, "CapacityReservationId": RESERVATION["id"]}},
            "reservation.CapacityReservationId",
            ("'CapacityReservationId' is 'id' here", "write id: cr-..."),
        ),
        *(
            (
                {"capacity-block": {**BLOCK, "active": active}},
                "capacity-block.active",
                (
                    "'active' is not said here: ParallelCluster holds the nodes back until the block begins by itself",
                    "remove it",
                ),
            )
            for active in (True, False)
        ),
    ],
)
def test_capacity_that_is_said_otherwise_with_slurm(capacity: dict[str, Any], key: str, words: tuple[str, str]) -> None:
    """A group of reservations stands in a block of its own, and nobody says when a block has begun."""
    assert told(a_slurm_document({f"{WORKERS}.capacity": capacity})) == {f"{WORKERS}.capacity.{key}": words}
    assert told(a_slurm_document({f"{WORKERS}.capacity": {"capacity-block": BLOCK}})) == {}


def test_a_configuration_of_parallelcluster_is_told_as_a_whole() -> None:
    """Whoever pastes one reads where each block goes, and what is missing."""
    found = told(
        {
            "backend": "parallelcluster",
            "Region": "us-west-2",
            "Image": {"Os": "alinux2"},
            "HeadNode": {"InstanceType": "m5.8xlarge"},
            "Scheduling": {"Scheduler": "slurm"},
            "SharedStorage": [],
        }
    )
    assert set(found) == {"Region", "Image", "HeadNode", "Scheduling", "SharedStorage", "version", "network", "queues"}
    assert found["HeadNode"] == ("'HeadNode' is 'head' here", "write head: {instance: ..., login: ...}")


def test_a_wrong_block_is_no_place_for_keys() -> None:
    """Groups that are a list, a group that is a word: told as such, and nothing more."""
    assert set(told(a_hyperpod_document({"groups": ["workers"]}))) == {"groups"}
    assert set(told(a_hyperpod_document({W: "p5", "backend": "nomad"}))) == {W, "backend"}
    assert set(told(a_slurm_document({"queues": ["train"], "head": "m5"}))) == {"queues", "head"}


@pytest.mark.parametrize(
    ("words", "known"),
    [
        (foreign_keys.PCLUSTER_QUEUE_KEYS, keys_of(SlurmQueue) | keys_of(ComputeResource)),
        (foreign_keys.PCLUSTER_GROUP_KEYS, keys_of(ComputeResource)),
        (foreign_keys.PCLUSTER_RESERVATION_KEYS, keys_of(Reservation) | keys_of(Capacity)),
    ],
)
def test_keys_that_are_named_stand_there(words: dict[str, tuple[str, str]], known: set[str]) -> None:
    """In quotes beside ParallelCluster's own name: keys of the block, or of one beside or in it."""
    for got, _ in words.values():
        assert re.fullmatch(r"'[\w-]+' is (not said here: .+|[a-z'].*[a-z'] here)", got), got
        named = re.findall(r"'([^']+)'", got.partition(" is ")[2])
        assert {*named} <= known, got
