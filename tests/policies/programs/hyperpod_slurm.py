"""Programs about HyperPod with Slurm."""

from collections.abc import Callable
from typing import Any

from tests.policies.programs.hyperpod_cluster import Ground, a_group, cluster, ground
from tests.policies.programs.pairs import breaks, keeps


def _controller(on: Ground, name: str = "controller") -> dict[str, Any]:
    return a_group(on, name, instance_type="ml.m5.4xlarge", instance_count=1, slurm_config={"node_type": "Controller"})


def _workers(on: Ground, *partitions: str, node_type: str = "Compute", **settings: Any) -> dict[str, Any]:
    return a_group(on, slurm_config={"node_type": node_type, "partition_names": [*partitions]}, **settings)


def _slurm(*groups: Callable[[Ground], dict[str, Any]], **settings: Any) -> None:
    """A HyperPod cluster with Slurm."""
    on = ground()
    orchestrator = {"slurm": settings.pop("slurm", {"slurm_config_strategy": "Managed"})}
    cluster(on, [each(on) for each in groups], orchestrator=orchestrator, **settings)


@keeps("hyperpod-slurm-one-controller")
def a_cluster_with_slurm() -> None:
    _slurm(_controller, lambda on: _workers(on, "training"))


@breaks("hyperpod-slurm-one-controller", "Two groups that are the controller.", at={"hyperpod"})
def breaks_hyperpod_slurm_one_controller() -> None:
    _slurm(_controller, lambda on: _controller(on, "second"), lambda on: _workers(on, "training"))
