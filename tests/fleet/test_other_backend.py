"""A backend that there is not, and keys of the other backend: each is told once, with what is meant instead."""

from typing import Any

import pytest
from pydantic import BaseModel

from muster.fleet.description import EksCluster, HyperPodCluster, form_of
from muster.fleet.description.capacity import Capacity, HyperPodCapacity
from muster.fleet.description.group import Group
from muster.fleet.description.instance_group import InstanceGroup
from muster.fleet.shape import shape
from tests.factories import CR, DROP, a_document
from tests.hyperpod_factories import a_hyperpod_document

W = "groups.workers"
HELD = {"id": CR, "zone": "us-west-2a", "count": 1}
PLAN = {"arn": "arn:aws:sagemaker:us-west-2:210987654321:training-plan/p", "zone": "us-west-2a", "count": 1}


def told(document: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Place -> what was found, and what to do."""
    made, found = shape(form_of(document), document)
    assert (made is None) == bool(found)
    assert len({finding.where for _, finding in found}) == len(found), "nothing is said twice"
    return {finding.where: (finding.got, finding.remedy) for _, finding in found}


@pytest.mark.parametrize("make", [a_document, a_hyperpod_document])
@pytest.mark.parametrize(
    ("said", "words"),
    [
        (DROP, ("'backend' is missing", "write backend: eks or backend: hyperpod")),
        ("slurm", ("'slurm' is not a choice here", "choices: eks, hyperpod")),
        ("sagemaker", ("'sagemaker' is not a choice here", "choices: eks, hyperpod")),
    ],
)
def test_a_backend_that_there_is_not(make: Any, said: Any, words: tuple[str, str]) -> None:
    """All of them are named, and nothing is said of keys that one of them knows."""
    assert told(make({"backend": said})) == {"backend": words}


@pytest.mark.parametrize(
    ("make", "said", "meant"),
    [
        *((a_hyperpod_document, said, "hyperpod") for said in ("hyper-pod", "HyperPod", "hyperpood")),
        (a_document, "EKS", "eks"),
    ],
)
def test_a_backend_that_is_nearly_right(make: Any, said: str, meant: str) -> None:
    """It is offered, and the rest is read as its cluster's."""
    assert told(make({"backend": said})) == {
        "backend": (f"'{said}' is not a choice here; did you mean '{meant}'?", "choices: eks, hyperpod")
    }


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
        *((a_document, key) for key in own(HyperPodCluster, EksCluster)),
        *((a_document, f"{W}.{key}") for key in own(InstanceGroup, Group)),
        *((a_document, f"{W}.capacity.{key}") for key in own(HyperPodCapacity, Capacity)),
        *((a_hyperpod_document, key) for key in own(EksCluster, HyperPodCluster)),
        *((a_hyperpod_document, f"{W}.{key}") for key in own(Group, InstanceGroup)),
        *((a_hyperpod_document, f"{W}.capacity.{key}") for key in own(Capacity, HyperPodCapacity)),
    ],
)
def test_no_key_of_the_other_backend_is_merely_unknown(make: Any, place: str) -> None:
    edits: dict[str, Any] = {f"{W}.capacity": {}} if ".capacity." in place else {}
    ((where, (got, _)),) = told(make({**edits, place: {}})).items()
    assert where == place
    assert "unknown key" not in got


def test_a_wrong_block_is_no_place_for_keys() -> None:
    """Groups that are a list, a group that is a word: told as such, and nothing more."""
    assert set(told(a_hyperpod_document({"groups": ["workers"]}))) == {"groups"}
    assert set(told(a_hyperpod_document({W: "p5", "backend": "slurm"}))) == {W, "backend"}
