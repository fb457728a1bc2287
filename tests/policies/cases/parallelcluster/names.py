"""What a cluster on ParallelCluster is called."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.policies.case import case
from tests.policies.parallelclusters import accounting, said_of


@case("parallelcluster-name-legal @ name")
def a_cluster_named_with_an_underscore() -> Fleet:
    return said_of(name="ml_cluster")


@case("parallelcluster-name-legal @ name")
def a_cluster_named_in_61_letters() -> Fleet:
    return said_of(name="a" * 61)


@case()
def a_cluster_named_in_60_letters() -> Fleet:
    return said_of(name="a" * 60)


@case("parallelcluster-name-legal @ name")
def a_cluster_named_in_41_letters_with_accounting() -> Fleet:
    return accounting(name="a" * 41)


@case()
def a_cluster_named_in_40_letters_with_accounting() -> Fleet:
    return accounting(name="a" * 40)


@case("parallelcluster-name-legal @ name")
def a_cluster_named_like_its_stack() -> Fleet:
    return said_of(stack_name="ml")


@case("parallelcluster-name-legal @ name")
def a_cluster_without_a_name() -> Fleet:
    return said_of(name=None)


@case(unjudged=("parallelcluster-name-legal @ ",))
def a_cluster_of_nobody_knows_what_accounting() -> Fleet:
    return said_of(name="a" * 41, accounting=UNKNOWN)


@case("parallelcluster-name-legal @ name")
def a_cluster_without_a_name_of_nobody_knows_what_accounting() -> Fleet:
    return said_of(name=None, accounting=UNKNOWN)


@case(unjudged=("parallelcluster-name-legal @ ",))
def a_cluster_of_a_name_not_yet_known() -> Fleet:
    return said_of(name=UNKNOWN)
