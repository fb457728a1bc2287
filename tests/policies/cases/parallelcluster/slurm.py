"""Slurm's own settings, and its accounting."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.policies.case import case
from tests.policies.parallelclusters import SECRET, accounting, said_of


@case("parallelcluster-accounting-legal @ accounting.server")
def a_database_with_a_scheme() -> Fleet:
    return accounting("mysql://slurm.example.com")


@case("parallelcluster-accounting-legal @ accounting.server")
def a_database_at_a_path() -> Fleet:
    return accounting("/slurm.example.com")


@case()
def a_database_by_its_host() -> Fleet:
    return accounting("slurm.example.com")


@case("parallelcluster-accounting-legal @ accounting.password-secret")
def a_password_in_a_parameter() -> Fleet:
    return accounting(secret="arn:aws:ssm:us-west-2:111122223333:parameter/slurm")


@case("parallelcluster-accounting-legal @ accounting.password-secret")
def a_password_in_another_region() -> Fleet:
    return accounting(secret=SECRET.replace("us-west-2", "us-east-1"))


@case(unjudged=("parallelcluster-accounting-legal @ ",))
def a_database_not_yet_known() -> Fleet:
    return accounting(UNKNOWN)


@case("parallelcluster-accounting-legal @ accounting")
def two_ways_of_accounting() -> Fleet:
    return accounting(external_accounting=True, munge_key=True)


@case("parallelcluster-accounting-legal @ accounting")
def a_slurmdbd_from_elsewhere_without_its_key() -> Fleet:
    return said_of(external_accounting=True)


@case()
def a_slurmdbd_from_elsewhere() -> Fleet:
    return said_of(external_accounting=True, munge_key=True)


@case("parallelcluster-slurm-settings-allowed @ slurm.settings.SuspendTime")
def a_setting_that_is_parallelclusters() -> Fleet:
    return said_of(slurm_settings=frozenset({"SuspendTime", "MaxJobCount"}))


@case()
def accounting_by_settings() -> Fleet:
    return said_of(slurm_settings=frozenset({"JobAcctGatherType"}))


@case("parallelcluster-slurm-settings-allowed @ slurm.settings.JobAcctGatherType")
def accounting_by_settings_beside_a_database() -> Fleet:
    return accounting(slurm_settings=frozenset({"JobAcctGatherType"}))


@case("parallelcluster-slurm-settings-allowed @ slurm.settings")
def nodes_called_like_parallelclusters() -> Fleet:
    return said_of(node_names=frozenset({"train-st-own-[1-4]"}))


@case("parallelcluster-slurm-settings-allowed @ slurm.settings")
def settings_and_a_file_of_them() -> Fleet:
    return said_of(slurm_settings=frozenset({"MaxJobCount"}), include_file=True)


@case(unjudged=("parallelcluster-slurm-settings-allowed @ ",))
def a_setting_of_accounting_that_there_may_be() -> Fleet:
    return said_of(accounting=UNKNOWN, slurm_settings=frozenset({"JobAcctGatherType", "MaxJobCount"}))


@case()
def other_settings_beside_accounting_that_there_may_be() -> Fleet:
    return said_of(accounting=UNKNOWN, slurm_settings=frozenset({"MaxJobCount"}))


@case("parallelcluster-slurm-settings-allowed @ slurm.settings.SuspendTime")
def a_setting_refused_with_and_without_accounting() -> Fleet:
    return said_of(accounting=UNKNOWN, slurm_settings=frozenset({"SuspendTime"}))


@case(unjudged=("parallelcluster-slurm-settings-allowed @ ",))
def settings_not_yet_known() -> Fleet:
    return said_of(slurm_settings=UNKNOWN)
