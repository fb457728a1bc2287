"""The HyperPod cluster: what its groups share, and Muster's lifecycle scripts."""

from collections.abc import Iterable

from muster.blueprint.cluster import Network
from muster.blueprint.derive.instance_group import instance_group
from muster.blueprint.derive.kubernetes import kubernetes
from muster.blueprint.derive.network import SPANNED_ZONES
from muster.blueprint.hyperpod.lifecycle_bundle import files
from muster.blueprint.hyperpod.task_governance import compute_quotas
from muster.blueprint.kubernetes import Blueprint, HyperPod, HyperPodGroup
from muster.blueprint.logical_names import (
    ARTIFACTS_REF,
    BUNDLE_REF,
    CLUSTER_REF,
    EFA_GROUP_REF,
    HYPERPOD_REF,
    MLFLOW_APP_REF,
    MLFLOW_REF,
)
from muster.blueprint.tags import SAGEMAKER_PREFIX, bucket_prefix
from muster.config.description.hyperpod_cluster import HyperPodCluster as HyperPodDescription
from muster.config.description.hyperpod_settings import Autoscaling, Mlflow, NodeRecovery, Provisioning
from muster.fleet.facts import Facts
from muster.fleet.resources import HyperPodCluster, LifecycleBundle, Place, Reference, TrackingServer
from muster.unknown import UNKNOWN


def tracking_server(described: Mlflow, name_stem: str) -> TrackingServer:
    """The tracking server of a description.

    Args:
        described: the block `hyperpod.mlflow`.
        name_stem: the prefix of Muster's names.
    """
    return TrackingServer(
        ref=MLFLOW_APP_REF if described.serverless else MLFLOW_REF,
        name=described.name or name_stem,
        artifacts=ARTIFACTS_REF,
        place=Place("hyperpod.mlflow"),
        size=None if described.serverless else described.size.value.capitalize(),
        version=None if described.serverless else described.version,
        maintenance=described.maintenance,
        pods=True,
        serverless=described.serverless,
    )


def hyperpod(
    described: HyperPodDescription, stack: str, region: str, facts: Facts | None, facts_file: str
) -> Blueprint:
    """The blueprint of a cluster on HyperPod; arguments as of `derive`."""
    return kubernetes(described, stack, region, facts, facts_file, _cluster_and_groups)


def _cluster_and_groups(
    described: HyperPodDescription, around: Network, name_stem: str
) -> tuple[HyperPod, tuple[HyperPodGroup, ...]]:
    """The HyperPod cluster of a description, and its groups.

    Args:
        described: the description.
        around: its network.
        name_stem: the prefix of Muster's names: the EKS cluster's name, if it fits.
    """
    subnets = tuple(sorted(list(around.private.values())[:SPANNED_ZONES], key=str))
    existing = described.control_plane.existing
    carried: tuple[Reference, ...] = (existing.security_group if existing else CLUSTER_REF, EFA_GROUP_REF)
    shared = tuple(sorted(carried, key=str))
    groups = tuple(instance_group(name, described, around, subnets, shared) for name in described.groups)
    own = described.hyperpod
    cluster: HyperPodCluster = HyperPodCluster(
        ref=HYPERPOD_REF,
        name=own.name or name_stem,
        orchestrator=UNKNOWN if existing else CLUSTER_REF,
        subnets=subnets,
        security_groups=shared,
        place=Place("hyperpod"),
        node_recovery="Automatic" if own.node_recovery is NodeRecovery.AUTOMATIC else "None",
        provisioning="Continuous" if own.provisioning is Provisioning.CONTINUOUS else None,
        autoscaler="Karpenter" if own.autoscaling is Autoscaling.KARPENTER else None,
        has_cluster_role=own.autoscaling is Autoscaling.KARPENTER,
        memory_percent=own.tiered_storage.memory_percent if own.tiered_storage else None,
    )
    with_ours = [
        each.name
        for each in groups
        if each.instance_group.lifecycle and each.instance_group.lifecycle.source == BUNDLE_REF
    ]
    bundle = _bundle(str(cluster.name), with_ours) if with_ours else None
    server = tracking_server(own.mlflow, name_stem) if own.mlflow else None
    quotas = compute_quotas(own.task_governance) if own.task_governance else ()
    return HyperPod(cluster, bundle, quotas, server, own.execution_role, own.cluster_role), groups


def _bundle(name: str, groups: Iterable[str]) -> LifecycleBundle:
    return LifecycleBundle(
        ref=BUNDLE_REF,
        name=bucket_prefix(f"{SAGEMAKER_PREFIX}{name}"),
        files=frozenset(key for group in groups for key in files(group)),
        place=Place("hyperpod.lifecycle"),
    )
