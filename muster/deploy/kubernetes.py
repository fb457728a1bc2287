"""A cluster with a Kubernetes control plane: its resources and add-ons, and their order."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pulumi

from muster.addons.catalogue.hyperpod_eks_addons import TASK_GOVERNANCE
from muster.addons.catalogue.karpenter import ADDON as KARPENTER
from muster.addons.context import AddonContext, Volume
from muster.addons.installation import Addons, ClusterHandle
from muster.blueprint.cluster import Blueprint
from muster.blueprint.derive.kubernetes import security_group_of
from muster.blueprint.logical_names import EFA_GROUP_REF
from muster.config.description.node_group import Purpose
from muster.exports.kubernetes import kubernetes_outputs
from muster.infra.cluster import NEEDS_NODES, Cluster, EksAddon
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import stack_tags
from muster.infra.existing_cluster import ExistingCluster
from muster.infra.karpenter import AutoModeNodes, Karpenter, KarpenterNodes, NodePools, NodesOfGroup
from muster.infra.lustre import Clients, Lustre, file_systems
from muster.infra.network import Foundation
from muster.infra.node_groups import NodeGroup, SelfManagedNodeGroup
from muster.infra.registry import Registry
from muster.infra.security_groups import EfaSecurityGroup

if TYPE_CHECKING:
    from muster.config.description.hyperpod_settings import Mlflow as MlflowDescription
    from muster.infra.hyperpod.mlflow import Mlflow


def kubernetes(blueprint: Blueprint) -> dict[str, Any]:
    """A cluster with a Kubernetes control plane, and what it exports.

    Order: the network; the control plane, and file systems beside it; the add-ons that a node needs to become Ready,
    and those that HyperPod wants to find; the groups, once file systems exist: a node that costs by the hour does not
    wait for them, and on destroy none is left with one mounted that is gone; CoreDNS, which needs a node; the other
    Kubernetes add-ons; NodePools, once Karpenter runs. Destroy goes the other way.
    """
    around = Foundation.of(blueprint)
    cluster: ControlPlaneConnection = (
        ExistingCluster(blueprint) if blueprint.cluster.existing else Cluster(blueprint, around)
    )
    efa = EfaSecurityGroup(blueprint, around) if blueprint.security_group else None
    before, after = (
        [addon for addon in blueprint.eks_addons if (addon.name in NEEDS_NODES) is late] for late in (False, True)
    )
    first: list[pulumi.Resource] = [EksAddon(addon, blueprint, cluster, [cluster]) for addon in before]
    storage = file_systems(blueprint, around, _clients(blueprint, cluster, efa))
    mlflow = _mlflow(blueprint, cluster, first)
    handle = _handle(blueprint, cluster, (cluster, *cluster.access, *around.ready, *first))
    own = handle.context.own
    addons = Addons(handle) if own.chosen or own.charts or handle.accounts or blueprint.karpenter_groups else None
    needed = [*cluster.access, *around.ready, *first, *storage.values(), *(addons.first if addons else ())]
    made: dict[str, NodeGroup | SelfManagedNodeGroup] = {
        group.name: SelfManagedNodeGroup(group, blueprint, cluster, around, efa, needed)
        if group.described.self_managed
        else NodeGroup(group, blueprint, cluster, around, efa, needed)
        for group in blueprint.eks_groups
        if not group.by_karpenter
    }
    by_karpenter: dict[str, KarpenterNodes | AutoModeNodes] = {
        group.name: AutoModeNodes(group, blueprint, cluster, around)
        if group.described.by_auto_mode
        else KarpenterNodes(group, blueprint, cluster, around)
        for group in blueprint.karpenter_groups
    }
    groups: dict[str, NodesOfGroup] = {**made, **by_karpenter}
    machines = None
    if blueprint.hyperpod:
        from muster.infra.hyperpod.cluster import HyperPod

        machines = HyperPod(blueprint, cluster, around, efa, needed)
    nodes: list[pulumi.Resource] = [machines] if machines else list(made.values())
    system = [made[name] for name in made if blueprint.group(name).described.purpose is Purpose.SYSTEM]
    late: list[pulumi.Resource] = [EksAddon(addon, blueprint, cluster, [*first, *(system or nodes)]) for addon in after]
    registry = Registry(blueprint.described.registry, blueprint) if blueprint.described.registry else None
    if addons:
        in_aws = handle.context.own.has(KARPENTER.name)
        theirs = [each for each in by_karpenter.values() if isinstance(each, KarpenterNodes)]
        karpenter = [Karpenter(blueprint, cluster, theirs)] if in_aws else []
        volumes = tuple(_volume(each, storage.get(each.name)) for each in handle.context.volumes)
        context = replace(handle.context, volumes=volumes)
        ready = (*handle.ready, *nodes, *late, *karpenter)
        addons.after_nodes(
            replace(handle, context=context, ready=ready, hyperpod=machines.arn if machines else handle.hyperpod)
        )
        if by_karpenter:
            installed = addons.of(KARPENTER.name)
            NodePools(blueprint, cluster, around, efa, by_karpenter, addons.provider, installed)
    if machines and blueprint.hyperpod and blueprint.hyperpod.quotas:
        from muster.infra.hyperpod.cluster import TaskGovernance

        TaskGovernance(blueprint, machines, addons.of(TASK_GOVERNANCE.name) if addons else [])
    return kubernetes_outputs(blueprint, cluster, around, efa, groups, machines, storage, registry, mlflow)


def _clients(blueprint: Blueprint, cluster: ControlPlaneConnection, efa: EfaSecurityGroup | None) -> list[Clients]:
    """The groups of nodes that file systems let in."""
    nodes = Clients("nodes", security_group_of(blueprint.described), cluster.security_group)
    return [nodes, *([Clients("efa", EFA_GROUP_REF, efa.id)] if efa else [])]


def _handle(blueprint: Blueprint, cluster: ControlPlaneConnection, ready: tuple[pulumi.Resource, ...]) -> ClusterHandle:
    """The cluster as add-ons see it, before it has nodes."""
    context = replace(AddonContext.of_blueprint(blueprint), cluster=cluster.name)
    made = None if blueprint.cluster.existing else cluster
    described = _described_mlflow(blueprint)
    accounts = ((described.pods.namespace, described.pods.service_account),) if described else ()
    return ClusterHandle(
        cluster.kubeconfig,
        cluster.arn,
        context,
        ready,
        made,
        stack_tags(blueprint),
        accounts,
        cluster.account,
        cluster.oidc_issuer,
    )


def _mlflow(blueprint: Blueprint, cluster: ControlPlaneConnection, needed: list[pulumi.Resource]) -> "Mlflow | None":
    if not (described := _described_mlflow(blueprint)):
        return None
    from muster.infra.hyperpod.mlflow import Mlflow

    return Mlflow(described, blueprint, cluster, needed)


def _described_mlflow(blueprint: Blueprint) -> "MlflowDescription | None":
    own = blueprint.described.hyperpod
    return own.mlflow if own else None


def _volume(planned: Volume, registered: Lustre | None) -> Volume:
    """A file system with what AWS has of it; of one that existed before, what the description gives."""
    if registered is None:
        return planned
    return replace(planned, file_system=registered.id, dns_name=registered.dns_name, mount_name=registered.mount_name)
