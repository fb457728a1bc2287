"""Description + hardware catalog + facts -> blueprint. Never fails on a valid description: a value that makes no sense
(a zone without a subnet, a reservation in another zone) is still derived, and a rule reports it."""

from typing import TYPE_CHECKING, overload

from muster import backends
from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.kubernetes import Blueprint
from muster.config.description.cluster import Cluster
from muster.fleet.facts import Facts

if TYPE_CHECKING:
    from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
    from muster.config.description.kubernetes_cluster import KubernetesCluster
    from muster.config.description.parallelcluster import SlurmCluster


@overload
def derive(
    described: "KubernetesCluster", stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> Blueprint: ...


@overload
def derive(
    described: "SlurmCluster", stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> "ParallelClusterBlueprint": ...


@overload
def derive(
    described: Cluster, stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> ClusterBlueprint: ...


def derive(
    described: Cluster, stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> ClusterBlueprint:
    """The blueprint of a description.

    Args:
        described: a valid description.
        stack: the Pulumi stack's name; also the cluster's name, if the description sets none.
        region: the AWS Region.
        facts: the facts of the account; None if there is no file of facts.
        facts_file: the file the facts come from, for messages.
    """
    return backends.of(described).derive.load()(described, stack, region, facts, facts_file)
