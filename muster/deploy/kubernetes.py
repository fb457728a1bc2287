"""A cluster with a Kubernetes control plane: its resources and add-ons, their order, and what its stack exports."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pulumi

from muster.addons.catalogue.csi_drivers import claim_of
from muster.addons.catalogue.karpenter import ADDON as KARPENTER
from muster.addons.context import AddonContext, Volume
from muster.addons.installation import Addons, ClusterHandle
from muster.addons.installation_order import BEFORE_NODES
from muster.addons.job_rights import job_rights
from muster.blueprint.cluster import Blueprint, Storage
from muster.blueprint.derive.kubernetes import security_group_of
from muster.blueprint.group import EksGroup, HyperPodGroup, KubernetesGroup
from muster.blueprint.hyperpod.commands import LOG_STREAMS, list_nodes, session
from muster.blueprint.logical_names import EFA_GROUP_REF
from muster.config.description.node_group import Purpose
from muster.contract import (
    ChartOutput,
    ClusterIdentity,
    HyperPodOutput,
    MlflowOutput,
    NodeGroupOutput,
)
from muster.contract import (
    Cluster as ClusterOutputs,
)
from muster.deploy.addons import addons_output
from muster.deploy.outputs import capacity_output, nodes_of, plan_output, stack_output, storage_output
from muster.infra.cluster import Cluster, EksAddon
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import stack_tags
from muster.infra.existing_cluster import ExistingCluster
from muster.infra.file_system import FileSystem
from muster.infra.file_systems import file_systems
from muster.infra.karpenter import AutoModeNodes, Karpenter, KarpenterNodes, LaunchedNodes, NodePools, NodesOfGroup
from muster.infra.network import Foundation
from muster.infra.node_groups import NodeGroup, SelfManagedNodeGroup
from muster.infra.registry import Registry
from muster.infra.security_groups import EfaSecurityGroup
from muster.versions import MLFLOW_CLIENTS

if TYPE_CHECKING:
    from muster.config.description.hyperpod_settings import Mlflow as MlflowDescription
    from muster.infra.hyperpod.cluster import HyperPod
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
    around = around.with_ids({blueprint.cluster.ref: cluster.security_group})
    clients = {"nodes": security_group_of(blueprint.described)}
    if blueprint.security_group:
        efa = EfaSecurityGroup(blueprint, around)
        around = around.with_ids({EFA_GROUP_REF: efa.id}, efa.rules)
        clients["efa"] = EFA_GROUP_REF
    before, after = (
        [addon for addon in blueprint.eks_addons if (addon.name not in BEFORE_NODES) is late] for late in (False, True)
    )
    first: list[pulumi.Resource] = [EksAddon(addon, blueprint, cluster, around, [cluster]) for addon in before]
    storage = file_systems(blueprint, around, clients)
    mlflow = _mlflow(blueprint, cluster, first)
    handle = _handle(blueprint, cluster, (cluster, *cluster.access, *around.ready, *first))
    own = handle.context.own
    used = own.chosen or own.charts or handle.accounts or handle.rights or blueprint.karpenter_groups
    addons = Addons(handle) if used else None
    needed = [*cluster.access, *around.ready, *first, *storage.values(), *(addons.first if addons else ())]
    made: dict[str, NodeGroup | SelfManagedNodeGroup] = {
        group.name: SelfManagedNodeGroup(group, blueprint, cluster, around, needed)
        if group.described.self_managed
        else NodeGroup(group, blueprint, cluster, around, needed)
        for group in blueprint.eks_groups
        if not group.described.by_karpenter
    }
    by_karpenter: dict[str, LaunchedNodes] = {
        group.name: AutoModeNodes(group, blueprint, cluster, around)
        if group.described.by_auto_mode
        else KarpenterNodes(group, blueprint, cluster, around)
        for group in blueprint.karpenter_groups
    }
    groups: dict[str, NodesOfGroup] = {**made, **by_karpenter}
    machines = None
    if blueprint.hyperpod:
        from muster.infra.hyperpod.cluster import HyperPod

        machines = HyperPod(blueprint, cluster, around, needed)
    nodes: list[pulumi.Resource] = [machines] if machines else list(made.values())
    system = [made[name] for name in made if blueprint.group(name).described.purpose is Purpose.SYSTEM]
    late: list[pulumi.Resource] = [
        EksAddon(addon, blueprint, cluster, around, [*first, *(system or nodes)]) for addon in after
    ]
    registry = Registry.of(blueprint)
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
            NodePools(blueprint, around, by_karpenter, addons.provider, installed)
    if machines and blueprint.hyperpod and blueprint.hyperpod.quotas:
        from muster.infra.hyperpod.cluster import TaskGovernance

        TaskGovernance(blueprint, machines, addons.of("hyperpod-task-governance") if addons else [])
    return _outputs(blueprint, cluster, around, groups, machines, storage, registry, mlflow)


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
        blueprint.described.iam,
        accounts,
        tuple(job_rights(blueprint.described.access, AddonContext.of_blueprint(blueprint))),
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


def _volume(planned: Volume, registered: FileSystem | None) -> Volume:
    """A file system with what AWS has of it; of one that existed before, what the description gives."""
    if registered is None:
        return planned
    return replace(planned, file_system=registered.id, dns_name=registered.dns_name, mount_name=registered.mount_name)


def _outputs(
    blueprint: Blueprint,
    cluster: ControlPlaneConnection,
    around: Foundation,
    groups: Mapping[str, NodesOfGroup],
    machines: "HyperPod | None",
    storage: Mapping[str, FileSystem],
    registry: Registry | None,
    mlflow: "Mlflow | None",
) -> dict[str, Any]:
    context = AddonContext.of_blueprint(blueprint)
    return stack_output(
        ClusterOutputs,
        blueprint,
        around,
        {"cluster": cluster.security_group, "efa": around.known.get(EFA_GROUP_REF)},
        registry,
        cluster=ClusterIdentity.written(cluster, oidc_provider_arn=None),
        kubeconfig=cluster.kubeconfig,
        node_groups={
            **{each.name: _group(each, blueprint, groups[each.name]) for each in blueprint.eks_groups},
            **{each.name: _instance_group(each, blueprint, machines) for each in blueprint.instance_groups if machines},
        },
        hyperpod=_hyperpod(blueprint, machines) if machines else None,
        mlflow=_mlflow_output(mlflow) if mlflow else None,
        storage={each.name: _storage(each, storage.get(each.name), context) for each in blueprint.storage},
        addons=addons_output(context),
        charts={release: ChartOutput.written(each) for release, each in context.own.charts.items()},
        eks_addons={str(each.name): each.version or "" for each in blueprint.eks_addons},
        buckets={"mlflow": mlflow.bucket.name} if mlflow else {},
        log_groups={
            **({"controlPlane": cluster.log_group} if cluster.log_group is not None else {}),
            **({"hyperpod": machines.log_group} if machines else {}),
        },
        queues={},
    )


def _storage(storage: Storage, registered: FileSystem | None, context: AddonContext) -> dict[str, Any]:
    """A file system, with the claim by which pods mount it, where this stack makes one."""
    claim, namespace = claim_of(context.own, storage.name) or (None, None)
    return storage_output(storage, registered, claim=claim, claim_namespace=namespace)


def _group(group: EksGroup, blueprint: Blueprint, registered: NodesOfGroup) -> dict[str, Any]:
    return NodeGroupOutput.written(
        registered,
        group.resource,
        **_nodes(group, blueprint),
        capacity=capacity_output(group.described.capacity, registered.capacity),
        **({"kubelet": group.described.kubelet} if group.described.kubelet else {}),
    )


def _instance_group(group: HyperPodGroup, blueprint: Blueprint, registered: "HyperPod") -> dict[str, Any]:
    return NodeGroupOutput.written(
        **_nodes(group, blueprint),
        role_arn=registered.role_arn,
        capacity=plan_output(group.described.capacity),
        threads_per_core=group.described.hyperpod.threads_per_core,
        session=registered.cluster_id.apply(lambda id_: session(id_, group.name, blueprint.region)),
    )


def _nodes(group: KubernetesGroup, blueprint: Blueprint) -> dict[str, Any]:
    """What a group's nodes are, on any backend, by field."""
    return {
        **nodes_of(group, blueprint),
        "offers": group.node.offers,
        "claims": group.node.claims,
        "allocatable": group.node.allocatable_resources,
        "pods": group.node.allocatable.pods,
        "labels": dict(sorted(group.labels.items())),
        "taints": [taint.manifest for taint in sorted(group.taints)],
        "image_family": group.described.family.value,
        "interfaces": group.described.layout.value,
    }


def _hyperpod(blueprint: Blueprint, registered: "HyperPod") -> dict[str, Any]:
    return HyperPodOutput.written(
        registered,
        id=registered.cluster_id,
        lifecycle=registered.bucket,
        list_nodes=list_nodes(registered.name, blueprint.region),
        log_streams=LOG_STREAMS,
    )


def _mlflow_output(registered: "Mlflow") -> dict[str, Any]:
    return MlflowOutput.written(
        registered,
        registered.pods,
        client=f"mlflow=={MLFLOW_CLIENTS[registered.version]}" if registered.version else None,
        role_arn=registered.pods_role,
    )
