"""The composition root: the only place that joins `infra` and `addons`, and orders them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pulumi

from addons.context import AddonContext, Mirrors, Volume
from addons.installation import Addons, ClusterHandle
from exports.kubernetes import addons_output, kubernetes_outputs
from exports.slurm import slurm_outputs
from infra.cluster import Cluster
from infra.cluster_connection import ControlPlaneConnection
from infra.component import stack_tags
from infra.eks_addon import NEEDS_NODES, EksAddon
from infra.existing_cluster import ExistingCluster
from infra.foundation import Foundation
from infra.hyperpod.cluster import HyperPod
from infra.hyperpod.mlflow import Mlflow
from infra.lustre import Clients, Lustre
from infra.node_groups import NodeGroup, SelfManagedNodeGroup
from infra.parallelcluster.cluster import ParallelCluster
from infra.registry import Registry
from infra.security_groups import EfaSecurityGroup, NodesSecurityGroup
from muster.blueprint.cluster import AnyBlueprint, Blueprint, SlurmBlueprint
from muster.blueprint.iam import account_of
from muster.config.description.hyperpod import Mlflow as MlflowDescription
from muster.config.description.node_group import Purpose
from muster.config.description.root import AddonsOf, HyperPodCluster
from muster.config.description.storage import Lustre as LustreDescription
from muster.contract import CONTRACT, SECRETS, read_cluster, read_kubeconfig
from muster.contract import Cluster as ClusterContract
from muster.fleet.resources import Reference


def deploy(blueprint: AnyBlueprint) -> None:
    """Registers everything of a blueprint and exports the contract (`muster.contract`)."""
    exported = _slurm(blueprint) if isinstance(blueprint, SlurmBlueprint) else kubernetes(blueprint)
    for name, value in exported.items():
        pulumi.export(name, pulumi.Output.secret(value) if name in SECRETS else value)


def _slurm(blueprint: SlurmBlueprint) -> dict[str, Any]:
    """A Slurm cluster, and what it exports.

    Order: the network; the group that all nodes carry; file systems with their rules; the cluster, whose head node
    mounts them when it starts. Destroy goes the other way.
    """
    around = Foundation.of(blueprint)
    nodes = NodesSecurityGroup(blueprint, around)
    clients = [Clients("nodes", blueprint.nodes_security_group.ref, nodes.id)]
    storage = _file_systems(blueprint, around, clients)
    cluster = ParallelCluster(blueprint, around, nodes, storage)
    registry = Registry(blueprint.described.registry, blueprint) if blueprint.described.registry else None
    return slurm_outputs(blueprint, around, nodes, cluster, storage, registry)


def kubernetes(blueprint: Blueprint) -> dict[str, Any]:
    """A cluster with a Kubernetes control plane, and what it exports.

    Order: the network; the control plane, and file systems beside it; the add-ons that a node needs to become Ready,
    and those that HyperPod wants to find; the groups, once file systems stand: a node that costs by the hour does not
    wait for them, and on destroy none is left with one mounted that is gone; CoreDNS, which needs a node; the other
    Kubernetes add-ons. Destroy goes the other way.
    """
    around = Foundation.of(blueprint)
    cluster: ControlPlaneConnection = (
        ExistingCluster(blueprint) if blueprint.control_plane.existing else Cluster(blueprint, around)
    )
    efa = EfaSecurityGroup(blueprint, around) if blueprint.efa_security_group else None
    before, after = (
        [addon for addon in blueprint.eks_addons if (addon.name in NEEDS_NODES) is late] for late in (False, True)
    )
    first: list[pulumi.Resource] = [EksAddon(addon, blueprint, cluster, [cluster]) for addon in before]
    storage = _file_systems(blueprint, around, _clients(blueprint, cluster, efa))
    mlflow = _mlflow(blueprint, cluster, first)
    handle = _handle(blueprint, cluster, (cluster, *cluster.access, *around.ready, *first))
    addons = Addons(handle) if handle.context.own.chosen or handle.context.own.charts or handle.accounts else None
    needed = [*cluster.access, *around.ready, *first, *storage.values(), *(addons.first if addons else ())]
    groups = {
        group.name: (SelfManagedNodeGroup if group.described.self_managed else NodeGroup)(
            group, blueprint, cluster, around, efa, needed
        )
        for group in blueprint.eks_groups
    }
    machines = HyperPod(blueprint, cluster, around, efa, needed) if blueprint.hyperpod else None
    nodes: list[pulumi.Resource] = [machines] if machines else list(groups.values())
    system = [groups[group.name] for group in blueprint.eks_groups if group.described.purpose is Purpose.SYSTEM]
    late: list[pulumi.Resource] = [EksAddon(addon, blueprint, cluster, [*first, *(system or nodes)]) for addon in after]
    registry = Registry(blueprint.described.registry, blueprint) if blueprint.described.registry else None
    if addons:
        volumes = tuple(_volume(each, storage.get(each.name)) for each in handle.context.volumes)
        context = replace(handle.context, volumes=volumes)
        addons.after_nodes(replace(handle, context=context, ready=(*handle.ready, *nodes, *late)))
    return kubernetes_outputs(blueprint, cluster, around, efa, groups, machines, storage, registry, mlflow)


def _clients(blueprint: Blueprint, cluster: ControlPlaneConnection, efa: EfaSecurityGroup | None) -> list[Clients]:
    """The groups of nodes that file systems let in."""
    existing = blueprint.described.control_plane.existing
    reference: Reference = existing.security_group if existing else blueprint.control_plane.ref
    clients = [Clients("nodes", reference, cluster.security_group)]
    if efa and blueprint.efa_security_group:
        clients.append(Clients("efa", blueprint.efa_security_group.ref, efa.id))
    return clients


def _file_systems(blueprint: AnyBlueprint, around: Foundation, clients: Sequence[Clients]) -> dict[str, Lustre]:
    """Those that Muster makes, by name."""
    return {
        each.name: Lustre(each, each.described, blueprint, around, clients)
        for each in blueprint.storage
        if isinstance(each.described, LustreDescription)
    }


def deploy_addons(
    stack: str, described: AddonsOf, approve: Callable[[ClusterContract], None] = lambda _cluster: None
) -> None:
    """Registers add-ons on the cluster of another stack, known by what that one exports.

    They are registered once its outputs are read: what is registered depends on the nodes that the cluster has. In a
    preview, too, the outputs are known: they are those of its last `up`.

    Args:
        stack: this stack's name.
        described: what is to be installed, and on whose cluster.
        approve: asked before anything is registered; raises `pulumi.RunError` where it does not fit that cluster.
    """
    reference = pulumi.StackReference(described.addons_of)
    mirrors = Mirrors(described.chart_mirror, described.image_mirror)

    def with_kubeconfig(cluster: ClusterContract) -> pulumi.Output[ClusterContract]:
        """The cluster again; not where there is no kubeconfig: then nothing is registered."""
        return pulumi.Output.unsecret(read_kubeconfig(reference).apply(lambda _: cluster))

    def install(cluster: ClusterContract) -> dict[str, Any]:
        approve(cluster)
        context = AddonContext.of_contract(cluster, described.addons.chosen, described.addons.charts, mirrors)
        arn, tags = cluster.cluster.arn, {"muster:stack": stack}
        Addons.on(ClusterHandle(read_kubeconfig(reference), arn, context, tags=tags, account=account_of(arn)))
        return addons_output(context)

    cluster: pulumi.Output[ClusterContract] = read_cluster(reference).apply(with_kubeconfig)
    pulumi.export("contract", CONTRACT)
    pulumi.export("addonsOf", described.addons_of)
    pulumi.export("addons", cluster.apply(install))


def _handle(blueprint: Blueprint, cluster: ControlPlaneConnection, ready: tuple[pulumi.Resource, ...]) -> ClusterHandle:
    """The cluster as add-ons see it, before it has nodes."""
    context = replace(AddonContext.of_blueprint(blueprint), cluster=cluster.name)
    made = None if blueprint.control_plane.existing else cluster
    described = _described_mlflow(blueprint)
    accounts = ((described.pods.namespace, described.pods.service_account),) if described else ()
    return ClusterHandle(
        cluster.kubeconfig, cluster.arn, context, ready, made, stack_tags(blueprint), accounts, cluster.account
    )


def _mlflow(blueprint: Blueprint, cluster: ControlPlaneConnection, needed: list[pulumi.Resource]) -> Mlflow | None:
    described = _described_mlflow(blueprint)
    return Mlflow(described, blueprint, cluster, needed) if described else None


def _described_mlflow(blueprint: Blueprint) -> MlflowDescription | None:
    described = blueprint.described
    return described.hyperpod.mlflow if isinstance(described, HyperPodCluster) else None


def _volume(planned: Volume, registered: Lustre | None) -> Volume:
    """A file system with what AWS says of it; of one that existed before the description's word stands."""
    if registered is None:
        return planned
    assert planned.make is not None, "a file system that is registered is one that Muster makes"
    return replace(
        planned,
        file_system=registered.id,
        dns_name=registered.dns_name,
        mount_name=registered.mount_name,
        make=replace(planned.make, subnet=registered.subnet, security_group=registered.security_group),
    )
