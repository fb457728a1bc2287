"""A small Slurm cluster on HyperPod, so that a test shows only what matters: four p5.48xlarge for training, in a
network that exists."""

from collections.abc import Mapping
from copy import deepcopy
from datetime import date
from typing import Any

from muster.blueprint.derive.cluster import derive
from muster.blueprint.hyperpod.slurm import HyperPodSlurmBlueprint
from muster.config.description.hyperpod_slurm_cluster import HyperPodSlurmCluster
from muster.config.validation import validate
from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from muster.policies.engine.described_fleet import described_fleet
from tests.factories import AS_OF, FREE, REGION, A, B, edited

DOCUMENT: Mapping[str, Any] = {
    "backend": "hyperpod-slurm",
    "network": {"existing": {"vpc": "vpc-0123456789abcdef0", "private": {"us-west-2a": A, "us-west-2b": B}}},
    "groups": {"workers": {"for": "training", "partition": "train", "instance": "p5.48xlarge", "nodes": 4}},
}


def a_hyperpod_slurm_document(edits: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The document, edited at dotted paths (`tests.factories.DROP` takes a key out)."""
    return edited(deepcopy(dict(DOCUMENT)), edits or {})


def a_hyperpod_slurm_description(edits: Mapping[str, Any] | None = None) -> HyperPodSlurmCluster:
    """The description, edited, as a typed object."""
    made, faults = validate(HyperPodSlurmCluster, a_hyperpod_slurm_document(edits))
    assert made is not None, faults
    return made


def a_hyperpod_slurm_blueprint(edits: Mapping[str, Any] | None = None, stack: str = "tested") -> HyperPodSlurmBlueprint:
    """What it comes to."""
    return derive(a_hyperpod_slurm_description(edits), stack, REGION)


def a_hyperpod_slurm_fleet(
    edits: Mapping[str, Any] | None = None, *, facts: Facts | None = FREE, as_of: date = AS_OF
) -> Fleet:
    """As rules see it."""
    return described_fleet(derive(a_hyperpod_slurm_description(edits), "test", REGION, facts), as_of)
