"""A cluster on EKS."""

from muster.blueprint.cluster import Network
from muster.blueprint.derive.karpenter import karpenter_group
from muster.blueprint.derive.kubernetes import kubernetes
from muster.blueprint.derive.node_group import group
from muster.blueprint.kubernetes import Blueprint, EksGroup
from muster.config.description.eks_cluster import EksCluster
from muster.fleet.facts import Facts


def eks(described: EksCluster, stack: str, region: str, facts: Facts | None, facts_file: str) -> Blueprint:
    """The blueprint of a cluster on EKS; arguments as of `derive`."""
    return kubernetes(described, stack, region, facts, facts_file, _groups)


def _groups(described: EksCluster, around: Network, name_stem: str) -> tuple[None, tuple[EksGroup, ...]]:
    return None, tuple(
        (karpenter_group if each.by_karpenter else group)(name, described, around, name_stem)
        for name, each in described.groups.items()
    )
