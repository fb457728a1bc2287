"""The nodes of a cluster on ParallelCluster, from its configuration: head node, login nodes, queues, compute
resources."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.resources import (
    CapacityTarget,
    ComputeResource,
    HeadNode,
    LoginPool,
    ParallelCluster,
    Place,
    Placement,
    Queue,
    Ref,
    Reference,
    Script,
)
from muster.fleet.resources.parallelcluster import COMPUTE_RESOURCE, EVENTS, HEAD_NODE, LOGIN_POOL, QUEUE
from muster.fleet.resources.ref import (
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    KEY_PAIR,
    PLACEMENT_GROUP,
    RESOURCE_GROUP,
    SECURITY_GROUP,
    SUBNET,
)
from muster.plain_data import as_list, value_at
from muster.policies.views.parallelcluster_configuration import Names, ref_of
from muster.policies.views.view import Properties, Reader, View, one, several
from muster.unknown import UNKNOWN, UnknownType, if_known

_MINIMUM, _MAXIMUM = 0, 10
"""The defaults of `MinCount` and `MaxCount` (`DEFAULT_MIN_COUNT`, `DEFAULT_MAX_COUNT`, constants.py 3.16.1)."""
_TARGET, _PLACEMENT = "CapacityReservationTarget", "Networking.PlacementGroup"

Cluster = ParallelCluster[UnknownType]


def _groups(of: Properties) -> tuple[Reference, ...]:
    """The security groups, additional ones included."""
    lists = [of.get(f"Networking.{name}") for name in ("SecurityGroups", "AdditionalSecurityGroups")]
    return of.resources([each for ids in lists if isinstance(ids, list) for each in ids], "Networking", SECURITY_GROUP)


def _replaces_groups(of: Properties) -> bool:
    """Whether they replace ParallelCluster's own."""
    own = of.raw("Networking.SecurityGroups")
    return own is UNKNOWN or bool(own)


_script = View(Script, at="Script", arguments="Args")


def _scripts(of: Properties) -> tuple[Script[UnknownType], ...]:
    """The scripts, in the order in which they run: one, or a sequence, for each event."""
    return tuple(
        _script(each, event=event)
        for event in EVENTS
        for path in [f"CustomActions.{event}"]
        for each in of.blocks(path if of.raw(f"{path}.Sequence") is None else f"{path}.Sequence")
        if each.values
    )


def _buckets(of: Properties) -> frozenset[str]:
    return frozenset(str(each.get("BucketName")) for each in of.blocks("Iam.S3Access"))


def _policies(of: Properties) -> list[Any]:
    return [value_at(each, "Policy") for each in as_list(of.get("Iam.AdditionalIamPolicies"))]


_COMMON: Mapping[str, Any] = {
    "security_groups": _groups,
    "replaces_groups": _replaces_groups,
    "scripts": _scripts,
    "image": "Image.CustomAmi",
    "policies": lambda of: frozenset(str(each) for each in _policies(of) if each is not UNKNOWN),
    "more_policies": lambda of: UNKNOWN in if_known(lambda: _policies(of), [UNKNOWN]),
    "own_role": lambda of: of.raw("Iam.InstanceRole|Iam.InstanceProfile") is not None,
    "role": "Iam.InstanceRole|Iam.InstanceProfile",
}
"""What all nodes have."""

_head_node = View(
    HeadNode,
    **_COMMON,
    instance="InstanceType",
    subnet=one("Networking.SubnetId", SUBNET),
    key_pair=one("Ssh.KeyName", KEY_PAIR),
    ssh_from="Ssh.AllowedIps",
    buckets=_buckets,
    exports=lambda of: of.get("SharedStorageType", "Ebs").lower() != "efs",
    own_way_out=lambda of: (
        str(of.get("Networking.ElasticIp")).lower() not in ("none", "false") or of.get("Networking.Proxy") is not None
    ),
)


def head_node(of: Properties, cluster: Cluster, names: Names) -> HeadNode[UnknownType]:
    """Reads the head node.

    Args:
        of: the configuration.
        cluster: its cluster.
        names: the names in the program.
    """
    return _head_node(
        of.block("HeadNode"),
        ref=Ref(HEAD_NODE, "head" if names.clusters == 1 else f"{cluster.ref.name}.head"),
        cluster=cluster.ref,
        place=Place(of.resource.urn, "the head node", ("HeadNode",)),
        seconds=if_known(lambda: of.integer("DevSettings.Timeouts.HeadNodeBootstrapTimeout"), UNKNOWN),
    )


_login_pool = View(
    LoginPool,
    **_COMMON,
    name="Name",
    instance="InstanceType",
    count="Count",
    subnets=several("Networking.SubnetIds", SUBNET),
    ssh_from="Ssh.AllowedIps",
    grace_minutes="GracetimePeriod",
)


def login_pool(of: Properties, index: int, cluster: Cluster, names: Names) -> LoginPool[UnknownType]:
    """Reads a pool of login nodes; arguments as of `head_node`."""
    name = of.raw("Name")
    called = f"login node pool {name}" if isinstance(name, str) else f"Pools[{index}]"
    return _login_pool(
        of,
        ref=ref_of(LOGIN_POOL, name, names.pools, f"{cluster.ref.name}.Pools[{index}]"),
        cluster=cluster.ref,
        place=Place(of.resource.urn, called, ("LoginNodes", "Pools", index)),
    )


def _setting_names(of: Properties) -> frozenset[str]:
    settings = of.get("CustomSlurmSettings")
    return frozenset(map(str, settings)) if isinstance(settings, Mapping) else frozenset()


_queue = View(
    Queue,
    **_COMMON,
    name="Name",
    capacity_type="CapacityType",
    subnets=several("Networking.SubnetIds", SUBNET),
    allocation="AllocationStrategy",
    public_ip="Networking.AssignPublicIp",
    buckets=_buckets,
    setting_names=_setting_names,
)


def queue(
    of: Properties, index: int, cluster: Cluster, names: Names
) -> Iterator[Queue[UnknownType] | ComputeResource[UnknownType]]:
    """Reads a queue, and each of its compute resources; arguments as of `head_node`."""
    name = of.raw("Name")
    called = f"queue {name}" if isinstance(name, str) else f"SlurmQueues[{index}]"
    found = _queue(
        of,
        ref=ref_of(QUEUE, name, names.queues, f"{cluster.ref.name}.SlurmQueues[{index}]"),
        cluster=cluster.ref,
        place=Place(of.resource.urn, called, ("Scheduling", "SlurmQueues", index)),
    )
    yield found
    for number, each in enumerate(of.known_blocks("ComputeResources")):
        yield _resource(each, number, of, found, called, names)


def _or(path: str, default: int) -> Reader:
    return lambda of: default if (number := of.integer(path)) is None else number


def _types(of: Properties) -> tuple[str, ...]:
    """`InstanceType`, or those of `Instances`, in their order."""
    if of.raw("Instances") is None:
        return of.texts("InstanceType")
    return tuple(str(each.get("InstanceType")) for each in of.blocks("Instances"))


_compute_resource = View(
    ComputeResource,
    name="Name",
    instances=_types,
    nodes_min=_or("MinCount", _MINIMUM),
    nodes_max=_or("MaxCount", _MAXIMUM),
    flexible=lambda of: of.raw("Instances") is not None,
    efa=lambda of: of.boolean("Efa.Enabled") or False,
    threads_per_core=lambda of: 1 if of.boolean("DisableSimultaneousMultithreading") else None,
    setting_names=_setting_names,
)
_target = View(
    CapacityTarget,
    reservation=one(f"{_TARGET}.CapacityReservationId", CAPACITY_RESERVATION, CAPACITY_BLOCK),
    group=one(f"{_TARGET}.CapacityReservationResourceGroupArn", RESOURCE_GROUP),
)
# The name overrides the id (`PlacementGroup.assignment`).
_placement = View(
    Placement,
    enabled=f"{_PLACEMENT}.Enabled",
    name=one(f"{_PLACEMENT}.Name|{_PLACEMENT}.Id", PLACEMENT_GROUP),
)


def _resource(
    of: Properties, index: int, in_queue: Properties, queue: Queue[UnknownType], called: str, names: Names
) -> ComputeResource[UnknownType]:
    def own_or_queues(path: str, view: View[Any]) -> Any:
        """Its own setting, as a whole, or its queue's (`launch_template_utils.py` of 3.16.1)."""
        holder = of if of.raw(path) is not None else in_queue
        return UNKNOWN if holder.raw(path) is UNKNOWN else view(holder)

    name = of.raw("Name")
    inside = name if isinstance(name, str) else f"ComputeResources[{index}]"
    return _compute_resource(
        of,
        ref=ref_of(COMPUTE_RESOURCE, name, names.resources, f"{queue.ref.name}.ComputeResources[{index}]"),
        queue=queue.ref,
        subnets=queue.subnets,
        security_groups=queue.security_groups,
        place=Place(of.resource.urn, f"{called}, {inside}", (*queue.place.inside, "ComputeResources", index)),
        capacity_type=queue.capacity_type,
        target=own_or_queues(_TARGET, _target),
        placement=own_or_queues(_PLACEMENT, _placement),
        replaces_groups=queue.replaces_groups,
        public_ip=queue.public_ip,
        subnets_among=in_queue.among("Networking.SubnetIds", SUBNET) if queue.subnets is UNKNOWN else None,
    )
