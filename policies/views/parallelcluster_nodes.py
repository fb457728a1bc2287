"""The nodes of a cluster on ParallelCluster, as its configuration has them: head node, queues, compute resources."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    CapacityTarget,
    ComputeResource,
    HeadNode,
    ParallelCluster,
    Place,
    Placement,
    Queue,
    Ref,
    Script,
    Volume,
)
from muster.fleet.resources.parallelcluster import COMPUTE_RESOURCE, HEAD_NODE, QUEUE
from muster.fleet.resources.ref import (
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    KEY_PAIR,
    PLACEMENT_GROUP,
    RESOURCE_GROUP,
    SECURITY_GROUP,
    SUBNET,
)
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.parallelcluster_configuration import (
    PARAMETERS,
    ClusterConfiguration,
    Names,
    keys,
    names_in,
    ref_of,
)
from policies.views.references import References, block, blocks, boolean, integer, known_items, text_list, text_value

_MINIMUM, _MAXIMUM = 0, 10
"""`MinCount` and `MaxCount` where nothing is said (`DEFAULT_MIN_COUNT`, `DEFAULT_MAX_COUNT`, constants.py 3.16.1)."""


def head_node(
    said: Mapping[str, Any],
    cluster: ParallelCluster,
    one: ClusterConfiguration,
    names: Names,
    others: list[Registration],
) -> HeadNode:
    """Reads the head node.

    Args:
        said: the configuration.
        cluster: its cluster.
        one: where that stands.
        names: what else there is in the program.
        others: the program's other resources, its key pairs among them.
    """
    node = block(said, "HeadNode")
    network, ssh = block(node, "Networking"), block(node, "Ssh")
    storage, imds = block(node, "LocalStorage"), block(node, "Imds")
    groups, replaces = _groups(network, one)
    key = one.one(ssh.get("KeyName"), KEY_PAIR)
    policies, more = _policies(node)
    timeouts = block(block(said, "DevSettings"), "Timeouts")
    return HeadNode(
        ref=Ref(HEAD_NODE, "head" if names.clusters == 1 else f"{cluster.ref.name}.head"),
        cluster=cluster.ref,
        instance=text_value(node.get("InstanceType")),
        subnet=one.one(network.get("SubnetId"), SUBNET),
        security_groups=groups,
        place=Place(one.stack.urn, "the head node"),
        key_pair=key,
        ssh_from=text_value(ssh.get("AllowedIps")),
        scripts=_scripts(node),
        buckets=_buckets(node),
        imds_secured=boolean(imds.get("Secured")),
        image=text_value(block(node, "Image").get("CustomAmi")),
        scratch=text_value(block(storage, "EphemeralVolume").get("MountDir")),
        efa=node.get("Efa") is not None,
        replaces_groups=replaces,
        policies=policies,
        more_policies=more,
        own_role=_own_role(node),
        seconds=integer(timeouts.get("HeadNodeBootstrapTimeout")),
        root=_volume(storage),
        key_type=_key_type(key, others, one.references),
    )


def _key_type(key: object, others: list[Registration], references: References) -> str | None | UnknownType:
    """The first word of the public key of a pair that the program makes."""
    made = [each for each in others if each.type == KEY_PAIR and references.ref(each) == key]
    text = made[0].inputs.get("publicKey") if made else None
    return text.partition(" ")[0] if isinstance(text, str) else UNKNOWN if text is UNKNOWN else None


def _groups(network: Mapping[str, Any], one: ClusterConfiguration) -> tuple[Any, bool]:
    """The security groups, and whether they stand in place of ParallelCluster's own. Both kinds together are all."""
    own, more = network.get("SecurityGroups"), network.get("AdditionalSecurityGroups")
    if own is UNKNOWN or more is UNKNOWN:
        return UNKNOWN, own is not None
    listed = [*(own if isinstance(own, list) else []), *(more if isinstance(more, list) else [])]
    return one.several(listed, SECURITY_GROUP), bool(own)


def _scripts(node: Mapping[str, Any]) -> tuple[Script, ...] | UnknownType:
    """In the order they run in: one, or a sequence, at each of its moments."""
    actions, found = block(node, "CustomActions"), []
    for moment in ("OnNodeStart", "OnNodeConfigured", "OnNodeUpdated"):
        said = block(actions, moment)
        listed = blocks(said.get("Sequence")) if "Sequence" in said else blocks(said or None)
        if listed is UNKNOWN or actions.get(moment) is UNKNOWN:
            return UNKNOWN
        found += [Script(_text(each.get("Script")), text_list(each.get("Args"))) for each in listed]
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
    said = block(node, "Iam").get("AdditionalIamPolicies")
    if said is UNKNOWN:
        return UNKNOWN, True
    entries = said if isinstance(said, list) else [] if said is None else [said]
    listed = [UNKNOWN if each is UNKNOWN else block({"entry": each}, "entry").get("Policy") for each in entries]
    return frozenset(str(each) for each in listed if each is not UNKNOWN), UNKNOWN in listed


def _own_role(node: Mapping[str, Any]) -> bool:
    role = block(node, "Iam")
    return any(role.get(name) is not None for name in ("InstanceRole", "InstanceProfile"))


def _volume(storage: Mapping[str, Any]) -> Volume | None:
    if storage.get("RootVolume") is None:
        return None
    root = block(storage, "RootVolume")
    size, iops, throughput = (integer(root.get(name)) for name in ("Size", "Iops", "Throughput"))
    return Volume(text_value(root.get("VolumeType")), size, iops, throughput, boolean(root.get("Encrypted")))


def queue(
    said: Mapping[str, Any], index: int, cluster: ParallelCluster, one: ClusterConfiguration, names: Names
) -> Iterator[Queue | ComputeResource]:
    """Reads a queue, and each of its compute resources; arguments as of `head_node`."""
    network, storage = block(said, "Networking"), block(block(said, "ComputeSettings"), "LocalStorage")
    groups, replaces = _groups(network, one)
    policies, more = _policies(said)
    name = text_value(said.get("Name"))
    called = f"queue {name}" if isinstance(name, str) else f"SlurmQueues[{index}]"
    found = Queue(
        ref=ref_of(QUEUE, name, names.queues, f"{cluster.ref.name}.SlurmQueues[{index}]"),
        cluster=cluster.ref,
        name=name,
        capacity_type=text_value(said.get("CapacityType")),
        subnets=one.several(network.get("SubnetIds"), SUBNET),
        security_groups=groups,
        place=Place(one.stack.urn, called),
        image=text_value(block(said, "Image").get("CustomAmi")),
        scratch=text_value(block(storage, "EphemeralVolume").get("MountDir")),
        allocation=text_value(said.get("AllocationStrategy")),
        public_ip=boolean(network.get("AssignPublicIp")),
        scripts=_scripts(said),
        buckets=_buckets(said),
        replaces_groups=replaces,
        policies=policies,
        more_policies=more,
        own_role=_own_role(said),
        tags=keys(said.get("Tags")),
        slurm_settings=names_in(said, "CustomSlurmSettings"),
        root=_volume(storage),
    )
    yield found
    for number, each in enumerate(known_items(blocks(said.get("ComputeResources")))):
        yield _resource(each, number, said, found, called, one, names)


def _resource(
    said: Mapping[str, Any],
    index: int,
    in_queue: Mapping[str, Any],
    queue: Queue,
    called: str,
    one: ClusterConfiguration,
    names: Names,
) -> ComputeResource:
    name, several = text_value(said.get("Name")), said.get("Instances")
    network = block(in_queue, "Networking")
    efa = block(said, "Efa")
    return ComputeResource(
        ref=ref_of(COMPUTE_RESOURCE, name, names.resources, f"{queue.ref.name}.ComputeResources[{index}]"),
        queue=queue.ref,
        name=name,
        instances=_types(said),
        nodes_min=_MINIMUM if said.get("MinCount") is None else integer(said.get("MinCount")),
        nodes_max=_MAXIMUM if said.get("MaxCount") is None else integer(said.get("MaxCount")),
        subnets=queue.subnets,
        security_groups=queue.security_groups,
        place=Place(one.stack.urn, f"{called}, {name if isinstance(name, str) else f'ComputeResources[{index}]'}"),
        flexible=several is not None,
        capacity_type=queue.capacity_type,
        target=_target(said, in_queue, one),
        efa=boolean(efa.get("Enabled", False)),
        gdr=boolean(efa.get("GdrSupport")),
        placement=_placement(block(said, "Networking"), network, one),
        threads_per_core=_threads(said),
        memory_mib=integer(said.get("SchedulableMemory")),
        tags=keys(said.get("Tags")),
        slurm_settings=names_in(said, "CustomSlurmSettings"),
        replaces_groups=queue.replaces_groups,
        public_ip=queue.public_ip,
        subnets_among=one.references.among(network.get("SubnetIds"), one.stack, PARAMETERS, (SUBNET,))
        if queue.subnets is UNKNOWN
        else None,
    )


def _types(said: Mapping[str, Any]) -> tuple[str, ...] | UnknownType:
    """`InstanceType`, or those of `Instances`, in their order."""
    if said.get("Instances") is None:
        return text_list(said.get("InstanceType"))
    listed = blocks(said.get("Instances"))
    return UNKNOWN if listed is UNKNOWN else text_list([each.get("InstanceType") for each in listed])


def _threads(said: Mapping[str, Any]) -> int | None | UnknownType:
    off = boolean(said.get("DisableSimultaneousMultithreading"))
    return UNKNOWN if off is UNKNOWN else 1 if off else None


def _target(
    said: Mapping[str, Any], in_queue: Mapping[str, Any], one: ClusterConfiguration
) -> CapacityTarget | UnknownType:
    """Its own, whole, or its queue's (`launch_template_utils.py` of 3.16.1)."""
    holder = said if said.get(_TARGET) is not None else in_queue
    given: object = holder.get(_TARGET)
    if given is UNKNOWN:
        return UNKNOWN
    target = block(holder, _TARGET)
    return CapacityTarget(
        reservation=one.one(target.get("CapacityReservationId"), CAPACITY_RESERVATION, CAPACITY_BLOCK),
        group=one.one(target.get("CapacityReservationResourceGroupArn"), RESOURCE_GROUP),
    )


_TARGET, _PLACEMENT = "CapacityReservationTarget", "PlacementGroup"


def _placement(
    own: Mapping[str, Any], of_queue: Mapping[str, Any], one: ClusterConfiguration
) -> Placement | UnknownType:
    """Its own, whole, or its queue's. The name stands before the id (`PlacementGroup.assignment`)."""
    holder = own if own.get(_PLACEMENT) is not None else of_queue
    given: object = holder.get(_PLACEMENT)
    if given is UNKNOWN:
        return UNKNOWN
    group = block(holder, _PLACEMENT)
    name, id_ = group.get("Name"), group.get("Id")
    named = one.one(id_ if name is None else name, PLACEMENT_GROUP)
    return Placement(boolean(group.get("Enabled")), named, name is not None and id_ is not None)
