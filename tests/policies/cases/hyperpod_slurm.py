"""HyperPod clusters with Slurm: as descriptions make them, and as other people's programs and requests write them."""

from typing import Any

from muster.blueprint.logical_names import HYPERPOD_REF
from muster.fleet.resources import FileSystemMount, Fleet, InstanceGroup, Place, SlurmHyperPodCluster
from muster.fleet.resources.hyperpod import LUSTRE_MOUNT, OPENZFS_MOUNT
from muster.unknown import UNKNOWN
from tests.factories import SG, A
from tests.hyperpods import a_lifecycle, an_instance_group
from tests.policies.case import cases

LUSTRE = FileSystemMount(LUSTRE_MOUNT, "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com", "abcdefgh", "/fsx")
HOME = FileSystemMount(OPENZFS_MOUNT, "fs-0fedcba9876543210.fsx.us-west-2.amazonaws.com", None, None)


def a_slurm_group(name: str, node_type: Any = "Compute", *partitions: str, **more: Any) -> InstanceGroup:
    """An instance group of one ml.m5.4xlarge."""
    return an_instance_group(
        name,
        instance_type="ml.m5.4xlarge",
        node_type=node_type,
        place=Place("urn:hyperpod"),
        **{"partitions": partitions, "subnets": (A,), "security_groups": (SG,), "own_network": False, **more},
        lifecycle=a_lifecycle("s3://sagemaker-scripts/lifecycle"),
    )


CONTROLLER = a_slurm_group("controller", "Controller")
LOGIN = a_slurm_group("login", "Login")
WORKERS = a_slurm_group("workers", "Compute", "training")


def of(*groups: InstanceGroup, **settings: Any) -> Fleet:
    """A cluster with Slurm that a program makes, with these groups."""
    known = {"subnets": (A,), "security_groups": (SG,), "node_recovery": "Automatic", "slurm": True, **settings}
    cluster = SlurmHyperPodCluster(HYPERPOD_REF, "ml-cluster", None, place=Place("urn:hyperpod"), **known)
    return Fleet((cluster, *groups))


# Groups, and what they are in Slurm.

cases(
    no_controller=lambda: of(LOGIN, WORKERS),
    a_node_type_not_known=lambda: of(CONTROLLER, a_slurm_group("workers", UNKNOWN)),
    a_worker=lambda: of(CONTROLLER, a_slurm_group("workers", "Worker", "training")),
)


# The older form, with provisioning_parameters.json.


# Settings of the orchestrator.

cases(
    a_strategy_of_no_kind=lambda: of(CONTROLLER, WORKERS, slurm_strategy="merge"),
    a_strategy_not_known=lambda: of(CONTROLLER, WORKERS, slurm_strategy=UNKNOWN),
)


# File systems, and the network.
