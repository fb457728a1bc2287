"""A small Slurm cluster on HyperPod, so that a test shows only what matters: four p5.48xlarge for training, in a
network that exists."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from tests.factories import A, B, edited

DOCUMENT: Mapping[str, Any] = {
    "backend": "hyperpod-slurm",
    "network": {"existing": {"vpc": "vpc-0123456789abcdef0", "private": {"us-west-2a": A, "us-west-2b": B}}},
    "groups": {"workers": {"for": "training", "partition": "train", "instance": "p5.48xlarge", "nodes": 4}},
}


def a_hyperpod_slurm_document(edits: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The document, edited at dotted paths (`tests.factories.DROP` takes a key out)."""
    return edited(deepcopy(dict(DOCUMENT)), edits or {})
