"""The head node, the login nodes and the queues of a configuration, with their compute resources and the capacity of
these."""

from collections.abc import Container, Iterator, Mapping
from datetime import timedelta
from typing import Any

from muster.clock import today
from muster.config.identifiers import (
    PLACEHOLDER,
    AnyCidr,
    KeyPairName,
    ReservationId,
    ResourceGroupArn,
    SecurityGroupId,
)
from muster.finding import KeyPath
from muster.plain_data import value_at
from muster.sources.described_parts import add_name, machine_of
from muster.sources.draft import Draft, is_valid, known, text
from muster.sources.parallelcluster.described_network import Network

_HEAD: KeyPath = ("HeadNode",)
_POOLS: KeyPath = ("LoginNodes", "Pools")
_QUEUES: KeyPath = ("Scheduling", "SlurmQueues")
_EVERYWHERE = "0.0.0.0/0"
_ROOT_GIB = 40
"""The size of ParallelCluster's own images, which is the default size of a root volume."""
_SCRATCH = "/local_scratch"
_MINIMUM, _MAXIMUM = 0, 10
"""The defaults of `MinCount` and `MaxCount`."""
_MOST_IN_A_RESERVATION, _MOST_IN_A_BLOCK = 1000, 64
_LONGEST = 25
_BLOCK_DAYS = 14
"""The length of a Capacity Block, whose days are placeholders. It starts today."""


def add_head(draft: Draft, document: Mapping[str, Any], network: Network) -> None:
    """Adds the head node."""
    node = _block(document, "HeadNode")
    made: dict[str, Any] = {}
    if instance := text(node.get("InstanceType")):
        made["instance"] = instance
        draft.origin(("head", "instance"), (*_HEAD, "InstanceType"))
    draft.take((*_HEAD, "InstanceType"))
    made |= network.head()
    _root(draft, made, ("head",), node, (*_HEAD, "LocalStorage"), document)
    key = _block(node, "Ssh").get("KeyName")
    draft.take((*_HEAD, "Ssh", "KeyName"), (*_HEAD, "Ssh", "AllowedIps"))
    if key is None:
        made["login"] = "ssm"
        if _block(node, "Ssh").get("AllowedIps") not in (None, "127.0.0.1/32"):
            draft.taken.discard((*_HEAD, "Ssh", "AllowedIps"))
            draft.leave((*_HEAD, "Ssh", "AllowedIps"), "the cluster has no key for SSH")
    else:
        good = draft.accepted(KeyPairName, key, (*_HEAD, "Ssh", "KeyName"))
        made["login"] = {"key-pair": key if good else f"key-{PLACEHOLDER}"}
        if not good:
            draft.placeholder("head", "login", "key-pair")
        made["ssh-from"] = _ssh_from(draft, _block(node, "Ssh"), _HEAD, "head", default=_EVERYWHERE)
    made |= _security_groups(draft, node, _HEAD)
    if isinstance(secured := _block(node, "Imds").get("Secured"), bool):
        made |= {} if secured else {"metadata-for-all-users": True}
        draft.take((*_HEAD, "Imds", "Secured"))
    if node.get("DisableSimultaneousMultithreading") is False:
        draft.take((*_HEAD, "DisableSimultaneousMultithreading"))
    draft.cluster["head"] = made


def _ssh_from(draft: Draft, ssh: Mapping[str, Any], path: KeyPath, *described: str, default: Any) -> str:
    """The network of SSH, by ParallelCluster's default if there is none."""
    given = ssh.get("AllowedIps", default)
    network = text(given)
    if is_valid(AnyCidr, network) and network is not None:
        return network
    if given is not None and network:
        draft.taken.discard((*path, "Ssh", "AllowedIps"))
        draft.leave((*path, "Ssh", "AllowedIps"), "ssh-from takes an IPv4 network, and no prefix list")
    draft.placeholder(*described, "ssh-from")
    return "203.0.113.0/24"


def add_login_pools(draft: Draft, document: Mapping[str, Any], network: Network) -> None:
    """Adds the pools of login nodes."""
    made: dict[str, Any] = {}
    listed = value_at(document, "LoginNodes", "Pools")
    for index, pool in enumerate(listed if isinstance(listed, list) else []):
        path = (*_POOLS, index)
        values = pool if isinstance(pool, Mapping) else {}
        if text(values.get("InstanceType")) is None:
            draft.leave(path, "its instance type is not known")
            draft.pool_names.append(None)
            continue
        name = _name(draft, values, path, set(made))
        made[name] = _login_pool(draft, document, values, path, name, network)
        draft.origin(("login-nodes", name), path)
        draft.pool_names.append(name)
    if made:
        draft.cluster["login-nodes"] = made


def _login_pool(
    draft: Draft, document: Mapping[str, Any], pool: Mapping[str, Any], path: KeyPath, name: str, network: Network
) -> dict[str, Any]:
    described = ("login-nodes", name)
    made: dict[str, Any] = {"instance": pool["InstanceType"]}
    for key, theirs in (("instance", "InstanceType"), ("nodes", "Count"), ("grace-minutes", "GracetimePeriod")):
        draft.origin((*described, key), (*path, theirs))
        draft.take((*path, theirs))
    for key, theirs in (("nodes", "Count"), ("grace-minutes", "GracetimePeriod")):
        if pool.get(theirs) is not None:
            made[key] = pool[theirs]
    made |= network.login_pool(path, pool, name)
    allowed = (*path, "Ssh", "AllowedIps")
    of_head = _block(document, "HeadNode", "Ssh")
    own = _block(pool, "Ssh")
    draft.take(allowed)
    if of_head.get("KeyName") is not None:
        made["ssh-from"] = _ssh_from(draft, own, path, *described, default=of_head.get("AllowedIps", _EVERYWHERE))
    elif own.get("AllowedIps") not in (None, "127.0.0.1/32"):
        draft.taken.discard(allowed)
        draft.leave(allowed, "the cluster has no key for SSH")
    return made | _security_groups(draft, pool, path)


def _root(
    draft: Draft,
    made: dict[str, Any],
    described: KeyPath,
    node: Mapping[str, Any],
    at: KeyPath,
    document: Mapping[str, Any],
) -> None:
    """The size of the root volume. ParallelCluster's default is the size of the image, which is known only for its own
    images."""
    storage = _block(node, "ComputeSettings", "LocalStorage") or _block(node, "LocalStorage")
    volume = _block(storage, "RootVolume")
    size = volume.get("Size")
    own_image = any(_block(each, "Image").get("CustomAmi") is not None for each in (document, node))
    if isinstance(size, int):
        made["root"] = f"{size}GiB"
        draft.origin((*described, "root"), (*at, "RootVolume", "Size"))
    elif not own_image:
        made["root"] = f"{_ROOT_GIB}GiB"
    draft.take((*at, "RootVolume", "Size"))
    if volume.get("VolumeType") == "gp3":
        draft.take((*at, "RootVolume", "VolumeType"))
    if volume.get("DeleteOnTermination") is True:
        draft.take((*at, "RootVolume", "DeleteOnTermination"))
    if volume.get("Encrypted") is not False:
        draft.take((*at, "RootVolume", "Encrypted"))
    else:
        draft.leave((*at, "RootVolume", "Encrypted"), "Muster encrypts every root volume")
    if value_at(storage, "EphemeralVolume", "MountDir") == _SCRATCH:
        draft.take((*at, "EphemeralVolume", "MountDir"))


def _security_groups(draft: Draft, node: Mapping[str, Any], path: KeyPath) -> dict[str, Any]:
    """The additional groups. Muster creates one of its own, so one that is not known is left out."""
    made: list[str] = []
    listed = value_at(node, "Networking", "AdditionalSecurityGroups")
    for index, each in enumerate(listed if isinstance(listed, list) else []):
        at = (*path, "Networking", "AdditionalSecurityGroups", index)
        if each in made:
            draft.take(at)
        elif is_valid(SecurityGroupId, each):
            made.append(each)
            draft.take(at)
        else:
            draft.leave(at, "its id is not known; Muster creates a security group for the nodes")
    return {"security-groups": made} if made else {}


def add_queues(draft: Draft, document: Mapping[str, Any], network: Network) -> None:
    """Adds the queues.

    Raises:
        InvalidFile: none of them has a compute resource that a description can have.
    """
    made: dict[str, Any] = {}
    names: set[str] = set()
    draft.cluster["queues"] = made
    listed = value_at(document, "Scheduling", "SlurmQueues")
    for index, queue in enumerate(listed if isinstance(listed, list) else []):
        path = (*_QUEUES, index)
        values = queue if isinstance(queue, Mapping) else {}
        name = _name(draft, values, path, made)
        described = _queue(draft, document, values, path, name, names, network)
        if described is None:
            draft.leave(path, "it has no compute resource that a description can have")
            draft.queue_names.append(None)
            continue
        made[name] = described
        draft.queue_names.append(name)
    if not made:
        raise draft.nothing("no compute resource can be described")


def _name(draft: Draft, values: Mapping[str, Any], path: KeyPath, taken: Container[str]) -> str:
    where = (*path, "Name")
    return add_name(draft, values.get("Name"), where, taken, instead="queue", longest=_LONGEST, not_one="default")


def _queue(
    draft: Draft,
    document: Mapping[str, Any],
    queue: Mapping[str, Any],
    path: KeyPath,
    name: str,
    names: set[str],
    network: Network,
) -> dict[str, Any] | None:
    described: KeyPath = ("queues", name)
    draft.origin(described, path)
    zone = network.zone_of_queue(path, queue)
    groups: dict[str, Any] = {}
    listed = queue.get("ComputeResources")
    for index, resource in enumerate(listed if isinstance(listed, list) else []):
        at = (*path, "ComputeResources", index)
        values = resource if isinstance(resource, Mapping) else {}
        made = _group(draft, queue, values, at, zone)
        if made is not None:
            group = _name(draft, values, at, names)
            names.add(group)
            groups[group] = made
            draft.origin((*described, "groups", group), at)
            _note_placeholders(draft, name, group, made)
    if not groups:
        return None
    if queue.get("CapacityType") in (None, "ONDEMAND", "SPOT", "CAPACITY_BLOCK"):
        draft.take((*path, "CapacityType"))
    draft.placeholder("queues", name, "zones")
    found: dict[str, Any] = {"zones": [zone], "exclusive": queue.get("JobExclusiveAllocation") is True}
    draft.take((*path, "JobExclusiveAllocation"))
    _root(draft, found, described, queue, (*path, "ComputeSettings", "LocalStorage"), document)
    found |= _security_groups(draft, queue, path)
    if value_at(queue, "Networking", "AssignPublicIp") is False:
        draft.take((*path, "Networking", "AssignPublicIp"))
    return {**found, "groups": groups}


def _note_placeholders(draft: Draft, queue: str, group: str, made: Mapping[str, Any]) -> None:
    capacity = made.get("capacity")
    if not isinstance(capacity, Mapping):
        return
    for kind, values in capacity.items():
        for key in ("zone", "count", "starts", "ends"):
            if isinstance(values, Mapping) and key in values:
                draft.placeholder("queues", queue, "groups", group, "capacity", kind, key)
        for key in ("id", "arn"):
            if isinstance(values, Mapping) and PLACEHOLDER in str(values.get(key)):
                draft.placeholder("queues", queue, "groups", group, "capacity", kind, key)


def _group(
    draft: Draft, queue: Mapping[str, Any], values: Mapping[str, Any], at: KeyPath, zone: str
) -> dict[str, Any] | None:
    """A compute resource; None if it has no instance type, or one that Muster does not know, or no nodes."""
    instance = _instance(draft, values, at)
    machine = machine_of(instance)
    if instance is None or machine is None:
        draft.leave(at, f"Muster does not know the instance type {instance}" if instance else "its type is not known")
        return None
    nodes = _nodes(draft, values, at)
    if nodes is None:
        draft.leave(at, "MinCount and MaxCount are not a range of nodes, or are not known")
        return None
    efa = _block(values, "Efa").get("Enabled") is True
    draft.take((*at, "Efa", "Enabled"))
    placed, named = _placement(draft, queue, values, at)
    capacity = _capacity(draft, queue, values, at, zone, nodes, placed=placed, named=named)
    reserved = isinstance(capacity, Mapping) and "spot" not in capacity
    for_training = efa and (placed or reserved)
    purpose = "training" if for_training else "inference" if machine.accelerators else "system"
    if efa and not for_training:
        draft.leave(
            (*at, "Networking"),
            f"without a placement group, nodes with EFA are for {purpose}: Muster places nodes for training",
        )
    if placed and not reserved and not for_training:
        draft.leave((*at, "Networking"), "Muster places only nodes for training, which have EFA")
    if capacity == "spot" and purpose == "training":
        capacity = {"spot": {"interruptions-accepted": True}}
    made: dict[str, Any] = {"for": purpose, "instance": instance, "nodes": nodes, "capacity": capacity}
    if efa != (for_training and machine.max_efa > 0):
        made["efa"] = efa
    if values.get("DisableSimultaneousMultithreading") is True:
        made["threads-per-core"] = 1
    if isinstance(values.get("DisableSimultaneousMultithreading"), bool):
        draft.take((*at, "DisableSimultaneousMultithreading"))
    if isinstance(memory := values.get("SchedulableMemory"), int):
        made["memory"] = f"{memory}MiB"
        draft.take((*at, "SchedulableMemory"))
    return made


def _instance(draft: Draft, values: Mapping[str, Any], at: KeyPath) -> str | None:
    draft.take((*at, "InstanceType"))
    several = values.get("Instances")
    if not isinstance(several, list) or not several:
        return text(known(values.get("InstanceType")))
    draft.take((*at, "Instances", 0))
    for index in range(1, len(several)):
        draft.leave((*at, "Instances", index), "a group has one instance type")
    return text(value_at(several[0], "InstanceType")) if isinstance(several[0], Mapping) else None


def _nodes(draft: Draft, values: Mapping[str, Any], at: KeyPath) -> int | dict[str, int] | None:
    draft.take((*at, "MinCount"), (*at, "MaxCount"))
    least = _MINIMUM if values.get("MinCount") is None else values.get("MinCount")
    most = max(_MAXIMUM, least) if values.get("MaxCount") is None and isinstance(least, int) else values.get("MaxCount")
    if not isinstance(least, int) or not isinstance(most, int) or not 0 <= least <= most or most < 1:
        return None
    return most if least == most else {"min": least, "max": most}


def _placement(
    draft: Draft, queue: Mapping[str, Any], values: Mapping[str, Any], at: KeyPath
) -> tuple[bool, str | None]:
    """Whether the nodes are in a placement group, and its name. The compute resource's own setting replaces the
    queue's."""
    own = value_at(values, "Networking", "PlacementGroup")
    holder = own if isinstance(own, Mapping) else value_at(queue, "Networking", "PlacementGroup")
    group = holder if isinstance(holder, Mapping) else {}
    draft.take((*at, "Networking", "PlacementGroup"), (*at[:-2], "Networking", "PlacementGroup"))
    named = text(group.get("Name")) or text(group.get("Id"))
    return bool(named) or group.get("Enabled") is True, named


def _capacity(
    draft: Draft,
    queue: Mapping[str, Any],
    values: Mapping[str, Any],
    at: KeyPath,
    zone: str,
    nodes: int | dict[str, int],
    *,
    placed: bool,
    named: str | None,
) -> Any:
    """The value of `capacity`."""
    most = nodes if isinstance(nodes, int) else nodes["max"]
    own = values.get("CapacityReservationTarget") is not None
    holder, where = (values, at) if own else (queue, at[:-2])
    target = _block(holder, "CapacityReservationTarget")
    id_, group = target.get("CapacityReservationId"), target.get("CapacityReservationResourceGroupArn")
    kind = queue.get("CapacityType")
    where_id = (*where, "CapacityReservationTarget", "CapacityReservationId")
    where_group = (*where, "CapacityReservationTarget", "CapacityReservationResourceGroupArn")
    if id_ is not None:
        draft.take(where_id)
    if group is not None:
        draft.take(where_group)
    reservation = id_ if draft.accepted(ReservationId, id_, where_id) else f"cr-{PLACEHOLDER}"
    if kind == "CAPACITY_BLOCK":
        block = {"id": reservation, "zone": zone, "count": min(most, _MOST_IN_A_BLOCK)}
        begins = today()
        ends = begins + timedelta(days=_BLOCK_DAYS)
        return {"capacity-block": {**block, "starts": begins.isoformat(), "ends": ends.isoformat()}}
    if kind == "SPOT":
        return "spot"
    held: dict[str, Any] = {"zone": zone, "count": min(most, _MOST_IN_A_RESERVATION)}
    held |= dict(_provided(placed=placed, named=named))
    if id_ is not None:
        return {"reservation": {"id": reservation, **held}}
    if group is not None:
        instead = f"arn:aws:resource-groups:{zone[:-1]}:111122223333:group/{PLACEHOLDER}"
        arn = group if draft.accepted(ResourceGroupArn, group, where_group) else instead
        return {"reservation-group": {"arn": arn, **held}}
    return "on-demand"


def _provided(*, placed: bool, named: str | None) -> Iterator[tuple[str, str]]:
    """Who provided a reservation: with one of AWS, nodes have no placement group."""
    yield "provided-by", "you" if placed else "aws"
    if named:
        yield "placement-group", named


def _block(values: Any, *names: str | int) -> Mapping[str, Any]:
    for name in names:
        values = values.get(name) if isinstance(values, Mapping) else None
    return values if isinstance(values, Mapping) else {}
