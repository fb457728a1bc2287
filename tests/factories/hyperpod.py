"""A small HyperPod cluster, so that a test shows only what matters: three ml.m5.2xlarge for the system, four
ml.p5.48xlarge for training, in a network that exists."""

from collections.abc import Mapping
from copy import deepcopy
from datetime import date
from typing import Any

from muster.blueprint.cluster import Blueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.validation import validate
from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from muster.policies.engine.described_fleet import described_fleet
from tests.factories import AS_OF, FREE, REGION, A, B, edited, facts

DOCUMENT: Mapping[str, Any] = {
    "backend": "hyperpod",
    "kubernetes": "1.35",
    "control-plane": "create",
    "api": "private",
    "network": {"existing": {"vpc": "vpc-0123456789abcdef0", "private": {"us-west-2a": A, "us-west-2b": B}}},
    "groups": {
        "system": {"for": "system", "instance": "m5.2xlarge", "nodes": 3, "hyperpod": {"threads-per-core": 2}},
        "workers": {
            "for": "training",
            "instance": "p5.48xlarge",
            "nodes": 4,
            "zone": "us-west-2a",
            "hyperpod": {"deep-health-checks": ["instance-stress", "instance-connectivity"]},
        },
    },
    "addons": {
        "hyperpod": {"repository": "oci://registry.example.com/charts"},
        "nvidia-device-plugin": {},
        "efa-device-plugin": {},
    },
}


def a_hyperpod_document(edits: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The document, edited at dotted paths (`tests.factories.DROP` takes a key out)."""
    return edited(deepcopy(dict(DOCUMENT)), edits or {})


def a_hyperpod_description(edits: Mapping[str, Any] | None = None) -> HyperPodCluster:
    """The description, edited, as a typed object."""
    made, faults = validate(HyperPodCluster, a_hyperpod_document(edits))
    assert made is not None, faults
    return made


def a_hyperpod_blueprint(edits: Mapping[str, Any] | None = None, stack: str = "tested") -> Blueprint:
    """What it comes to."""
    return derive(a_hyperpod_description(edits), stack, REGION)


def a_hyperpod_fleet(
    edits: Mapping[str, Any] | None = None, *, known: Facts | None = FREE, as_of: date = AS_OF
) -> Fleet:
    """As rules see it."""
    return described_fleet(derive(a_hyperpod_description(edits), "test", REGION, known), as_of)


_PLAN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/spring"


def on_a_training_plan(end: str) -> Fleet:
    """The workers on a training plan, of which SageMaker knows that it fits them, and its end."""
    target = {"zone": "us-west-2a", "totalInstances": 4, "targets": ["hyperpod-cluster"]}
    known = facts(trainingPlans={_PLAN: {"state": "Active", "instanceType": "ml.p5.48xlarge", "end": end, **target}})
    capacity = {"training-plan": {"arn": _PLAN, "zone": "us-west-2a", "count": 4}}
    return a_hyperpod_fleet({"groups.workers.capacity": capacity}, known=known)
