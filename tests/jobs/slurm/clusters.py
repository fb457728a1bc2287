"""Clusters with Slurm to size batch scripts for: one queue with one training group, changed where a test says so."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.validation import validate
from muster.hardware.catalogue import Accelerator, hardware
from muster.versions import PARALLELCLUSTER
from tests.factories import REGION, A, B
from tests.hardware_types import CLUSTER_TYPES
from tests.strategies import Described

FSX: Mapping[str, Any] = {"fsx": {"lustre": {"size": "4800GiB", "throughput": 250}}}

PYXIS: Mapping[str, Any] = {"install": ["docker", "pyxis"]}


def a_group(**said: Any) -> dict[str, Any]:
    """Workers: four p4de.24xlarge, but for what is said."""
    return {"for": "training", "instance": "p4de.24xlarge", "nodes": 4, **said}


def a_queue(groups: Mapping[str, Any] | None = None, **said: Any) -> dict[str, Any]:
    """A queue; without groups of a test's own, of the workers."""
    return {"groups": dict(groups or {"distributed-ml": a_group()}), **said}


def a_slurm_cluster(
    queues: Mapping[str, Any] | None = None, stack: str = "tested", **said: Any
) -> ParallelClusterBlueprint:
    """A cluster of these queues, with a file system and AWS's Pyxis, but for what is said (`_` for `-`); of several
    queues the first is the default."""
    document: dict[str, Any] = {
        "backend": "parallelcluster",
        "version": PARALLELCLUSTER,
        "network": {"existing": {"vpc": "vpc-0123456789abcdef0", "private": {"us-west-2a": A, "us-west-2b": B}}},
        "queues": dict(queues or {"compute-gpu": a_queue()}),
        "storage": FSX,
        "post-install": PYXIS,
        **{key.replace("_", "-"): value for key, value in said.items()},
    }
    if queues and len(queues) > 1:
        document["slurm"] = {"default-queue": next(iter(queues)), **document.get("slurm", {})}
    kept = {key: value for key, value in document.items() if value is not None}
    made, faults = validate(SlurmCluster, kept)
    assert made is not None, faults
    return derive(made, stack, REGION)


def of(instance: str, **said: Any) -> ParallelClusterBlueprint:
    """A cluster whose workers are of this type."""
    return a_slurm_cluster({"compute": a_queue({"workers": a_group(instance=instance, **said)})})


WITH_EFA = tuple(
    name
    for name in CLUSTER_TYPES
    if (row := hardware(name)).max_efa and row.architecture == "x86_64" and row.max_pods is not None
)
"""Every type that can train."""

WITH_GPUS = tuple(name for name in WITH_EFA if hardware(name).accelerator is Accelerator.GPU)


def derived(described: Described) -> ParallelClusterBlueprint:
    """What a random description comes to."""
    made, faults = validate(SlurmCluster, described.document)
    assert made is not None, faults
    return derive(made, "random", described.region)
