"""A cluster on HyperPod with EKS: its instance groups, what they share, and Muster's lifecycle scripts.
`hyperpod_slurm` has the cluster with Slurm."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from muster.blueprint.cluster import Blueprint, HyperPod, Network
from muster.blueprint.derive.kubernetes import cluster_name, kubernetes, labels_of, security_group_of
from muster.blueprint.derive.network import SPANNED_ZONES, in_order, subnets_of
from muster.blueprint.dra import driven_on
from muster.blueprint.gpu_sharing import sharing_on
from muster.blueprint.group import Group, HyperPodGroup
from muster.blueprint.hyperpod.lifecycle_bundle import ON_CREATE, files
from muster.blueprint.hyperpod.task_governance import compute_quotas
from muster.blueprint.logical_names import (
    ARTIFACTS_REF,
    BUNDLE_REF,
    CLUSTER_REF,
    EFA_GROUP_REF,
    HYPERPOD_REF,
    MLFLOW_APP_REF,
    MLFLOW_REF,
    SAGEMAKER_PREFIX,
    bucket_prefix,
)
from muster.blueprint.node import Node
from muster.config.description.cluster import Cluster
from muster.config.description.group import Group as GroupDescription
from muster.config.description.hyperpod_settings import Autoscaling, Mlflow, NodeRecovery, Provisioning
from muster.config.description.hyperpod_settings import HyperPod as HyperPodSettings
from muster.config.description.hyperpod_slurm_nodes import Controller, LoginNodes
from muster.config.description.instance_group import InstanceSettings
from muster.config.description.instance_group import Lifecycle as LifecycleDescription
from muster.config.identifiers import aws_name_stem
from muster.fleet.resources import (
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    LifecycleBundle,
    Place,
    Ref,
    Reference,
    StorageVolume,
    Taint,
    TrackingServer,
)
from muster.fleet.resources.hyperpod import INSTANCE_GROUP
from muster.hardware import huge_pages
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import service_slots
from muster.unknown import UNKNOWN


def _tracking_server(described: Mlflow, name_stem: str) -> TrackingServer:
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


def hyperpod(described: Cluster, stack: str, region: str, around: Network) -> Blueprint:
    """The blueprint of a cluster on HyperPod; arguments as of `derive`, and the network."""
    subnets = tuple(sorted(list(around.private.values())[:SPANNED_ZONES], key=str))
    shared = in_order((security_group_of(described), EFA_GROUP_REF))
    groups = tuple(_group(name, described, around, subnets, shared) for name in described.groups)
    own, name_stem = described.hyperpod, aws_name_stem(cluster_name(described, stack))
    name, karpenter = own.name or name_stem, own.autoscaling is Autoscaling.KARPENTER
    cluster: HyperPodCluster = HyperPodCluster(
        ref=HYPERPOD_REF,
        name=name,
        orchestrator=UNKNOWN if described.control_plane.existing else CLUSTER_REF,
        subnets=subnets,
        security_groups=shared,
        place=Place("hyperpod"),
        node_recovery=node_recovery(own),
        provisioning="Continuous" if own.provisioning is Provisioning.CONTINUOUS else None,
        autoscaler="Karpenter" if karpenter else None,
        has_cluster_role=karpenter,
        memory_percent=own.tiered_storage.memory_percent if own.tiered_storage else None,
    )
    with_ours = [
        each.name for each in groups if each.resource.lifecycle and each.resource.lifecycle.source == BUNDLE_REF
    ]
    machines = HyperPod(
        cluster,
        bundle=_bundle(name, with_ours) if with_ours else None,
        quotas=compute_quotas(own.task_governance) if own.task_governance else (),
        tracking_server=_tracking_server(own.mlflow, name_stem) if own.mlflow else None,
    )
    return kubernetes(described, stack, region, around, groups, machines)


def node_recovery(described: HyperPodSettings) -> str:
    """Whether HyperPod replaces or reboots faulty nodes, with the API's word."""
    return "Automatic" if described.node_recovery is NodeRecovery.AUTOMATIC else "None"


def _bundle(name: str, groups: Iterable[str]) -> LifecycleBundle:
    return LifecycleBundle(
        ref=BUNDLE_REF,
        name=bucket_prefix(f"{SAGEMAKER_PREFIX}{name}"),
        files=frozenset(key for group in groups for key in files(group)),
        place=Place("hyperpod.lifecycle"),
    )


def _group(
    name: str, cluster: Cluster, network: Network, shared: tuple[Reference, ...], groups: tuple[Reference, ...]
) -> HyperPodGroup:
    """The group of that name.

    Args:
        name: its name.
        cluster: the description.
        network: the cluster's network.
        shared: the HyperPod cluster's own subnets.
        groups: the security groups of the HyperPod cluster.
    """
    described, plan = cluster.groups[name], cluster.groups[name].capacity.training_plan
    machine = hardware(described.instance).with_threads(described.hyperpod.threads_per_core)
    nics = service_slots(machine, described.layout)
    scripts = described.hyperpod.lifecycle or cluster.hyperpod.lifecycle
    # Only Muster's scripts reserve huge pages by default.
    efa = sum(slot.is_efa for slot in nics) if scripts.default else 0
    pages = described.huge_pages if described.huge_pages is not None else huge_pages.default_for(efa)
    sharing = sharing_on(cluster.addons, labels_of(name, described))
    subnets, carried = subnets_of(described, network), in_order((*groups, *described.security_groups))
    return Group(
        name=name,
        described=described,
        node=Node.of(machine, nics, pages, sharing, driven_on(cluster.addons.chosen, name), hyperpod=True),
        resource=replace(
            instances(name, described, cluster, subnets, carried, f"groups.{name}"),
            nodes_start=described.nodes.count,
            minimum=described.nodes.minimum,
            own_network=(subnets, carried) != (shared, groups),
            training_plan=plan.arn if plan else None,
            spot=described.capacity.spot is not None,
            labels=frozenset(labels_of(name, described).items()),
            # Nothing is derived here: HyperPod's checks run as pods, and no source has their tolerations.
            taints=frozenset(Taint(key, "true", effect.value) for key, effect in described.taints.items()),
            purpose=described.purpose,
            capacity=described.capacity,
            zone=described.only_zone,
            named_subnets=described.names_subnets,
            family=described.family,
            huge_pages=described.huge_pages,
        ),
        template=None,
    )


def instances(
    name: str,
    described: GroupDescription | Controller | LoginNodes,
    cluster: Cluster,
    subnets: tuple[Reference, ...],
    groups: tuple[Reference, ...],
    at: str,
) -> InstanceGroup:
    """What every instance group has, with either orchestrator.

    Args:
        name: its name.
        described: the group, or the nodes that run no jobs.
        cluster: the description.
        subnets: its subnets.
        groups: its security groups.
        at: its place in the description.
    """
    own = described.hyperpod
    return InstanceGroup(
        ref=Ref(INSTANCE_GROUP, name),
        cluster=HYPERPOD_REF,
        instance_type=described.instance_type,
        nodes_start=1,
        minimum=None,
        subnets=subnets,
        security_groups=groups,
        place=Place(at),
        threads_per_core=own.threads_per_core,
        lifecycle=_lifecycle(own.lifecycle or cluster.hyperpod.lifecycle),
        deep_checks=frozenset(each.aws for each in own.deep_health_checks),
        volumes=tuple(_volumes(own)),
        interface=own.interface.value if own.interface else None,
    )


def _volumes(own: InstanceSettings) -> Iterator[StorageVolume]:
    if own.root_volume_key:
        yield StorageVolume(None, root=True, key=own.root_volume_key)
    yield StorageVolume(own.volume.size.gib, key=own.volume.kms_key)


def _lifecycle(described: LifecycleDescription) -> Lifecycle | None:
    """The source of the group's scripts, as rules evaluate it. With Slurm, there are no scripts of Muster."""
    if described.own:
        own = described.own
        return Lifecycle(own.at, own.on_create, own.on_init_complete)
    return Lifecycle(BUNDLE_REF, ON_CREATE) if described.default else None
