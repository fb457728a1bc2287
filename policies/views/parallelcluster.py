"""Clusters on AWS ParallelCluster, in the CloudFormation stacks that a program registers, as judged things.

A cluster itself, its head node, each queue, each compute resource, and the Lustre file system that it makes. All of
them are one resource of Pulumi's: its stack.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    CapacityTarget,
    ClosedTemplate,
    ComputeResource,
    HeadNode,
    LustreFileSystem,
    ParallelCluster,
    Place,
    Placement,
    Queue,
    Ref,
    Script,
    Volume,
)
from muster.fleet.resources.parallelcluster import COMPUTE_RESOURCE, HEAD_NODE, QUEUE, TEMPLATE, Database
from muster.fleet.resources.place import (
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    KEY_PAIR,
    PLACEMENT_GROUP,
    RESOURCE_GROUP,
    SECURITY_GROUP,
    SUBNET,
)
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.cloudformation import Template
from policies.views.pcluster_configuration import PARAMETERS, Written, may_hold_one, names_of, written
from policies.views.references import References, block, blocks, flag, known, texts, whole, word
from policies.views.shared_storage import file_systems, mounts
from policies.views.stack_template import OBJECTS, STACKS, template_of

OTHERS = STACKS | OBJECTS | {KEY_PAIR}
"""What else is looked at: where templates are, whose names are alike, what a key is."""

MOST_BYTES = 51_200
"""Of a template that is sent along (CloudFormation's quotas)."""

_MINIMUM, _MAXIMUM = 0, 10
"""`MinCount` and `MaxCount` where nothing is said (`DEFAULT_MIN_COUNT`, `DEFAULT_MAX_COUNT`, constants.py 3.16.1)."""

_Seen = ParallelCluster | HeadNode | Queue | ComputeResource | LustreFileSystem | ClosedTemplate


def parallelcluster(stack: Registration, references: References, others: Iterable[Registration]) -> tuple[_Seen, ...]:
    """Reads the clusters of a stack's template; nothing of a template without any."""
    listed = list(others)
    template = template_of(stack, references, listed)
    if template is UNKNOWN or template is None:
        closed = _closed(stack, references, known=template is None)
        return (closed,) if closed else ()
    found = written(stack, template, references)
    if not found:
        return ()
    names = _names(listed, references)
    parts = [each for one in found for each in _cluster(one, names, listed)]
    return (*parts, *_too_long(stack, references))


# templates that cannot be read


def _closed(stack: Registration, references: References, *, known: bool) -> ClosedTemplate | None:
    body = stack.inputs.get("templateBody")
    if not known:
        what = "its template, not known before creation: it may make a cluster on ParallelCluster"
        return ClosedTemplate(_template_ref(stack, references), Place(stack.urn), missing=what)
    if body is None or not may_hold_one(body):
        return None
    fault = "the template of a cluster is neither JSON nor YAML with Resources"
    return ClosedTemplate(
        _template_ref(stack, references), Place(stack.urn), fault=fault, remedy="make it one that CloudFormation reads"
    )


def _too_long(stack: Registration, references: References) -> Iterator[ClosedTemplate]:
    body = stack.inputs.get("templateBody")
    count = len(body.encode()) if isinstance(body, str) else 0
    if count > MOST_BYTES:
        yield ClosedTemplate(
            _template_ref(stack, references),
            Place(stack.urn),
            fault=f"a templateBody of {count} bytes: CloudFormation takes {MOST_BYTES}",
            remedy="put it into a bucket and give its templateUrl",
        )


def _template_ref(stack: Registration, references: References) -> Ref:
    return Ref(TEMPLATE, references.ref(stack).name)


# names


@dataclass(frozen=True)
class _Names:
    """How often each name of a queue, and of a compute resource, stands in a program; and how many clusters it has."""

    queues: Mapping[str, int]
    resources: Mapping[str, int]
    clusters: int


def _names(listed: list[Registration], references: References) -> _Names:
    queues: Counter[str] = Counter()
    resources: Counter[str] = Counter()
    clusters = 0
    for stack in listed:
        template = template_of(stack, references, listed) if stack.type in STACKS else None
        for one in written(stack, template, references) if isinstance(template, Template) else ():
            clusters += 1
            entries = known(_queues(one))
            queues.update(names_of(entries))
            resources.update(name for each in entries for name in names_of(known(blocks(each.get("ComputeResources")))))
    return _Names(queues, resources, clusters)


def _ref(kind: str, name: object, counted: Mapping[str, int], otherwise: str) -> Ref:
    """By its name; by its place, where that is not known or not its own alone."""
    return Ref(kind, name if isinstance(name, str) and counted.get(name) == 1 else otherwise)


# the cluster


def _configuration(one: Written) -> Mapping[str, Any]:
    return block({"configuration": one.configuration}, "configuration")


def _queues(one: Written) -> Any:
    return blocks(block(_configuration(one), "Scheduling").get("SlurmQueues"))


def _cluster(one: Written, names: _Names, others: list[Registration]) -> Iterator[_Seen]:
    said, own = _configuration(one), one.properties
    ref = one.references.ref(one.stack)
    ref = ref if one.alone else Ref(ref.type, f"{ref.name}.{one.logical}")
    place, slurm = Place(one.stack.urn), block(block(said, "Scheduling"), "SlurmSettings")
    if one.configuration is None or one.configuration is UNKNOWN or _queues(one) is UNKNOWN:
        yield _unread(one, ref, place)
    settings = blocks(slurm.get("CustomSlurmSettings"))
    cluster = ParallelCluster(
        ref=ref,
        name=word(own.get("ClusterName")),
        version=one.version,
        os=word(block(said, "Image").get("Os")),
        image=word(block(said, "Image").get("CustomAmi")),
        place=place,
        imds=word(block(said, "Imds").get("ImdsSupport")),
        mounts=mounts(said, one),
        accounting=_given(slurm, "Database"),
        tags=_keys(said.get("Tags")),
        deletion=word(own.get("DeletionPolicy")),
        rollback=flag(own.get("RollbackOnFailure")),
        database=_database(slurm),
        external_accounting=_given(slurm, "ExternalSlurmdbd"),
        munge_key=_given(slurm, "MungeKeySecretArn"),
        slurm_settings=UNKNOWN
        if settings is UNKNOWN
        else frozenset(key for each in settings if len(each) == 1 for key in each),
        node_names=frozenset(str(each["NodeName"]) for each in known(settings) if "NodeName" in each),
        include_file=slurm.get("CustomSlurmSettingsIncludeFile") is not None,
        dev_settings=_names_in(said, "DevSettings"),
        stack_name=word(one.stack.inputs.get("name", one.stack.inputs.get("stackName"))),
    )
    yield cluster
    if one.configuration is None or one.configuration is UNKNOWN:
        return
    yield _head(said, cluster, one, names, others)
    for index, each in enumerate(known(_queues(one))):
        yield from _queue(each, index, cluster, one, names)
    yield from file_systems(said, one)


def _unread(one: Written, ref: Ref, place: Place) -> ClosedTemplate:
    """A configuration, or its queues, of which nobody knows how many there are."""
    closed = Ref(TEMPLATE, ref.name)
    if one.configuration is None:
        fault = f"ClusterConfiguration of {one.logical} is no mapping"
        return ClosedTemplate(closed, place, fault=fault, remedy="write it as keys and values, not as text")
    what = "ClusterConfiguration" if one.configuration is UNKNOWN else "SlurmQueues"
    return ClosedTemplate(closed, place, missing=f"{what} of {one.logical}, not known before creation")


def _given(said: Mapping[str, Any], key: str) -> bool | UnknownType:
    value = said.get(key)
    return UNKNOWN if value is UNKNOWN else value is not None


def _database(slurm: Mapping[str, Any]) -> Database | None:
    if slurm.get("Database") is None:
        return None
    said = block(slurm, "Database")
    return Database(word(said.get("Uri")), word(said.get("PasswordSecretArn")))


def _keys(tags: Any) -> frozenset[str] | UnknownType:
    """The keys of tags as ParallelCluster has them: `Key` and `Value`."""
    listed = blocks(tags)
    if listed is UNKNOWN or any(each.get("Key") is UNKNOWN for each in listed):
        return UNKNOWN
    return frozenset(str(each.get("Key")) for each in listed)


def _names_in(said: Mapping[str, Any], key: str) -> frozenset[str] | UnknownType:
    value: object = said.get(key)
    if value is UNKNOWN:
        return UNKNOWN
    return frozenset(map(str, value)) if isinstance(value, Mapping) else frozenset()


# nodes


def _head(
    said: Mapping[str, Any], cluster: ParallelCluster, one: Written, names: _Names, others: list[Registration]
) -> HeadNode:
    node = block(said, "HeadNode")
    network, ssh = block(node, "Networking"), block(node, "Ssh")
    storage, imds = block(node, "LocalStorage"), block(node, "Imds")
    groups, replaces = _groups(network, one)
    key = one.one(ssh.get("KeyName"), KEY_PAIR)
    timeouts = block(block(said, "DevSettings"), "Timeouts")
    return HeadNode(
        ref=Ref(HEAD_NODE, "head" if names.clusters == 1 else f"{cluster.ref.name}.head"),
        cluster=cluster.ref,
        instance=word(node.get("InstanceType")),
        subnet=one.one(network.get("SubnetId"), SUBNET),
        security_groups=groups,
        place=Place(one.stack.urn, "the head node"),
        key_pair=key,
        ssh_from=word(ssh.get("AllowedIps")),
        root_gib=whole(block(storage, "RootVolume").get("Size")),
        scripts=_scripts(node),
        buckets=_buckets(node),
        imds_secured=flag(imds.get("Secured")),
        image=word(block(node, "Image").get("CustomAmi")),
        scratch=word(block(storage, "EphemeralVolume").get("MountDir")),
        efa=node.get("Efa") is not None,
        replaces_groups=replaces,
        policies=_policies(node),
        own_role=_own_role(node),
        seconds=whole(timeouts.get("HeadNodeBootstrapTimeout")),
        root=_volume(storage),
        key_type=_key_type(key, others, one.references),
    )


def _key_type(key: object, others: list[Registration], references: References) -> str | None | UnknownType:
    """The first word of the public key of a pair that the program makes."""
    made = [each for each in others if each.type == KEY_PAIR and references.ref(each) == key]
    text = made[0].inputs.get("publicKey") if made else None
    return text.partition(" ")[0] if isinstance(text, str) else UNKNOWN if text is UNKNOWN else None


def _groups(network: Mapping[str, Any], one: Written) -> tuple[Any, bool]:
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
        found += [Script(_text(each.get("Script")), texts(each.get("Args"))) for each in listed]
    return tuple(found)


def _text(value: Any) -> str | UnknownType:
    return value if isinstance(value, str) else UNKNOWN


def _buckets(node: Mapping[str, Any]) -> frozenset[str] | UnknownType:
    listed = blocks(block(node, "Iam").get("S3Access"))
    if listed is UNKNOWN or any(each.get("BucketName") is UNKNOWN for each in listed):
        return UNKNOWN
    return frozenset(str(each.get("BucketName")) for each in listed)


def _policies(node: Mapping[str, Any]) -> frozenset[str] | UnknownType:
    listed = blocks(block(node, "Iam").get("AdditionalIamPolicies"))
    if listed is UNKNOWN or any(each.get("Policy") is UNKNOWN for each in listed):
        return UNKNOWN
    return frozenset(str(each.get("Policy")) for each in listed)


def _own_role(node: Mapping[str, Any]) -> bool:
    role = block(node, "Iam")
    return any(role.get(name) is not None for name in ("InstanceRole", "InstanceProfile"))


def _volume(storage: Mapping[str, Any]) -> Volume | None:
    if storage.get("RootVolume") is None:
        return None
    root = block(storage, "RootVolume")
    numbers = (whole(root.get(name)) for name in ("Size", "Iops", "Throughput"))
    return Volume(word(root.get("VolumeType")), *numbers)


def _queue(
    said: Mapping[str, Any], index: int, cluster: ParallelCluster, one: Written, names: _Names
) -> Iterator[Queue | ComputeResource]:
    network, storage = block(said, "Networking"), block(block(said, "ComputeSettings"), "LocalStorage")
    groups, replaces = _groups(network, one)
    name = word(said.get("Name"))
    called = f"queue {name}" if isinstance(name, str) else f"SlurmQueues[{index}]"
    queue = Queue(
        ref=_ref(QUEUE, name, names.queues, f"{cluster.ref.name}.SlurmQueues[{index}]"),
        cluster=cluster.ref,
        name=name,
        capacity_type=word(said.get("CapacityType")),
        subnets=one.several(network.get("SubnetIds"), SUBNET),
        security_groups=groups,
        place=Place(one.stack.urn, called),
        image=word(block(said, "Image").get("CustomAmi")),
        scratch=word(block(storage, "EphemeralVolume").get("MountDir")),
        allocation=word(said.get("AllocationStrategy")),
        public_ip=flag(network.get("AssignPublicIp")),
        root_gib=whole(block(storage, "RootVolume").get("Size")),
        scripts=_scripts(said),
        buckets=_buckets(said),
        replaces_groups=replaces,
        policies=_policies(said),
        own_role=_own_role(said),
        tags=_keys(said.get("Tags")),
        slurm_settings=_names_in(said, "CustomSlurmSettings"),
        root=_volume(storage),
    )
    yield queue
    for number, each in enumerate(known(blocks(said.get("ComputeResources")))):
        yield _resource(each, number, said, queue, called, one, names)


def _resource(
    said: Mapping[str, Any],
    index: int,
    in_queue: Mapping[str, Any],
    queue: Queue,
    called: str,
    one: Written,
    names: _Names,
) -> ComputeResource:
    name, several = word(said.get("Name")), said.get("Instances")
    network = block(in_queue, "Networking")
    efa = block(said, "Efa")
    return ComputeResource(
        ref=_ref(COMPUTE_RESOURCE, name, names.resources, f"{queue.ref.name}.ComputeResources[{index}]"),
        queue=queue.ref,
        name=name,
        instances=_types(said),
        nodes_min=_MINIMUM if said.get("MinCount") is None else whole(said.get("MinCount")),
        nodes_max=_MAXIMUM if said.get("MaxCount") is None else whole(said.get("MaxCount")),
        subnets=queue.subnets,
        security_groups=queue.security_groups,
        place=Place(one.stack.urn, f"{called}, {name if isinstance(name, str) else f'ComputeResources[{index}]'}"),
        flexible=several is not None,
        capacity_type=queue.capacity_type,
        target=_target(said, in_queue, one),
        efa=flag(efa.get("Enabled", False)),
        gdr=flag(efa.get("GdrSupport")),
        placement=_placement(block(said, "Networking"), network, one),
        threads_per_core=_threads(said),
        memory_mib=whole(said.get("SchedulableMemory")),
        tags=_keys(said.get("Tags")),
        slurm_settings=_names_in(said, "CustomSlurmSettings"),
        replaces_groups=queue.replaces_groups,
        public_ip=queue.public_ip,
        subnets_among=one.references.among(network.get("SubnetIds"), one.stack, PARAMETERS, (SUBNET,))
        if queue.subnets is UNKNOWN
        else None,
    )


def _types(said: Mapping[str, Any]) -> tuple[str, ...] | UnknownType:
    """`InstanceType`, or those of `Instances`, in their order."""
    if said.get("Instances") is None:
        return texts(said.get("InstanceType"))
    listed = blocks(said.get("Instances"))
    return UNKNOWN if listed is UNKNOWN else texts([each.get("InstanceType") for each in listed])


def _threads(said: Mapping[str, Any]) -> int | None | UnknownType:
    off = flag(said.get("DisableSimultaneousMultithreading"))
    return UNKNOWN if off is UNKNOWN else 1 if off else None


def _target(said: Mapping[str, Any], in_queue: Mapping[str, Any], one: Written) -> CapacityTarget | UnknownType:
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


def _placement(own: Mapping[str, Any], of_queue: Mapping[str, Any], one: Written) -> Placement | UnknownType:
    """Its own, whole, or its queue's. The name stands before the id (`PlacementGroup.assignment`)."""
    holder = own if own.get(_PLACEMENT) is not None else of_queue
    given: object = holder.get(_PLACEMENT)
    if given is UNKNOWN:
        return UNKNOWN
    group = block(holder, _PLACEMENT)
    name, id_ = group.get("Name"), group.get("Id")
    named = one.one(id_ if name is None else name, PLACEMENT_GROUP)
    return Placement(flag(group.get("Enabled")), named, name is not None and id_ is not None)
