"""Clusters as AWS's package is asked of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from muster.blueprint.derive.cluster import derive
from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
from muster.config.description.slurm_cluster import SlurmCluster
from muster.config.stack_file import load
from muster.config.validation import validate
from muster.versions import PARALLELCLUSTER
from tests.strategies import Described

ROOT = Path(__file__).resolve().parents[2]
STACKS = tuple(sorted(file.stem.removeprefix("Pulumi.") for file in (ROOT / "stacks").glob("Pulumi.pcluster-*.yaml")))

SUBNET, CR, AMI = "subnet-0a1b2c3d4e5f60718", "cr-0a1b2c3d4e5f60718", "ami-0a1b2c3d4e5f60718"


def stack(name: str) -> ParallelClusterBlueprint:
    """One of ours."""
    made = load(name, ROOT / f"stacks/Pulumi.{name}.yaml", ROOT / f"stacks/facts/{name}.json").derive()
    assert isinstance(made, ParallelClusterBlueprint)
    return made


def derived(described: Described) -> ParallelClusterBlueprint:
    """Of a random description, with what stands around it."""
    made, faults = validate(SlurmCluster, described.document)
    assert made is not None, faults
    return derive(made, "stack", described.region, described.known, "facts.json")


def a_slurm_cluster(**more: Any) -> ParallelClusterBlueprint:
    """Four p4de.24xlarge with EFA in one queue of a network that exists, and what a test adds."""
    network = {"existing": {"vpc": "vpc-0a1b2c3d4e5f60718", "private": {"us-west-2a": SUBNET}}}
    said = {"backend": "parallelcluster", "version": PARALLELCLUSTER, "network": network, "queues": a_queue()} | {
        key.replace("_", "-"): value for key, value in more.items()
    }
    return derived(Described(said, "us-west-2"))


def a_queue(queue: Mapping[str, Any] | None = None, **group: Any) -> dict[str, Any]:
    """One queue with one group."""
    workers = {"for": "training", "instance": "p4de.24xlarge", "nodes": 4}
    said = {key.replace("_", "-"): value for key, value in group.items()}
    return {"gpu": {"groups": {"workers": workers | said}, **(queue or {})}}
