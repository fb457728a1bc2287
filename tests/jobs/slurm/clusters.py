"""Clusters with Slurm to size batch scripts for: one queue with one training group, changed where a test says so."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.validation import validate
from tests.factories.parallelcluster import a_slurm_blueprint
from tests.strategies import Described

FSX: Mapping[str, Any] = {"fsx": {"lustre": {"size": "4800GiB", "throughput": 250}}}

PYXIS: Mapping[str, Any] = {"install": ["docker", "pyxis"]}


def a_group(**said: Any) -> dict[str, Any]:
    """Workers: four p4de.24xlarge, but for what is said."""
    return {"for": "training", "instance": "p4de.24xlarge", "nodes": 4, **said}


def a_queue(groups: Mapping[str, Any] | None = None, **said: Any) -> dict[str, Any]:
    """A queue; without groups of a test's own, of the workers."""
    return {"groups": dict(groups or {"distributed-ml": a_group()}), **said}


def a_slurm_cluster(queues: Mapping[str, Any] | None = None, **said: Any) -> ParallelClusterBlueprint:
    """A cluster of these queues, with a file system and AWS's Pyxis, but for what is said (`_` for `-`); of several
    queues the first is the default."""
    more = {key.replace("_", "-"): value for key, value in said.items()}
    if queues and len(queues) > 1:
        more["slurm"] = {"default-queue": next(iter(queues)), **more.get("slurm", {})}
    made = {"queues": dict(queues or {"compute-gpu": a_queue()}), "storage": FSX, "post-install": PYXIS}
    return a_slurm_blueprint({**made, **more})


def of(instance: str, **said: Any) -> ParallelClusterBlueprint:
    """A cluster whose workers are of this type."""
    return a_slurm_cluster({"compute": a_queue({"workers": a_group(instance=instance, **said)})})


def derived(described: Described) -> ParallelClusterBlueprint:
    """What a random description comes to."""
    made, faults = validate(SlurmCluster, described.document)
    assert made is not None, faults
    return derive(made, "random", described.region, described.known)
