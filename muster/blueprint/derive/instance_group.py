"""One instance group of HyperPod with everything it needs."""

from collections.abc import Iterator

from muster.blueprint import labels
from muster.blueprint.cluster import Network
from muster.blueprint.derive.network import subnets_of
from muster.blueprint.dra import driven_on
from muster.blueprint.gpu_sharing import sharing_on
from muster.blueprint.hyperpod.lifecycle_bundle import ON_CREATE
from muster.blueprint.kubernetes import HyperPodGroup
from muster.blueprint.logical_names import BUNDLE_REF, HYPERPOD_REF
from muster.blueprint.node import Node
from muster.config.description.group import Group as GroupDescription
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.description.instance_group import Lifecycle as LifecycleDescription
from muster.fleet.resources import InstanceGroup, Lifecycle, Place, Ref, Reference, StorageVolume, Taint
from muster.fleet.resources.hyperpod import INSTANCE_GROUP
from muster.hardware import huge_pages
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import service_slots


def instance_group(
    name: str, cluster: HyperPodCluster, network: Network, shared: tuple[Reference, ...], groups: tuple[Reference, ...]
) -> HyperPodGroup:
    """The group of that name.

    Args:
        name: its name.
        cluster: the description.
        network: the cluster's network.
        shared: the HyperPod cluster's own subnets.
        groups: the security groups of the HyperPod cluster.
    """
    described = cluster.groups[name]
    machine = hardware(described.instance).with_threads(described.hyperpod.threads_per_core)
    nics = service_slots(machine, described.layout)
    scripts = described.hyperpod.lifecycle or cluster.hyperpod.lifecycle
    # Only Muster's scripts reserve huge pages by default.
    efa = sum(slot.is_efa for slot in nics) if scripts.default else 0
    pages = described.huge_pages if described.huge_pages is not None else huge_pages.default_for(efa)
    sharing = sharing_on(cluster.addons, labels.labels(name, described.purpose, described.labels))
    derived = _derived(name, cluster, subnets_of(described, network), shared, groups)
    return HyperPodGroup(
        name=name,
        described=described,
        node=Node.of_hyperpod(machine, nics, pages, sharing, driven_on(cluster.addons.chosen, name)),
        instance_group=derived,
    )


def _derived(
    name: str,
    cluster: HyperPodCluster,
    subnets: tuple[Reference, ...],
    shared: tuple[Reference, ...],
    groups: tuple[Reference, ...],
) -> InstanceGroup:
    described = cluster.groups[name]
    own, plan = described.hyperpod, described.capacity.training_plan
    carried = tuple(sorted((*groups, *described.security_groups), key=str))
    return InstanceGroup(
        ref=Ref(INSTANCE_GROUP, name),
        cluster=HYPERPOD_REF,
        instance_type=described.instance_type,
        nodes_start=described.nodes.count,
        minimum=described.nodes.minimum,
        subnets=subnets,
        security_groups=carried,
        place=Place(f"groups.{name}"),
        own_network=(subnets, carried) != (shared, groups),
        threads_per_core=own.threads_per_core,
        lifecycle=lifecycle(own.lifecycle or cluster.hyperpod.lifecycle),
        deep_checks=frozenset(each.aws for each in own.deep_health_checks),
        volumes=tuple(_volumes(described)),
        training_plan=plan.arn if plan else None,
        spot=described.capacity.spot is not None,
        interface=own.interface.value if own.interface else None,
        labels=frozenset(labels.labels(name, described.purpose, described.labels).items()),
        # Nothing is derived here: HyperPod's checks run as pods, and no source has their tolerations.
        taints=frozenset(Taint(key, "true", effect.value) for key, effect in described.taints.items()),
        purpose=described.purpose,
        capacity=described.capacity,
        zone=described.only_zone,
        family=described.family,
        huge_pages=described.huge_pages,
    )


def _volumes(described: GroupDescription) -> Iterator[StorageVolume]:
    own = described.hyperpod
    if own.root_volume_key:
        yield StorageVolume(None, root=True, key=own.root_volume_key)
    yield StorageVolume(own.volume.size.gib, key=own.volume.kms_key)


def lifecycle(described: LifecycleDescription) -> Lifecycle | None:
    """The source of the group's scripts, as rules evaluate it."""
    if described.own:
        own = described.own
        return Lifecycle(own.at, own.on_create, own.on_init_complete)
    return Lifecycle(BUNDLE_REF, ON_CREATE) if described.default else None
