"""HyperPod clusters with Slurm."""

from tests.hyperpod_slurm_factories import a_hyperpod_slurm_fleet
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
