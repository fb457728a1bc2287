"""HyperPod clusters with Slurm: as descriptions make them, and as other people's programs and requests write them."""

from typing import Any

from muster.blueprint.logical_names import HYPERPOD_REF
from muster.fleet.resources import FileSystemMount, Fleet, InstanceGroup, Place, SlurmHyperPodCluster
from muster.fleet.resources.hyperpod import LUSTRE_MOUNT, OPENZFS_MOUNT
from muster.unknown import UNKNOWN
from tests.factories import SG, A
from tests.hyperpod_slurm_factories import a_hyperpod_slurm_fleet
from tests.hyperpods import a_lifecycle, an_instance_group
from tests.policies.case import cases

DATABASE = {
    "endpoint": "accounting.example.com",
    "secret": "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm",
}

cases(
    a_slurm_cluster_that_nothing_is_wrong_with=lambda: a_hyperpod_slurm_fleet(),
    nodes_that_slurm_provisions_one_by_one=lambda: a_hyperpod_slurm_fleet({"hyperpod.provisioning": "continuous"}),
    partitions_that_hyperpod_overwrites=lambda: a_hyperpod_slurm_fleet({"hyperpod.config-strategy": "overwrite"}),
    accounting_in_a_database_of_ones_own=lambda: a_hyperpod_slurm_fleet(
        {"accounting": DATABASE, "hyperpod.provisioning": "continuous"}
    ),
)

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
    one_controller_login_nodes_and_workers=lambda: of(CONTROLLER, LOGIN, WORKERS),
    two_groups_in_one_partition=lambda: of(CONTROLLER, WORKERS, a_slurm_group("more", "Compute", "training")),
    no_controller=lambda: of(LOGIN, WORKERS),
    no_controller_where_the_network_is_not_known=lambda: of(WORKERS, subnets=UNKNOWN),
    two_controllers=lambda: of(CONTROLLER, a_slurm_group("second", "Controller"), WORKERS),
    two_groups_of_login_nodes=lambda: of(CONTROLLER, LOGIN, a_slurm_group("second", "Login"), WORKERS),
    groups_not_known=lambda: of(groups_known=False),
    a_node_type_not_known=lambda: of(CONTROLLER, a_slurm_group("workers", UNKNOWN)),
    a_group_without_slurm_config=lambda: of(CONTROLLER, WORKERS, a_slurm_group("others", None)),
    a_worker=lambda: of(CONTROLLER, a_slurm_group("workers", "Worker", "training")),
    a_controller_in_a_partition=lambda: of(a_slurm_group("controller", "Controller", "training"), WORKERS),
    compute_nodes_in_no_partition=lambda: of(CONTROLLER, a_slurm_group("workers")),
    compute_nodes_in_two_partitions=lambda: of(CONTROLLER, a_slurm_group("workers", "Compute", "a", "b")),
    a_partition_with_an_underscore=lambda: of(CONTROLLER, a_slurm_group("workers", "Compute", "gpu_training")),
    partitions_not_known=lambda: of(CONTROLLER, a_slurm_group("workers", partitions=UNKNOWN)),
)


# The older form, with provisioning_parameters.json.

OLDER = a_slurm_group("workers", None)

cases(
    the_older_form=lambda: of(OLDER),
    the_older_form_provisioned_continuously=lambda: of(OLDER, provisioning="Continuous"),
    the_older_form_with_file_systems=lambda: of(a_slurm_group("workers", None, mounts=(LUSTRE,))),
    the_older_form_with_file_systems_in_an_update=lambda: of(
        a_slurm_group("workers", None, mounts=(LUSTRE,)), subnets=UNKNOWN
    ),
)


# Settings of the orchestrator.

cases(
    a_strategy=lambda: of(CONTROLLER, WORKERS, slurm_strategy="Merge"),
    a_strategy_of_no_kind=lambda: of(CONTROLLER, WORKERS, slurm_strategy="merge"),
    a_strategy_provisioned_continuously=lambda: of(
        CONTROLLER, WORKERS, slurm_strategy="Merge", provisioning="Continuous"
    ),
    a_strategy_not_known=lambda: of(CONTROLLER, WORKERS, slurm_strategy=UNKNOWN),
    a_database=lambda: of(CONTROLLER, WORKERS, accounting_database=True, provisioning="Continuous"),
    a_database_all_at_once=lambda: of(CONTROLLER, WORKERS, accounting_database=True),
    a_database_where_the_mode_is_not_known=lambda: of(
        CONTROLLER, WORKERS, accounting_database=True, provisioning=UNKNOWN
    ),
)


# File systems, and the network.

cases(
    a_file_system_of_each_kind=lambda: of(CONTROLLER, a_slurm_group("workers", "Compute", "a", mounts=(LUSTRE, HOME))),
    two_lustre_file_systems=lambda: of(CONTROLLER, a_slurm_group("workers", "Compute", "a", mounts=(LUSTRE, LUSTRE))),
    file_systems_not_known=lambda: of(CONTROLLER, a_slurm_group("workers", "Compute", "a", mounts=UNKNOWN)),
    sagemakers_own_network=lambda: of(
        *(a_slurm_group(each.ref.name, each.node_type, *each.partitions, subnets=()) for each in (CONTROLLER, WORKERS)),
        subnets=(),
        security_groups=(),
    ),
    a_file_system_in_sagemakers_own_network=lambda: of(
        a_slurm_group("controller", "Controller", subnets=()),
        a_slurm_group("workers", "Compute", "a", subnets=(), mounts=(LUSTRE,)),
        subnets=(),
        security_groups=(),
    ),
)
