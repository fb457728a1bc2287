"""The composition root: the only place that joins `infra` and `addons`, and orders them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pulumi

from addons.catalogue import CATALOGUE
from addons.catalogue.lustre_volumes import claim_of
from addons.installation import Addons, ClusterHandle
from addons.site import Mirrors, Site, Volume
from addons.values import version_of
from infra.capacity import GroupCapacity
from infra.cluster import Cluster
from infra.component import stack_tags
from infra.efa_security_group import EfaSecurityGroup
from infra.eks_addon import NEEDS_NODES, EksAddon
from infra.existing_cluster import ExistingCluster
from infra.hyperpod.cluster import HyperPod
from infra.hyperpod.mlflow import Mlflow
from infra.joined import Joined
from infra.lustre import Lustre
from infra.node_group import NodeGroup
from infra.registry import Registry
from infra.self_managed_node_group import SelfManagedNodeGroup
from infra.surroundings import Surroundings
from muster.contract import CONTRACT, SECRETS, read_cluster, read_kubeconfig
from muster.contract import Cluster as ClusterContract
from muster.fleet.blueprint import Blueprint, EksGroup, HyperPodGroup, KubernetesGroup, Storage
from muster.fleet.description import AddonsOf, HyperPodCluster
from muster.fleet.description.group_core import Purpose, Tier
from muster.fleet.description.mlflow import Mlflow as MlflowDescription
from muster.fleet.description.storage import Lustre as LustreDescription
from muster.fleet.hyperpod.operation import LOG_STREAMS, list_nodes, session
from muster.versions import MLFLOW_CLIENTS


def deploy(blueprint: Blueprint) -> None:
    """Registers everything of a blueprint and exports the contract.

    Order: the network; the control plane, and file systems beside it; the add-ons that a node needs to become Ready,
    and those that HyperPod wants to find; the groups, once file systems stand: a node that costs by the hour does not
    wait for them, and on destroy none is left with one mounted that is gone; CoreDNS, which needs a node; the other
    Kubernetes add-ons. Destroy goes the other way.
    """
    around = Surroundings.of(blueprint)
    cluster: Joined = ExistingCluster(blueprint) if blueprint.control_plane.existing else Cluster(blueprint, around)
    efa = EfaSecurityGroup(blueprint, around) if blueprint.efa_security_group else None
    before, after = (
        [addon for addon in blueprint.eks_addons if (addon.name in NEEDS_NODES) is late] for late in (False, True)
    )
    first: list[pulumi.Resource] = [EksAddon(addon, blueprint, cluster, [cluster]) for addon in before]
    storage = {
        each.name: Lustre(each, each.described, blueprint, cluster, around, efa)
        for each in blueprint.storage
        if isinstance(each.described, LustreDescription)
    }
    mlflow = _mlflow(blueprint, cluster, first)
    handle = _handle(blueprint, cluster, (cluster, *cluster.access, *around.ready, *first))
    addons = Addons(handle) if handle.site.own.chosen or handle.site.own.charts or handle.accounts else None
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
        volumes = tuple(_volume(each, storage.get(each.name)) for each in handle.site.volumes)
        site = replace(handle.site, volumes=volumes)
        addons.after_nodes(replace(handle, site=site, ready=(*handle.ready, *nodes, *late)))
    for name, value in outputs(blueprint, cluster, around, efa, groups, machines, storage, registry, mlflow).items():
        pulumi.export(name, pulumi.Output.secret(value) if name in SECRETS else value)


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
        site = Site.of_contract(cluster, described.addons.chosen, described.addons.charts, mirrors)
        Addons.on(ClusterHandle(read_kubeconfig(reference), cluster.cluster.arn, site, tags={"muster:stack": stack}))
        return _addons_output(site)

    cluster: pulumi.Output[ClusterContract] = read_cluster(reference).apply(with_kubeconfig)
    pulumi.export("contract", CONTRACT)
    pulumi.export("addonsOf", described.addons_of)
    pulumi.export("addons", cluster.apply(install))


def _handle(blueprint: Blueprint, cluster: Joined, ready: tuple[pulumi.Resource, ...]) -> ClusterHandle:
    """The cluster as add-ons see it, before it has nodes."""
    site = replace(Site.of_blueprint(blueprint), cluster=cluster.name)
    made = None if blueprint.control_plane.existing else cluster
    described = _described_mlflow(blueprint)
    accounts = ((described.pods.namespace, described.pods.service_account),) if described else ()
    return ClusterHandle(cluster.kubeconfig, cluster.arn, site, ready, made, stack_tags(blueprint), accounts)


def _mlflow(blueprint: Blueprint, cluster: Joined, needed: list[pulumi.Resource]) -> Mlflow | None:
    described = _described_mlflow(blueprint)
    return Mlflow(described, blueprint, cluster, needed) if described else None


def _described_mlflow(blueprint: Blueprint) -> MlflowDescription | None:
    described = blueprint.described
    return described.hyperpod.mlflow if isinstance(described, HyperPodCluster) else None


def _addons_output(site: Site) -> dict[str, Any]:
    """The add-ons of the catalogue that this stack installs."""
    return {
        name: {"version": version_of(CATALOGUE[name], options), "namespace": CATALOGUE[name].namespace}
        for name, options in site.own.chosen.items()
    }


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


def outputs(
    blueprint: Blueprint,
    cluster: Joined,
    around: Surroundings,
    efa: EfaSecurityGroup | None,
    groups: Mapping[str, NodeGroup | SelfManagedNodeGroup],
    machines: HyperPod | None,
    storage: Mapping[str, Lustre],
    registry: Registry | None,
    mlflow: Mlflow | None,
) -> dict[str, Any]:
    """The stack's outputs by the contract (`muster.contract.Cluster`)."""
    described, site = blueprint.described, Site.of_blueprint(blueprint)
    subnets = {tier: {zone: around.id(subnet) for zone, subnet in blueprint.network.of(tier).items()} for tier in Tier}
    return {
        "contract": CONTRACT,
        "backend": described.backend,
        "region": blueprint.region,
        "cluster": {
            "name": cluster.name,
            "arn": cluster.arn,
            "version": cluster.version,
            "endpoint": cluster.endpoint,
            "endpointMode": cluster.endpoint_mode,
            "certificateAuthority": cluster.certificate_authority,
            "oidcIssuer": cluster.oidc_issuer,
            "oidcProviderArn": None,
            "serviceCidr": cluster.service_cidr,
        },
        "kubeconfig": cluster.kubeconfig,
        "nodeGroups": {
            **{group.name: _group_output(group, blueprint, groups[group.name]) for group in blueprint.eks_groups},
            **{group.name: _instance_group_output(group, blueprint, machines) for group in blueprint.instance_groups},
        },
        "hyperpod": _hyperpod_output(blueprint, machines) if machines else None,
        "mlflow": _mlflow_output(mlflow) if mlflow else None,
        "network": {
            "vpc": around.vpc,
            "privateSubnets": subnets[Tier.PRIVATE],
            "publicSubnets": subnets[Tier.PUBLIC],
            "securityGroups": {"cluster": cluster.security_group, "efa": efa.id if efa else None},
            "cidr": blueprint.network.cidr,
            "zoneIds": blueprint.network.zone_ids,
            "privateRouteTables": around.private_route_tables,
            "natAddresses": around.nat_addresses,
        },
        "storage": {
            each.name: _storage_output(each, storage.get(each.name), claim_of(site.own, each.name))
            for each in blueprint.storage
        },
        "addons": _addons_output(site),
        "charts": {
            release: {"chart": each.chart, "version": each.version, "namespace": each.namespace}
            for release, each in site.own.charts.items()
        },
        "eksAddons": {str(each.name): each.version for each in blueprint.eks_addons},
        "registry": registry.url if registry else None,
        "buckets": {"mlflow": mlflow.bucket.name} if mlflow else {},
        "logGroups": {
            **({"controlPlane": cluster.log_group} if cluster.log_group is not None else {}),
            **({"hyperpod": machines.log_group} if machines else {}),
        },
        "queues": {},
    }


def _group_output(
    group: EksGroup, blueprint: Blueprint, registered: NodeGroup | SelfManagedNodeGroup
) -> dict[str, Any]:
    return {
        **_nodes_output(group, blueprint),
        "roleArn": registered.role_arn,
        "capacity": _capacity_output(group, registered.capacity),
        "managed": group.node_group.managed,
        "amiType": group.node_group.ami_type,
        "autoScalingGroup": registered.auto_scaling_group,
    }


def _instance_group_output(group: HyperPodGroup, blueprint: Blueprint, registered: HyperPod | None) -> dict[str, Any]:
    assert registered is not None, "instance groups are part of a HyperPod cluster"
    described, plan = group.described.capacity, group.described.capacity.training_plan
    return {
        **_nodes_output(group, blueprint),
        "roleArn": registered.role_arn,
        "capacity": {
            "kind": described.chosen,
            "trainingPlan": plan.arn if plan else None,
            "zone": plan.zone if plan else None,
            "count": plan.count if plan else None,
        },
        "threadsPerCore": group.described.hyperpod.threads_per_core,
        "session": registered.cluster_id.apply(lambda id_: session(id_, group.name, blueprint.region)),
    }


def _nodes_output(group: KubernetesGroup, blueprint: Blueprint) -> dict[str, Any]:
    """What is said of a group's nodes, whichever service runs them."""
    described, nodes = group.described, group.described.nodes_now
    return {
        "purpose": described.purpose.value,
        "instanceType": described.instance_type,
        "zones": list(blueprint.zones(group)),
        "count": {"min": nodes.min, "start": nodes.start, "max": nodes.max},
        "offers": group.node.offers,
        "allocatable": group.node.allocatable_resources,
        "pods": group.node.allocatable.pods,
        "labels": dict(sorted(group.labels.items())),
        "taints": [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in sorted(group.taints)],
        "imageFamily": described.family.value,
        "interfaces": described.layout.value,
    }


def _hyperpod_output(blueprint: Blueprint, registered: HyperPod) -> dict[str, Any]:
    return {
        "name": registered.name,
        "arn": registered.arn,
        "id": registered.cluster_id,
        "lifecycle": registered.bucket,
        "listNodes": registered.name.apply(lambda name: list_nodes(name, blueprint.region)),
        "logStreams": LOG_STREAMS,
    }


def _mlflow_output(registered: Mlflow) -> dict[str, Any]:
    return {
        "name": registered.name,
        "arn": registered.arn,
        "url": registered.url,
        "version": registered.version,
        "client": f"mlflow=={MLFLOW_CLIENTS[registered.version]}",
        "artifacts": registered.artifacts,
        "namespace": registered.pods.namespace,
        "serviceAccount": registered.pods.service_account,
        "roleArn": registered.pods_role,
    }


def _capacity_output(group: EksGroup, registered: GroupCapacity) -> dict[str, Any]:
    described = group.described.capacity
    held, block = described.held, described.capacity_block
    return {
        "kind": described.chosen,
        "reservation": registered.reservation,
        "reservationGroup": registered.reservation_group,
        "zone": held.zone if held else None,
        "count": held.count if held else None,
        "starts": block.starts.isoformat() if block else None,
        "ends": block.ends.isoformat() if block else None,
        "placementGroup": registered.placement_group,
    }


def _storage_output(storage: Storage, registered: Lustre | None, claim: tuple[str, str] | None) -> dict[str, Any]:
    """A file system; of one that exists what the description says."""
    derived, described = storage.file_system, storage.described
    name, namespace = claim or (None, None)
    claimed = {"claim": name, "claimNamespace": namespace}
    if registered is None or not isinstance(described, LustreDescription):
        said = {"fileSystem": derived.id, "dnsName": derived.dns_name, "mountName": derived.mount_name}
        return {**said, **claimed, "zone": storage.zone}
    return {
        "fileSystem": registered.id,
        "dnsName": registered.dns_name,
        "mountName": registered.mount_name,
        **claimed,
        "capacity": f"{described.size.gib}Gi",
        "type": derived.deployment,
        "disk": derived.disk,
        "throughput": derived.throughput,
        "version": derived.version,
        "zone": storage.zone,
        "securityGroup": registered.security_group,
        "efa": described.efa,
    }
