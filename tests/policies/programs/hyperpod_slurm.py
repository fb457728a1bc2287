"""Programs about HyperPod with Slurm."""

from collections.abc import Callable
from typing import Any

from tests.policies.programs.hyperpod_cluster import Ground, a_group, cluster, ground
from tests.policies.programs.pairs import breaks, keeps

_LUSTRE = {"dns_name": "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com", "mount_name": "abcdefgh"}
_HOME = {"dns_name": "fs-0fedcba9876543210.fsx.us-west-2.amazonaws.com"}


def _controller(on: Ground, name: str = "controller") -> dict[str, Any]:
    return a_group(on, name, instance_type="ml.m5.4xlarge", instance_count=1, slurm_config={"node_type": "Controller"})


def _workers(on: Ground, *partitions: str, node_type: str = "Compute", **settings: Any) -> dict[str, Any]:
    return a_group(on, slurm_config={"node_type": node_type, "partition_names": [*partitions]}, **settings)


def _slurm(*groups: Callable[[Ground], dict[str, Any]], **settings: Any) -> None:
    """A HyperPod cluster with Slurm."""
    on = ground()
    orchestrator = {"slurm": settings.pop("slurm", {"slurm_config_strategy": "Managed"})}
    cluster(on, [each(on) for each in groups], orchestrator=orchestrator, **settings)


@keeps("hyperpod-slurm-one-controller", "hyperpod-slurm-partitions", "hyperpod-slurm-settings")
def a_cluster_with_slurm() -> None:
    _slurm(_controller, lambda on: _workers(on, "training"))


@breaks("hyperpod-slurm-one-controller", "Two groups that are the controller.", at={"hyperpod"})
def breaks_hyperpod_slurm_one_controller() -> None:
    _slurm(_controller, lambda on: _controller(on, "second"), lambda on: _workers(on, "training"))


@breaks("hyperpod-slurm-partitions", "A group of compute nodes that is in no partition.", at={"hyperpod"})
def breaks_hyperpod_slurm_partitions() -> None:
    _slurm(_controller, _workers)


@breaks("hyperpod-slurm-settings", "A strategy, with continuous provisioning.", at={"hyperpod"})
def breaks_hyperpod_slurm_settings() -> None:
    _slurm(_controller, lambda on: _workers(on, "training"), node_provisioning_mode="Continuous")


@keeps("hyperpod-slurm-mounts")
def keeps_hyperpod_slurm_mounts() -> None:
    mounts = [{"fsx_lustre_config": _LUSTRE}, {"fsx_open_zfs_config": _HOME}]
    _slurm(_controller, lambda on: _workers(on, "training", instance_storage_configs=mounts))


@breaks("hyperpod-slurm-mounts", "Two Lustre file systems in one group.", at={"hyperpod"})
def breaks_hyperpod_slurm_mounts() -> None:
    mounts = [{"fsx_lustre_config": {**_LUSTRE, "mount_path": path}} for path in ("/fsx", "/data")]
    _slurm(_controller, lambda on: _workers(on, "training", instance_storage_configs=mounts))
