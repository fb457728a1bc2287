"""Description + hardware catalogue + facts -> blueprint. Never fails on a valid description: a value that makes no
sense (a zone without a subnet, a reservation elsewhere) is derived all the same, and a rule names it."""

from typing import TYPE_CHECKING, overload

from muster import backends
from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.kubernetes import Blueprint
from muster.blueprint.slurm import SlurmBlueprint
from muster.config.description.cluster import AnyCluster
from muster.fleet.facts import Facts

if TYPE_CHECKING:
    from muster.config.description.kubernetes_cluster import KubernetesCluster
    from muster.config.description.slurm_cluster import SlurmCluster


@overload
def derive(
    described: "KubernetesCluster", stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> Blueprint: ...


@overload
def derive(
    described: "SlurmCluster", stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> SlurmBlueprint: ...


@overload
def derive(
    described: AnyCluster, stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> ClusterBlueprint: ...


def derive(
    described: AnyCluster, stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> ClusterBlueprint:
    """The blueprint of a description.

    Args:
        described: a valid description.
        stack: the Pulumi stack's name; the cluster's name where the description gives none.
        region: the AWS Region.
        facts: what is known of the account, None without a file of facts.
        facts_file: the file the facts come from, for messages.
    """
    return backends.of(described).derive.load()(described, stack, region, facts, facts_file)
