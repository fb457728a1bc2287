"""A cluster on HyperPod with Slurm: the controller, the login nodes, the compute groups and their partitions."""

from collections.abc import Iterator
from dataclasses import replace

from muster.blueprint.cluster import ClusterBlueprint, HyperPodSlurmBlueprint, Network, ServiceNodes, Storage
from muster.blueprint.derive.hyperpod import instances, node_recovery
from muster.blueprint.derive.network import in_order, subnets_in
from muster.blueprint.derive.storage import nodes_group, storage
from muster.blueprint.group import Group, HyperPodSlurmGroup
from muster.blueprint.logical_names import HYPERPOD_REF, NODES_GROUP_REF
from muster.blueprint.node import SlurmNode
from muster.blueprint.slurm import JobEnvironment, SlurmQueue
from muster.config.description.cluster import Cluster
from muster.config.description.hyperpod_settings import Provisioning
from muster.config.description.hyperpod_slurm_nodes import EVERY_NODE, Controller, LoginNodes
from muster.config.description.node_group import Purpose, Tier
from muster.fleet.resources import (
    FileSystemMount,
    InstanceGroup,
    Lifecycle,
    LustreFileSystem,
    Place,
    Reference,
    SlurmHyperPodCluster,
)
from muster.fleet.resources.hyperpod import LUSTRE_MOUNT, OPENZFS_MOUNT
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import slots
from muster.hardware.zones import domain_of
from muster.size import Size

HOME = "/home"

SCRATCH = "/opt/dlami/nvme"
"""Where HyperPod's image for Slurm mounts a node's NVMe disks (awsome-distributed-training,
`LifecycleScripts/base-config/utils/install_enroot_pyxis.sh`)."""

AUTO_RESUME = "--auto-resume=1"
"""The option of `srun` with which HyperPod runs a step again after it has replaced a node (SageMaker guide, "Automatic
node recovery and auto-resume")."""

SLURM = "24.11"
"""The version of Slurm in HyperPod's images (SageMaker guide, sagemaker-hyperpod-release-ami-slurm, 2025-05-13 to
2026-01-25). They have Ubuntu 22.04 with kernel 6.8."""


def hyperpod_slurm(described: Cluster, stack: str, region: str, around: Network) -> HyperPodSlurmBlueprint:
    """The blueprint of a cluster on HyperPod with Slurm; arguments as of `derive`, and the network."""
    groups = tuple(_group(name, described, around) for name in described.groups)
    placed = _in_zone(around, _zone(described, around))
    stored = storage(described, placed, groups, NODES_GROUP_REF, NODES_GROUP_REF, region)
    mounts = tuple(_mounts(described, stored, region))
    groups = tuple(replace(each, resource=replace(each.resource, mounts=mounts)) for each in groups)
    service = tuple(
        ServiceNodes(
            name=each.name,
            at=key,
            described=each,
            count=each.nodes,
            resource=replace(_service(key, each, described, around), mounts=mounts),
        )
        for key, each in described.service_nodes.items()
    )
    own, name = described.hyperpod, described.name or stack
    return ClusterBlueprint(
        stack=stack,
        region=region,
        cluster_name=name,
        described=described,
        groups=groups,
        queues=_queues(groups),
        storage=stored,
        network=around,
        cluster=SlurmHyperPodCluster(
            ref=HYPERPOD_REF,
            name=name,
            orchestrator=None,
            subnets=_shared(described, around),
            security_groups=(NODES_GROUP_REF,),
            place=Place("hyperpod"),
            slurm=True,
            node_recovery=node_recovery(own),
            provisioning="Continuous" if own.provisioning is Provisioning.CONTINUOUS else None,
        ),
        service_nodes=service,
        security_group=nodes_group(NODES_GROUP_REF, "hyperpod", stored, itself=True),
        jobs=_environment(described, service[-1].resource),
        s3_addresses=tuple(
            each.lifecycle.source
            for each in (*(nodes.resource for nodes in service), *(group.resource for group in groups))
            if isinstance(each.lifecycle, Lifecycle) and isinstance(each.lifecycle.source, str)
        ),
    )


def _queues(groups: tuple[HyperPodSlurmGroup, ...]) -> tuple[SlurmQueue[HyperPodSlurmGroup], ...]:
    """The partitions: the one with all nodes, which is the default, then the others by name.

    A job has its nodes alone in the first one (ai-on-sagemaker-hyperpod, `08-gres.md`: OverSubscribe=EXCLUSIVE).
    """
    named: dict[str, list[HyperPodSlurmGroup]] = {}
    for group in groups:
        named.setdefault(group.queue, []).append(group)
    own = sorted((name, tuple(listed)) for name, listed in named.items() if name != EVERY_NODE)
    every = SlurmQueue(name=EVERY_NODE, groups=groups, exclusive=True)
    return (every, *(SlurmQueue(name=name, groups=listed, exclusive=False) for name, listed in own))


def _environment(described: Cluster, submits: InstanceGroup) -> JobEnvironment:
    """What a batch script finds on HyperPod's nodes.

    Args:
        described: the description.
        submits: the nodes on which people submit jobs.
    """
    every = (*described.service_nodes.values(), *described.groups.values())
    return JobEnvironment(
        submit_on="a login node" if described.login else "the controller",
        shared=None,
        scratch=SCRATCH,
        # Slurm's configuration of HyperPod does not limit memory (`muster.rehearsal.slurm.services`).
        counts_memory=False,
        software="your lifecycle scripts",
        has_docker=_own_setup(submits.lifecycle),
        containers_if="install Pyxis and Enroot with your lifecycle scripts",
        same_features="HyperPod's nodes have no features; give each group its own partition",
        step_options=(AUTO_RESUME,),
        # As AWS's settings of Enroot have it (awsome-distributed-training, `utils/enroot.conf`).
        enroot="~/enroot",
        # The newest images have driver 580 or later (the page of `SLURM`).
        driver_unknown="the image of your description" if any(each.hyperpod.image for each in every) else "",
    )


def _own_setup(lifecycle: Lifecycle | None) -> bool:
    """Whether HyperPod itself sets up the instances of a group: it installs Docker, Enroot and Pyxis (SageMaker guide,
    smcluster-getting-started-slurm-cli, Option A). With `OnCreate`, the scripts install what there is."""
    return not (isinstance(lifecycle, Lifecycle) and lifecycle.on_create)


def _zone(described: Cluster, around: Network) -> str | None:
    """The zone of the cluster. A training group in a zone without a subnet does not decide it: the group is wrong."""
    training = [each for each in described.groups.values() if each.purpose is Purpose.TRAINING]
    listed = (*(each.only_zone for each in training), *around.private)
    return described.zone or next((zone for zone in listed if zone in around.private), None)


def _in_zone(around: Network, zone: str | None) -> Network:
    """The network with the zone of the cluster first, in which a file system is that sets no zone."""
    private = dict(around.private)
    first = {zone: private[zone]} if zone in private else {}
    return replace(around, private={**first, **private})


def _shared(described: Cluster, around: Network) -> tuple[Reference, ...]:
    """The cluster's own subnets. A zone without a private subnet gives none."""
    subnet = around.private.get(_zone(described, around) or "")
    return (subnet,) if subnet else ()


def _group(name: str, cluster: Cluster, around: Network) -> HyperPodSlurmGroup:
    described = cluster.groups[name]
    machine = hardware(described.instance).with_threads(described.hyperpod.threads_per_core)
    shared = _shared(cluster, around)
    by_zone = described.only_zone is None and described.subnets is Tier.PRIVATE
    subnets = shared if by_zone else subnets_in(described.subnets, [described.only_zone], around)
    plan = described.capacity.training_plan
    carried = in_order((NODES_GROUP_REF, *described.security_groups))
    made = instances(name, described, cluster, subnets, carried, f"groups.{name}")
    controller = _service("controller", cluster.controller, cluster, around)
    return Group(
        name=name,
        described=described,
        # HyperPod writes all memory that EC2 states (aws-samples/playground-persistent-cluster,
        # SIMULATE-UNHEALTHY-INSTANCE.md: RealMemory=2097152 on a p5).
        node=SlurmNode(machine, slots(machine, described.layout), Size(machine.memory_mib)),
        queue=described.partition,
        has_pyxis=True if _own_setup(controller.lifecycle) and _own_setup(made.lifecycle) else None,
        resource=replace(
            made,
            nodes_start=described.nodes.count,
            minimum=described.nodes.minimum,
            own_network=subnets != shared or bool(described.security_groups),
            training_plan=plan.arn if plan else None,
            node_type="Compute",
            partitions=(described.partition,),
            purpose=described.purpose,
            capacity=described.capacity,
            zone=described.only_zone,
            named_subnets=described.names_subnets,
        ),
        template=None,
    )


def _service(key: str, described: Controller | LoginNodes, cluster: Cluster, around: Network) -> InstanceGroup:
    carried = in_order((NODES_GROUP_REF, *described.security_groups))
    return replace(
        instances(described.name, described, cluster, _shared(cluster, around), carried, key),
        nodes_start=described.nodes,
        own_network=bool(described.security_groups),
        node_type=key.capitalize(),
        purpose=Purpose.SYSTEM,
        zone=_zone(cluster, around) if key == "controller" else None,
    )


def _mounts(described: Cluster, stored: tuple[Storage, ...], region: str) -> Iterator[FileSystemMount]:
    """The file systems of every node."""
    for each in stored:
        system = each.file_system
        lustre = isinstance(system, LustreFileSystem)
        yield FileSystemMount(
            LUSTRE_MOUNT if lustre else OPENZFS_MOUNT,
            system.dns_name or system.ref,
            system.mount_name if lustre else None,
            f"/{each.name}",
        )
    if home := described.home:
        dns = home.dns_name or f"{home.id}.fsx.{region}.{domain_of(region)}"
        yield FileSystemMount(OPENZFS_MOUNT, dns, None, HOME)
