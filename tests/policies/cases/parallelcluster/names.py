"""What a cluster on ParallelCluster is called."""

from muster.unknown import UNKNOWN
from tests.policies.case import cases
from tests.policies.parallelclusters import accounting, said_of

cases(
    a_cluster_named_with_an_underscore=lambda: said_of(name="ml_cluster"),
    a_cluster_named_in_61_letters=lambda: said_of(name="a" * 61),
    a_cluster_named_in_60_letters=lambda: said_of(name="a" * 60),
    a_cluster_named_in_41_letters_with_accounting=lambda: accounting(name="a" * 41),
    a_cluster_named_in_40_letters_with_accounting=lambda: accounting(name="a" * 40),
    a_cluster_named_like_its_stack=lambda: said_of(stack_name="ml"),
    a_cluster_without_a_name=lambda: said_of(name=None),
    a_cluster_of_nobody_knows_what_accounting=lambda: said_of(name="a" * 41, accounting=UNKNOWN),
    a_cluster_without_a_name_of_nobody_knows_what_accounting=lambda: said_of(name=None, accounting=UNKNOWN),
    a_cluster_of_a_name_not_yet_known=lambda: said_of(name=UNKNOWN),
)
