"""A cluster on HyperPod with Slurm: the controller, the login nodes, the compute groups and their partitions."""

from collections.abc import Iterator
from dataclasses import replace

from muster.blueprint.cluster import Network, Storage
from muster.blueprint.derive.network import network
from muster.blueprint.derive.storage import storage
from muster.blueprint.hyperpod.slurm import HyperPodSlurmBlueprint, HyperPodSlurmGroup, ServiceNodes, queues_of
from muster.blueprint.logical_names import HYPERPOD_REF, NODES_GROUP_REF
from muster.blueprint.node import SlurmNode
from muster.config.description.group import Group
from muster.config.description.hyperpod_settings import NodeRecovery, Provisioning
from muster.config.description.hyperpod_slurm_cluster import HyperPodSlurmCluster
from muster.config.description.hyperpod_slurm_nodes import EVERY_NODE, Controller, LoginNodes
from muster.config.description.instance_group import InstanceSettings
from muster.config.description.instance_group import Lifecycle as LifecycleDescription
from muster.config.description.node_group import Purpose
from muster.fleet.facts import Facts
from muster.fleet.resources import (
    FileSystemMount,
    InstanceGroup,
    Lifecycle,
    Place,
    Ref,
    Reference,
    SecurityGroup,
    SlurmHyperPodCluster,
    StorageVolume,
)
from muster.fleet.resources.ec2 import EGRESS, EVERYWHERE, INGRESS, all_traffic
from muster.fleet.resources.hyperpod import INSTANCE_GROUP, LUSTRE_MOUNT, OPENZFS_MOUNT
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import slots
from muster.hardware.zones import domain_of
from muster.size import Size

HOME = "/home"


def hyperpod_slurm(
    described: HyperPodSlurmCluster, stack: str, region: str, facts: Facts | None, facts_file: str
) -> HyperPodSlurmBlueprint:
    """The blueprint of a cluster on HyperPod with Slurm; arguments as of `derive`."""
    around = network(described, facts)
    groups = tuple(_group(name, described, around) for name in described.groups)
    placed = _in_zone(around, _zone(described, around))
    stored = storage(described, placed, groups, NODES_GROUP_REF, NODES_GROUP_REF, region)
    mounts = tuple(_mounts(described, stored, region))
    groups = tuple(replace(each, instance_group=replace(each.instance_group, mounts=mounts)) for each in groups)
    service = {
        key: ServiceNodes(key, each, replace(_service(key, each, described, around), mounts=mounts))
        for key, each in described.service_nodes.items()
    }
    own, name = described.hyperpod, described.name or stack
    continuous = own.provisioning is Provisioning.CONTINUOUS
    return HyperPodSlurmBlueprint(
        stack=stack,
        region=region,
        cluster_name=name,
        described=described,
        groups=groups,
        queues=queues_of(groups, EVERY_NODE),
        storage=stored,
        network=around,
        facts=facts,
        facts_file=facts_file,
        cluster=SlurmHyperPodCluster(
            ref=HYPERPOD_REF,
            name=name,
            orchestrator=None,
            subnets=_shared(described, around),
            security_groups=(NODES_GROUP_REF,),
            place=Place("hyperpod"),
            slurm=True,
            node_recovery="Automatic" if own.node_recovery is NodeRecovery.AUTOMATIC else "None",
            provisioning="Continuous" if continuous else None,
        ),
        controller=service["controller"],
        login=service.get("login"),
        nodes_security_group=_nodes_group(stored),
    )


def _zone(described: HyperPodSlurmCluster, around: Network) -> str | None:
    """The zone of the cluster. A training group in a zone without a subnet does not decide it: the group is wrong."""
    training = [each for each in described.groups.values() if each.purpose is Purpose.TRAINING]
    listed = (*(each.only_zone for each in training), *around.private)
    return described.zone or next((zone for zone in listed if zone in around.private), None)


def _in_zone(around: Network, zone: str | None) -> Network:
    """The network with the zone of the cluster first, in which a file system is that sets no zone."""
    private = dict(around.private)
    first = {zone: private[zone]} if zone in private else {}
    return replace(around, private={**first, **private})


def _shared(described: HyperPodSlurmCluster, around: Network) -> tuple[Reference, ...]:
    """The cluster's own subnets. A zone without a private subnet gives none."""
    subnet = around.private.get(_zone(described, around) or "")
    return (subnet,) if subnet else ()


def _group(name: str, cluster: HyperPodSlurmCluster, around: Network) -> HyperPodSlurmGroup:
    described = cluster.groups[name]
    machine = hardware(described.instance).with_threads(described.hyperpod.threads_per_core)
    shared = _shared(cluster, around)
    subnet = around.private.get(described.only_zone or "")
    subnets = shared if described.only_zone is None else (subnet,) if subnet else ()
    plan = described.capacity.training_plan
    return HyperPodSlurmGroup(
        name=name,
        described=described,
        # HyperPod writes all memory that EC2 states (aws-samples/playground-persistent-cluster,
        # SIMULATE-UNHEALTHY-INSTANCE.md: RealMemory=2097152 on a p5).
        node=SlurmNode(machine, slots(machine, described.layout), Size(machine.memory_mib)),
        queue=described.partition,
        instance_group=replace(
            _instances(name, described, described.hyperpod, cluster, subnets, f"groups.{name}"),
            nodes_start=described.nodes.count,
            minimum=described.nodes.minimum,
            own_network=subnets != shared or bool(described.security_groups),
            training_plan=plan.arn if plan else None,
            node_type="Compute",
            partitions=(described.partition,),
            purpose=described.purpose,
            capacity=described.capacity,
            zone=described.only_zone,
        ),
    )


def _service(
    key: str, described: Controller | LoginNodes, cluster: HyperPodSlurmCluster, around: Network
) -> InstanceGroup:
    subnets = _shared(cluster, around)
    return replace(
        _instances(described.name, described, described.hyperpod, cluster, subnets, key),
        nodes_start=described.nodes,
        own_network=bool(described.security_groups),
        node_type=key.capitalize(),
        purpose=Purpose.SYSTEM,
        zone=_zone(cluster, around) if key == "controller" else None,
    )


def _instances(
    name: str,
    described: Group | Controller | LoginNodes,
    own: InstanceSettings,
    cluster: HyperPodSlurmCluster,
    subnets: tuple[Reference, ...],
    at: str,
) -> InstanceGroup:
    """What every instance group has."""
    return InstanceGroup(
        ref=Ref(INSTANCE_GROUP, name),
        cluster=HYPERPOD_REF,
        instance_type=described.instance_type,
        nodes_start=1,
        minimum=None,
        subnets=subnets,
        security_groups=tuple(sorted((NODES_GROUP_REF, *described.security_groups), key=str)),
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
    own = described.own
    return Lifecycle(own.at, own.on_create, own.on_init_complete) if own else None


def _mounts(described: HyperPodSlurmCluster, stored: tuple[Storage, ...], region: str) -> Iterator[FileSystemMount]:
    """The file systems of every node."""
    for each in stored:
        system = each.file_system
        yield FileSystemMount(LUSTRE_MOUNT, system.dns_name or system.ref, system.mount_name, f"/{each.name}")
    if home := described.home:
        dns = home.dns_name or f"{home.id}.fsx.{region}.{domain_of(region)}"
        yield FileSystemMount(OPENZFS_MOUNT, dns, None, HOME)


def _nodes_group(stored: tuple[Storage, ...]) -> SecurityGroup:
    """Everything from and to itself, which EFA and Slurm need, and out to everywhere. File systems add no rules to it:
    these allow them."""
    peers = frozenset(each.security_group.ref for each in stored if each.security_group)
    rules = frozenset(
        (all_traffic(INGRESS, NODES_GROUP_REF), all_traffic(EGRESS, NODES_GROUP_REF), all_traffic(EGRESS, EVERYWHERE))
    )
    own = (each.security_group for each in stored)
    added = frozenset(
        replace(rule, peer=each.ref) for each in own if each for rule in each.allows if rule.peer == NODES_GROUP_REF
    )
    return SecurityGroup(NODES_GROUP_REF, True, True, Place("hyperpod"), peers, rules | added)
