"""A small cluster on AWS PCS, so that a test shows only what matters: up to four p5.48xlarge for training, in a network
that exists."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from muster.versions import PCS_SLURM
from tests.factories import A, B, edited

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
