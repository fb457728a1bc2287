"""Slurm's own settings, and its accounting."""

from muster.unknown import UNKNOWN
from tests.policies.case import cases
from tests.policies.parallelclusters import SECRET, accounting, said_of

cases(
    a_database_with_a_scheme=lambda: accounting("mysql://slurm.example.com"),
    a_database_at_a_path=lambda: accounting("/slurm.example.com"),
    a_database_by_its_host=lambda: accounting("slurm.example.com"),
    a_password_in_a_parameter=lambda: accounting(secret="arn:aws:ssm:us-west-2:111122223333:parameter/slurm"),
    a_password_in_another_region=lambda: accounting(secret=SECRET.replace("us-west-2", "us-east-1")),
    a_database_not_yet_known=lambda: accounting(UNKNOWN),
    two_ways_of_accounting=lambda: accounting(external_accounting=True, munge_key=True),
    a_slurmdbd_from_elsewhere_without_its_key=lambda: said_of(external_accounting=True),
    a_slurmdbd_from_elsewhere=lambda: said_of(external_accounting=True, munge_key=True),
    a_setting_that_is_parallelclusters=lambda: said_of(slurm_settings=frozenset({"SuspendTime", "MaxJobCount"})),
    accounting_by_settings=lambda: said_of(slurm_settings=frozenset({"JobAcctGatherType"})),
    accounting_by_settings_beside_a_database=lambda: accounting(slurm_settings=frozenset({"JobAcctGatherType"})),
    nodes_called_like_parallelclusters=lambda: said_of(node_names=frozenset({"train-st-own-[1-4]"})),
    settings_and_a_file_of_them=lambda: said_of(slurm_settings=frozenset({"MaxJobCount"}), include_file=True),
    a_setting_of_accounting_that_there_may_be=lambda: said_of(
        accounting=UNKNOWN, slurm_settings=frozenset({"JobAcctGatherType", "MaxJobCount"})
    ),
    other_settings_beside_accounting_that_there_may_be=lambda: said_of(
        accounting=UNKNOWN, slurm_settings=frozenset({"MaxJobCount"})
    ),
    a_setting_refused_with_and_without_accounting=lambda: said_of(
        accounting=UNKNOWN, slurm_settings=frozenset({"SuspendTime"})
    ),
    a_setting_that_slurm_does_not_have=lambda: said_of(
        slurm_settings=frozenset({"SelectTypeParametrs", "maxjobcount"})
    ),
    a_node_of_your_own=lambda: said_of(slurm_settings=frozenset({"NodeName", "RealMemory", "SelectType"})),
    settings_not_yet_known=lambda: said_of(slurm_settings=UNKNOWN),
)
