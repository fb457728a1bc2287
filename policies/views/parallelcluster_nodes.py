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
    Script,
)
from muster.fleet.resources.parallelcluster import COMPUTE_RESOURCE, HEAD_NODE, LOGIN_POOL, QUEUE
from muster.fleet.resources.ref import (
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    KEY_PAIR,
    PLACEMENT_GROUP,
    RESOURCE_GROUP,
    SECURITY_GROUP,
    SUBNET,
)
from muster.policies.views.parallelcluster_configuration import (
    PARAMETERS,
    ClusterConfiguration,
    Names,
    ref_of,
)
from muster.policies.views.references import (
    block,
    blocks,
    boolean,
    integer,
    known_items,
    text_list,
    text_value,
)
from muster.unknown import UNKNOWN, UnknownType

_MINIMUM, _MAXIMUM = 0, 10
"""The defaults of `MinCount` and `MaxCount` (`DEFAULT_MIN_COUNT`, `DEFAULT_MAX_COUNT`, constants.py 3.16.1)."""


def head_node(
    values: Mapping[str, Any],
    cluster: ParallelCluster[UnknownType],
    one: ClusterConfiguration,
    names: Names,
) -> HeadNode[UnknownType]:
    """Reads the head node.

    Args:
        values: the configuration.
        cluster: its cluster.
        one: the cluster's configuration in its template.
        names: the names in the program.
    """
    node = block(values, "HeadNode")
    network, ssh = block(node, "Networking"), block(node, "Ssh")
    groups, replaces = _groups(network, one)
    policies, more = _policies(node)
    timeouts = block(block(values, "DevSettings"), "Timeouts")
    return HeadNode(
        ref=Ref(HEAD_NODE, "head" if names.clusters == 1 else f"{cluster.ref.name}.head"),
        cluster=cluster.ref,
        instance=text_value(node.get("InstanceType")),
        subnet=one.one(network.get("SubnetId"), SUBNET),
        security_groups=groups,
        place=Place(one.stack.urn, "the head node", ("HeadNode",)),
        key_pair=one.one(ssh.get("KeyName"), KEY_PAIR),
        ssh_from=text_value(ssh.get("AllowedIps")),
        scripts=_scripts(node),
        buckets=_buckets(node),
        image=text_value(block(node, "Image").get("CustomAmi")),
        efa=node.get("Efa") is not None,
        replaces_groups=replaces,
        policies=policies,
        more_policies=more,
        own_role=_own_role(node),
        seconds=integer(timeouts.get("HeadNodeBootstrapTimeout")),
    )


def login_pool(
    values: Mapping[str, Any],
    index: int,
    cluster: ParallelCluster[UnknownType],
    one: ClusterConfiguration,
    names: Names,
) -> LoginPool[UnknownType]:
    """Reads a pool of login nodes; arguments as of `head_node`."""
    network = block(values, "Networking")
    groups, replaces = _groups(network, one)
    policies, more = _policies(values)
    name = text_value(values.get("Name"))
    called = f"login node pool {name}" if isinstance(name, str) else f"Pools[{index}]"
    return LoginPool(
        ref=ref_of(LOGIN_POOL, name, names.pools, f"{cluster.ref.name}.Pools[{index}]"),
        cluster=cluster.ref,
        name=name,
        instance=text_value(values.get("InstanceType")),
        count=integer(values.get("Count")),
        subnets=one.several(network.get("SubnetIds"), SUBNET),
        security_groups=groups,
        place=Place(one.stack.urn, called, ("LoginNodes", "Pools", index)),
        ssh_from=text_value(block(values, "Ssh").get("AllowedIps")),
        scripts=_scripts(values),
        image=text_value(block(values, "Image").get("CustomAmi")),
        replaces_groups=replaces,
        policies=policies,
        more_policies=more,
        own_role=_own_role(values),
        grace_minutes=integer(values.get("GracetimePeriod")),
    )


def _groups(network: Mapping[str, Any], one: ClusterConfiguration) -> tuple[Any, bool]:
    """The security groups, additional ones included, and whether they replace ParallelCluster's own."""
    own, more = network.get("SecurityGroups"), network.get("AdditionalSecurityGroups")
    if own is UNKNOWN or more is UNKNOWN:
        return UNKNOWN, own is not None
    listed = [*(own if isinstance(own, list) else []), *(more if isinstance(more, list) else [])]
    return one.several(listed, SECURITY_GROUP), bool(own)


def _scripts(node: Mapping[str, Any]) -> tuple[Script[UnknownType], ...] | UnknownType:
    """The scripts, in the order in which they run: one, or a sequence, for each event."""
    actions, found = block(node, "CustomActions"), []
    for moment in ("OnNodeStart", "OnNodeConfigured", "OnNodeUpdated"):
        values = block(actions, moment)
        listed = blocks(values.get("Sequence")) if "Sequence" in values else blocks(values or None)
        if listed is UNKNOWN or actions.get(moment) is UNKNOWN:
            return UNKNOWN
        found += [
            Script(_text(each.get("Script")), text_list(each.get("Args")), at_start=moment == "OnNodeStart")
            for each in listed
        ]
    return tuple(found)


def _text(value: Any) -> str | UnknownType:
    return value if isinstance(value, str) else UNKNOWN


def _buckets(node: Mapping[str, Any]) -> frozenset[str] | UnknownType:
    listed = blocks(block(node, "Iam").get("S3Access"))
    if listed is UNKNOWN or any(each.get("BucketName") is UNKNOWN for each in listed):
        return UNKNOWN
    return frozenset(str(each.get("BucketName")) for each in listed)


def _policies(node: Mapping[str, Any]) -> tuple[frozenset[str] | UnknownType, bool]:
    """The policies that are known, and whether there are more."""
    values = block(node, "Iam").get("AdditionalIamPolicies")
    if values is UNKNOWN:
        return UNKNOWN, True
    entries = values if isinstance(values, list) else [] if values is None else [values]
    listed = [UNKNOWN if each is UNKNOWN else block({"entry": each}, "entry").get("Policy") for each in entries]
    return frozenset(str(each) for each in listed if each is not UNKNOWN), UNKNOWN in listed


def _own_role(node: Mapping[str, Any]) -> bool:
    role = block(node, "Iam")
    return any(role.get(name) is not None for name in ("InstanceRole", "InstanceProfile"))


def queue(
    values: Mapping[str, Any],
    index: int,
    cluster: ParallelCluster[UnknownType],
    one: ClusterConfiguration,
    names: Names,
) -> Iterator[Queue[UnknownType] | ComputeResource[UnknownType]]:
    """Reads a queue, and each of its compute resources; arguments as of `head_node`."""
    network = block(values, "Networking")
    groups, replaces = _groups(network, one)
    policies, more = _policies(values)
    name = text_value(values.get("Name"))
    called = f"queue {name}" if isinstance(name, str) else f"SlurmQueues[{index}]"
    found = Queue(
        ref=ref_of(QUEUE, name, names.queues, f"{cluster.ref.name}.SlurmQueues[{index}]"),
        cluster=cluster.ref,
        name=name,
        capacity_type=text_value(values.get("CapacityType")),
        subnets=one.several(network.get("SubnetIds"), SUBNET),
        security_groups=groups,
        place=Place(one.stack.urn, called, ("Scheduling", "SlurmQueues", index)),
        image=text_value(block(values, "Image").get("CustomAmi")),
        allocation=text_value(values.get("AllocationStrategy")),
        public_ip=boolean(network.get("AssignPublicIp")),
        scripts=_scripts(values),
        buckets=_buckets(values),
        replaces_groups=replaces,
        policies=policies,
        more_policies=more,
        own_role=_own_role(values),
        setting_names=_setting_names(values),
    )
    yield found
    for number, each in enumerate(known_items(blocks(values.get("ComputeResources")))):
        yield _resource(each, number, values, found, called, one, names)


def _resource(
    values: Mapping[str, Any],
    index: int,
    in_queue: Mapping[str, Any],
    queue: Queue[UnknownType],
    called: str,
    one: ClusterConfiguration,
    names: Names,
) -> ComputeResource[UnknownType]:
    name, several = text_value(values.get("Name")), values.get("Instances")
    network = block(in_queue, "Networking")
    efa = block(values, "Efa")
    return ComputeResource(
        ref=ref_of(COMPUTE_RESOURCE, name, names.resources, f"{queue.ref.name}.ComputeResources[{index}]"),
        queue=queue.ref,
        name=name,
        instances=_types(values),
        nodes_min=_MINIMUM if values.get("MinCount") is None else integer(values.get("MinCount")),
        nodes_max=_MAXIMUM if values.get("MaxCount") is None else integer(values.get("MaxCount")),
        subnets=queue.subnets,
        security_groups=queue.security_groups,
        place=Place(
            one.stack.urn,
            f"{called}, {name if isinstance(name, str) else f'ComputeResources[{index}]'}",
            (*queue.place.inside, "ComputeResources", index),
        ),
        flexible=several is not None,
        capacity_type=queue.capacity_type,
        target=_target(values, in_queue, one),
        efa=boolean(efa.get("Enabled", False)),
        gdr=boolean(efa.get("GdrSupport")),
        placement=_placement(block(values, "Networking"), network, one),
        threads_per_core=_threads(values),
        setting_names=_setting_names(values),
        replaces_groups=queue.replaces_groups,
        public_ip=queue.public_ip,
        subnets_among=one.references.among(network.get("SubnetIds"), one.stack, PARAMETERS, (SUBNET,))
        if queue.subnets is UNKNOWN
        else None,
    )


def _types(values: Mapping[str, Any]) -> tuple[str, ...] | UnknownType:
    """`InstanceType`, or those of `Instances`, in their order."""
    if values.get("Instances") is None:
        return text_list(values.get("InstanceType"))
    listed = blocks(values.get("Instances"))
    return UNKNOWN if listed is UNKNOWN else text_list([each.get("InstanceType") for each in listed])


def _setting_names(values: Mapping[str, Any]) -> frozenset[str] | UnknownType:
    given: object = values.get(_SETTINGS)
    return UNKNOWN if given is UNKNOWN else frozenset(map(str, block(values, _SETTINGS)))


def _threads(values: Mapping[str, Any]) -> int | None | UnknownType:
    off = boolean(values.get("DisableSimultaneousMultithreading"))
    return UNKNOWN if off is UNKNOWN else 1 if off else None


def _target(
    values: Mapping[str, Any], in_queue: Mapping[str, Any], one: ClusterConfiguration
) -> CapacityTarget[UnknownType] | UnknownType:
    """Its own target, as a whole, or its queue's (`launch_template_utils.py` of 3.16.1)."""
    holder = values if values.get(_TARGET) is not None else in_queue
    given: object = holder.get(_TARGET)
    if given is UNKNOWN:
        return UNKNOWN
    target = block(holder, _TARGET)
    return CapacityTarget(
        reservation=one.one(target.get("CapacityReservationId"), CAPACITY_RESERVATION, CAPACITY_BLOCK),
        group=one.one(target.get("CapacityReservationResourceGroupArn"), RESOURCE_GROUP),
    )


_TARGET, _PLACEMENT, _SETTINGS = "CapacityReservationTarget", "PlacementGroup", "CustomSlurmSettings"


def _placement(
    own: Mapping[str, Any], of_queue: Mapping[str, Any], one: ClusterConfiguration
) -> Placement[UnknownType] | UnknownType:
    """Its own placement, as a whole, or its queue's. The name overrides the id (`PlacementGroup.assignment`)."""
    holder = own if own.get(_PLACEMENT) is not None else of_queue
    given: object = holder.get(_PLACEMENT)
    if given is UNKNOWN:
        return UNKNOWN
    group = block(holder, _PLACEMENT)
    name, id_ = group.get("Name"), group.get("Id")
    named = one.one(id_ if name is None else name, PLACEMENT_GROUP)
    return Placement(boolean(group.get("Enabled")), named, name is not None and id_ is not None)
