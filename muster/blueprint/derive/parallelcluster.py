"""A Slurm cluster on ParallelCluster: its head node, its login nodes, its queues, their compute resources."""

from dataclasses import replace

from muster.blueprint.cluster import ClusterBlueprint, Network, ParallelClusterBlueprint, ServiceNodes
from muster.blueprint.derive.capacity import capacity_source, placement_group
from muster.blueprint.derive.network import in_order, subnets_in
from muster.blueprint.derive.storage import nodes_group, storage
from muster.blueprint.group import Group, ParallelClusterGroup, PlacementGroup
from muster.blueprint.iam import parallelcluster_policies
from muster.blueprint.logical_names import KEY_PAIR_REF, NODES_GROUP_REF, PARALLELCLUSTER_REF
from muster.blueprint.node import SlurmNode
from muster.blueprint.parallelcluster.configuration import APPS, EBS, SCRATCH
from muster.blueprint.parallelcluster.keys import DELETION
from muster.blueprint.parallelcluster.post_install import bucket, scripts
from muster.blueprint.slurm import JobEnvironment, SlurmQueue, queues_in_order
from muster.config.description.capacity import Capacity
from muster.config.description.cluster import Cluster
from muster.config.description.node_group import Tier
from muster.config.description.parallelcluster_nodes import HeadNode as HeadNodeDescription
from muster.config.description.parallelcluster_nodes import PostInstall, Software
from muster.config.description.queues import LoginPool as LoginPoolDescription
from muster.config.description.queues import Queue as QueueDescription
from muster.config.description.slurm_settings import Os
from muster.fleet.resources import (
    CapacityTarget,
    ComputeResource,
    HeadNode,
    LoginPool,
    Mount,
    ParallelCluster,
    Place,
    Placement,
    Queue,
    Ref,
    Reference,
    Script,
)
from muster.fleet.resources.parallelcluster import COMPUTE_RESOURCE, HEAD_NODE, LOGIN_POOL, QUEUE, UPDATED
from muster.hardware.ami import platform_of
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import service_slots

HEAD_REF = Ref(HEAD_NODE, "head")
NOWHERE = "127.0.0.1/32"
"""Allows no address. Without `AllowedIps`, ParallelCluster opens port 22 to the world, even if there is no key."""

_OLD_KERNELS = frozenset({Os.RHEL8, Os.RHEL9, Os.ROCKY8, Os.ROCKY9})
"""Kernels 4.18 and 5.14."""


def slurm(described: Cluster, stack: str, region: str, around: Network) -> ParallelClusterBlueprint:
    """The blueprint of a cluster on ParallelCluster; arguments as of `derive`, and the network."""
    name = described.name or stack
    queues = tuple(_queue(each, described, around, name, region) for each in queues_in_order(described))
    groups = tuple(group for queue in queues for group in queue.groups)
    stored = storage(described, around, groups, NODES_GROUP_REF, NODES_GROUP_REF, region)
    mounts: list[Mount] = [
        Mount(each.name, each.kind.in_parallelcluster[0], file_system=each.mounted) for each in stored
    ]
    for key, each in described.storage.items():
        if each.ebs:
            mounts.append(Mount(key, EBS, deletion=DELETION.write(each.ebs.on_destroy)))
        elif each.existing_ebs:
            mounts.append(Mount(key, EBS, file_system=each.existing_ebs.id))
    head = _head(described, around, region)
    pools = tuple(_login_pool(each, described, around, head, region) for each in sorted(described.login_nodes))
    every = (head.scripts, *(each.resource.scripts for each in queues), *(each.resource.scripts for each in pools))
    return ClusterBlueprint(
        stack=stack,
        region=region,
        cluster_name=name,
        described=described,
        groups=groups,
        storage=stored,
        network=around,
        cluster=ParallelCluster(
            ref=PARALLELCLUSTER_REF,
            name=name,
            version=described.version,
            os=described.os.value,
            image=described.image,
            place=Place(""),
            mounts=(Mount(APPS, EBS), *sorted(mounts, key=lambda each: str(each.name))),
            bucket=described.s3_bucket,
            setting_names=frozenset(described.slurm.settings),
            database=described.accounting is not None,
            boundary=described.iam.permissions_boundary,
            prefix=described.iam.path,
            functions_role=described.iam.roles.lambda_functions,
        ),
        service_nodes=(
            ServiceNodes(name="head", at="head", described=described.head, count=1, resource=head),
            *pools,
        ),
        queues=queues,
        security_group=nodes_group(NODES_GROUP_REF, "head", stored, itself=False),
        jobs=_environment(described),
        s3_addresses=(
            *described.s3,
            *([f"s3://{described.s3_bucket}"] if described.s3_bucket else []),
            *(f"s3://{place[0]}" for found in every for place in map(bucket, found) if place),
        ),
    )


def _environment(described: Cluster) -> JobEnvironment:
    """What a batch script finds on the nodes."""
    return JobEnvironment(
        submit_on="the head node",
        shared=f"/{APPS}",
        scratch=SCRATCH,
        counts_memory=described.slurm.memory_scheduling,
        old_kernel=described.os in _OLD_KERNELS,
        has_post_install=True,
        image=described.image,
        has_docker=_installs(described.head.post_install or described.post_install, Software.DOCKER),
        containers_if="add `post-install: {install: [docker, pyxis]}`",
        same_features="ParallelCluster also uses this name as a feature of nodes; rename the group",
        starts_nodes=True,
        software=described.image or "",
        driver_unknown=f"the image {described.image}" if described.image else "",
    )


def _installs(post_install: PostInstall | None, software: Software) -> bool:
    return post_install is not None and software in post_install.install


def _queue(
    name: str, cluster: Cluster, around: Network, cluster_name: str, region: str
) -> SlurmQueue[ParallelClusterGroup]:
    described = cluster.queues[name]
    found = scripts(described.post_install or cluster.post_install)
    role = cluster.iam.roles.nodes
    queue: Queue = Queue(
        ref=Ref(QUEUE, name),
        cluster=PARALLELCLUSTER_REF,
        name=name,
        capacity_type=_capacity_type(next(iter(described.groups.values())).capacity),
        subnets=_subnets(described, around),
        security_groups=_security_groups(described),
        place=Place(f"queues.{name}"),
        allocation=described.allocation.value if described.allocation else None,
        zones=tuple(described.zones),
        scripts=found,
        buckets=_buckets(found, cluster) if role is None else frozenset(),
        policies=parallelcluster_policies(region, role, described.policies),
        own_role=role is not None,
        role=role,
    )
    groups = tuple(_group(each, name, cluster, queue, cluster_name) for each in sorted(described.groups))
    return SlurmQueue(name=name, groups=groups, exclusive=described.exclusive, resource=queue)


def _group(name: str, queue_name: str, cluster: Cluster, queue: Queue, cluster_name: str) -> ParallelClusterGroup:
    described = cluster.queues[queue_name].groups[name]
    at = f"queues.{queue_name}.groups.{name}"
    capacity = capacity_source(name, described, at, platform_of(cluster.os))
    placement = placement_group(name, described, cluster_name, efa=described.has_efa)
    # Of several types, ParallelCluster configures the interfaces and the memory of the smallest.
    machines = [hardware(each).with_threads(described.threads_per_core) for each in described.types]
    machine = min(machines, key=lambda each: (each.network_cards, each.max_efa))
    memory = min(each.memory_mib for each in machines)
    node = SlurmNode(replace(machine, memory_mib=memory), service_slots(machine, described.layout), described.memory)
    one_type = len(machines) == 1
    # ParallelCluster's own features (aws-parallelcluster-cookbook, `config_renderer.py`), which may also be the name of
    # a compute resource.
    tests = {
        "static": described.nodes.min > 0,
        "dynamic": described.nodes.max > described.nodes.min,
        "efa": described.has_efa,
        "gpu": node.gpus > 0,
    }
    return Group(
        name=name,
        described=described,
        node=node,
        queue=queue_name,
        features=frozenset({name, *described.types[:one_type], *(word for word, has in tests.items() if has)}),
        constraint=f"{name}&{described.instance}" if name in tests and one_type else name,
        has_pyxis=_has_pyxis(cluster, queue_name),
        template=None,
        resource=ComputeResource(
            ref=Ref(COMPUTE_RESOURCE, name),
            queue=queue.ref,
            name=name,
            instances=described.types,
            flexible=not one_type or (len(queue.subnets) > 1 and capacity.target.reservation is None),
            nodes_min=described.nodes.min,
            nodes_max=described.nodes.max,
            subnets=queue.subnets,
            security_groups=queue.security_groups,
            place=Place(at),
            capacity_type=queue.capacity_type,
            # ParallelCluster decides how instances are launched into a group.
            target=CapacityTarget(reservation=capacity.target.reservation, group=capacity.target.group),
            efa=described.has_efa,
            placement=_placement(placement),
            threads_per_core=1 if described.threads_per_core < hardware(described.instance).threads_per_core else None,
            purpose=described.purpose,
            capacity=described.capacity,
            zone=described.capacity.held.zone if described.capacity.held else None,
            named_subnets=bool(cluster.queues[queue_name].subnets),
        ),
        reservation_group=capacity.reservation_group,
        purchase=capacity.purchase,
    )


def _has_pyxis(described: Cluster, queue: str) -> bool | None:
    """Whether the stack installs Pyxis, on the head node and on the queue's nodes; None if only a custom image can have
    it."""
    installs = (described.head.post_install, described.queues[queue].post_install)
    if all(_installs(own or described.post_install, Software.PYXIS) for own in installs):
        return True
    return None if described.image else False


def _placement(group: PlacementGroup | None) -> Placement:
    """Always set: with EFA, ParallelCluster refuses a compute resource that does not set it."""
    if group is None:
        return Placement(enabled=False)
    return Placement(enabled=True) if group.create else Placement(enabled=True, name=group.name)


def _capacity_type(capacity: Capacity) -> str:
    """The capacity type of a queue. All its groups have the same one (the schema enforces this)."""
    if capacity.capacity_block:
        return "CAPACITY_BLOCK"
    return "SPOT" if capacity.spot else "ONDEMAND"


def _zones(described: QueueDescription, around: Network) -> list[str]:
    of_capacity = sorted({group.only_zone for group in described.groups.values() if group.only_zone})
    named = [zone for each in described.subnets if (zone := around.subnets[each].zone)]
    return [*(named or described.zones or of_capacity or list(around.private)[:1])]


def _subnets(described: QueueDescription, around: Network) -> tuple[Reference, ...]:
    return subnets_in(described.subnets or Tier.PRIVATE, _zones(described, around), around)


def _head(described: Cluster, around: Network, region: str) -> HeadNode:
    head = described.head
    by_zone = around.of(head.subnets)
    wanted = (head.zone,) if head.zone else (*_zones(described.queues[described.default_queue], around), *by_zone)
    installs = head.post_install or described.post_install
    updates: list[Script] = [Script(each.at, each.arguments, UPDATED) for each in head.update_scripts]
    found = (*scripts(installs), *updates)
    role = described.iam.roles.head
    return HeadNode(
        ref=HEAD_REF,
        cluster=PARALLELCLUSTER_REF,
        instance=head.instance,
        subnet=next((by_zone[zone] for zone in wanted if zone in by_zone), None),
        security_groups=_security_groups(head),
        place=Place("head"),
        key_pair=KEY_PAIR_REF if head.login.public_key else head.login.key_pair,
        ssh_from=head.ssh_from or NOWHERE,
        own_way_out=head.subnets is Tier.PUBLIC,
        scripts=found,
        buckets=_buckets(found, described) if role is None else frozenset(),
        policies=parallelcluster_policies(region, role, head.policies),
        own_role=role is not None,
        role=role,
        seconds=installs.timeout_minutes * 60 if installs else None,
        timed_at=None if head.post_install or not installs else Place(""),
    )


def _login_pool(name: str, cluster: Cluster, around: Network, head: HeadNode, region: str) -> ServiceNodes[LoginPool]:
    described = cluster.login_nodes[name]
    by_zone = around.of(described.subnets)
    of_head = around.subnets.get(str(head.subnet))
    # Without a zone, that of the head node; if it has no subnet of that kind, the first one that has.
    wanted = (described.zone,) if described.zone else (*((of_head.zone,) if of_head else ()), *by_zone)
    pool = LoginPool(
        ref=Ref(LOGIN_POOL, name),
        cluster=PARALLELCLUSTER_REF,
        name=name,
        instance=described.instance,
        count=described.nodes,
        subnets=tuple(by_zone[zone] for zone in wanted if zone in by_zone)[:1],
        security_groups=_security_groups(described),
        place=Place(f"login-nodes.{name}"),
        ssh_from=described.ssh_from or NOWHERE,
        scripts=scripts(described.post_install),
        policies=parallelcluster_policies(region, cluster.iam.roles.login, described.policies),
        own_role=cluster.iam.roles.login is not None,
        role=cluster.iam.roles.login,
        grace_minutes=described.grace_minutes,
    )
    return ServiceNodes(name=name, at=f"login-nodes.{name}", described=described, count=described.nodes, resource=pool)


def _security_groups(described: HeadNodeDescription | LoginPoolDescription | QueueDescription) -> tuple[Reference, ...]:
    return in_order((NODES_GROUP_REF, *described.security_groups))


def _buckets(found: tuple[Script, ...], cluster: Cluster) -> frozenset[str]:
    described = (place.removeprefix("s3://").partition("/")[0] for place in cluster.s3)
    return frozenset({*described, *(place[0] for place in map(bucket, found) if place)})
