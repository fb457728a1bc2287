"""A small cluster on AWS PCS, so that a test shows only what matters: up to four p5.48xlarge for training, in a network
that exists."""

from collections.abc import Mapping
from copy import deepcopy
from datetime import date
from typing import Any

from muster.blueprint.derive.cluster import derive
from muster.blueprint.pcs.cluster import PcsBlueprint
from muster.config.description.pcs_cluster import PcsCluster
from muster.config.validation import validate
from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from muster.policies.engine.described_fleet import described_fleet
from muster.versions import PCS_SLURM
from tests.factories import AS_OF, FREE, REGION, A, B, edited

DOCUMENT: Mapping[str, Any] = {
    "backend": "pcs",
    "size": "small",
    "slurm": {"version": PCS_SLURM[-1]},
    "image": "ami-0123456789abcdef0",
    "network": {"existing": {"vpc": "vpc-0123456789abcdef0", "private": {"us-west-2a": A, "us-west-2b": B}}},
    "queues": {
        "train": {
            "groups": {"workers": {"for": "training", "instance": "p5.48xlarge", "nodes": 4, "zone": "us-west-2a"}}
        }
    },
}


def a_pcs_document(edits: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The document, edited at dotted paths (`tests.factories.DROP` takes a key out)."""
    return edited(deepcopy(dict(DOCUMENT)), edits or {})


def a_pcs_description(edits: Mapping[str, Any] | None = None) -> PcsCluster:
    """The description, edited, as a typed object."""
    made, faults = validate(PcsCluster, a_pcs_document(edits))
    assert made is not None, faults
    return made


def a_pcs_blueprint(edits: Mapping[str, Any] | None = None, stack: str = "tested") -> PcsBlueprint:
    """What it comes to."""
    derived = derive(a_pcs_description(edits), stack, REGION)
    assert isinstance(derived, PcsBlueprint)
    return derived


def a_described_fleet(
    edits: Mapping[str, Any] | None = None, *, facts: Facts | None = FREE, as_of: date = AS_OF
) -> Fleet:
    """As rules see it."""
    return described_fleet(derive(a_pcs_description(edits), "test", REGION, facts), as_of)
