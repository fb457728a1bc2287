"""Keys of another backend: the messages that name the key to write instead."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from muster import backends
from muster.finding import KeyPath
from muster.message_text import did_you_mean, or_list, show_value
from muster.plain_data import value_at


class KeyMessage(NamedTuple):
    """What is wrong with a key, and what to do."""

    got: str
    remedy: str
    stands_for: str = ""
    """The key of the same block that it stands for, if there is one."""


def is_key(own: str, here: str, write: str, *, of: str = "") -> KeyMessage:
    """The message for a key with an equivalent.

    Args:
        own: the key.
        here: its equivalent, below the same block.
        write: what to do.
        of: the words behind the equivalent, as in " of a group", where the equivalent is not that key alone.
    """
    got = f"'{own}' is not a key here: its equivalent is '{here}'{of}"
    return KeyMessage(got, write, "" if of.startswith(" of ") else here)


def _is(own: str, what: str, write: str) -> KeyMessage:
    """The message for a key whose equivalent is no key of the description."""
    return KeyMessage(f"'{own}' is not a key here: its equivalent is {what}", write)


def not_key(own: str, why: str, remedy: str = "remove it") -> KeyMessage:
    """The message for a key without an equivalent."""
    return KeyMessage(f"'{own}' is not a key here: {why}", remedy)


_HEAD: Mapping[str, KeyMessage] = {
    "key-pair": is_key("key-pair", "login.key-pair", "write login: {key-pair: NAME}"),
    "session": is_key("session", "login", "write login: ssm, or remove it: sessions always work"),
    "volume": is_key("volume", "root", "write root: 200GiB"),
    "image": not_key("image", "all nodes have the same image", "write image: ami-... for the cluster"),
}
"""Keys of `head`."""

_LOGIN_NODES: Mapping[str, KeyMessage] = {
    "login": not_key("login", "login nodes have the key pair of the head node", "write head: {login: ...}"),
    "root": not_key("root", "ParallelCluster chooses the root volumes of login nodes"),
    "image": not_key("image", "all nodes have the same image", "write image: ami-... for the cluster"),
}
"""Keys of a pool of login nodes."""

_QUEUE: Mapping[str, KeyMessage] = {
    "zone": is_key("zone", "zones", "write zones: [ZONE]"),
    "instance": is_key("instance", "instance", "write groups: {NAME: {instance: ..., nodes: ...}}", of=" of a group"),
    "nodes": is_key("nodes", "nodes", "write groups: {NAME: {instance: ..., nodes: ...}}", of=" of a group"),
    "for": is_key("for", "for", "write groups: {NAME: {for: training, ...}}", of=" of a group"),
    "capacity": is_key("capacity", "capacity", "write groups: {NAME: {capacity: ...}}", of=" of a group"),
    "volume": is_key("volume", "root", "write root: 200GiB"),
}
"""Keys of a queue."""

_GROUP_OF_RESERVATIONS = "write capacity: {reservation-group: {arn: ..., zone: ..., count: ..., provided-by: ...}}"

_RESERVATION: Mapping[str, KeyMessage] = {
    "group": is_key("group", "reservation-group", _GROUP_OF_RESERVATIONS),
    "arn": _is("arn", "in a 'reservation-group'", _GROUP_OF_RESERVATIONS),
}
"""Keys of a reservation. One reservation is set by its id; a group of reservations has another block."""

_BLOCK_KEYS: Mapping[str, KeyMessage] = {
    "placement-group": KeyMessage(
        "a Capacity Block has no 'placement-group': EC2 already places its instances close together",
        "remove it",
    ),
    "provided-by": KeyMessage(
        "'provided-by' applies only to reservations: AWS provides every Capacity Block", "remove it"
    ),
}
"""Keys of a Capacity Block, on every backend."""

_CAPACITY_BLOCK: Mapping[str, KeyMessage] = {
    **_BLOCK_KEYS,
    "active": not_key("active", "ParallelCluster itself holds the nodes back until the block begins"),
}
"""Keys of a Capacity Block."""


_NO_EC2_RESERVATION = KeyMessage(
    "HyperPod does not support reservations and Capacity Blocks of EC2",
    "write training-plan: {arn: ..., zone: ..., count: ...}, or remove capacity",
)
_ON_EKS = KeyMessage(
    "'hyperpod' applies only to a cluster on HyperPod, but this one is on EKS",
    "write backend: hyperpod, or remove it",
)
_ON_SLURM = KeyMessage(
    "'hyperpod' applies only to a cluster on HyperPod, but this one is on ParallelCluster",
    "write backend: hyperpod-slurm, or remove it",
)
_NO_TRAINING_PLAN = KeyMessage(
    "{} no training plan: only HyperPod does",
    "write reservation or capacity-block, or backend: {}",
)

OF_KUBERNETES_GROUPS: Mapping[str, KeyMessage] = {
    "image": is_key(
        "image",
        "hyperpod.image",
        "write hyperpod: {image: {release: ...}} or {image: {id: ...}}",
    ),
    "volume": is_key(
        "volume",
        "hyperpod.volume",
        "write hyperpod: {volume: {size: ...}}",
    ),
    "updates": is_key(
        "updates",
        "hyperpod.updates",
        "write hyperpod: {updates: {schedule: ...}}",
    ),
    "interfaces": is_key(
        "interfaces",
        "hyperpod.interface",
        "write hyperpod: {interface: efa}, or remove it",
    ),
    "node-repair": KeyMessage(
        "on HyperPod, node recovery applies to all groups of the cluster",
        "write hyperpod: {node-recovery: ...} for the cluster, and remove it here",
    ),
    "self-managed": KeyMessage("on HyperPod, SageMaker manages the instances", "remove it"),
    "provisioned-by": KeyMessage(
        "only groups of backend: eks can have nodes of Karpenter or EKS Auto Mode",
        "remove it",
    ),
    "subnets": KeyMessage("HyperPod's instances are in private subnets", "remove it"),
    "local-storage": KeyMessage("HyperPod sets up the NVMe disks itself", "remove it"),
    "session": KeyMessage("HyperPod's instances always allow sessions of AWS Systems Manager", "remove it"),
    "was": KeyMessage("HyperPod identifies a group by its name: a renamed group is another group", "remove it"),
}
"""Keys of EKS groups, with their equivalents on HyperPod."""


_BACKENDS, _NAMES = "{backends}", "{names}"
"""In a message: the titles of the backends whose descriptions have the key, and their values of `backend`."""


def of_others(key: str, here: str, remedy: str, stands_for: str = "") -> KeyMessage:
    """The message for a key that only descriptions of other backends have."""
    return KeyMessage(f"'{key}' applies only to {_BACKENDS}, but this cluster is on {here}", remedy, stands_for)


def _of_slurm(here: str) -> Mapping[str, KeyMessage]:
    """Keys that only a Slurm cluster has, in the description of another cluster."""
    other = f"backend: {_NAMES}"
    remedies = {
        "queues": f"write groups: {{NAME: ...}}, or {other}",
        "version": f"write kubernetes: for the Kubernetes version, or {other}",
        "image": f"write image in a group, or {other}",
        "monitoring": f"write addons: {{cloudwatch-observability: {{}}}}, or {other}",
        "on-destroy": f"write on-destroy in storage, registry or a similar block, or {other}",
    }
    keys = (
        *("queues", "head", "login-nodes", "slurm", "accounting", "os", "version", "image", "post-install", "s3"),
        *("monitoring", "on-failure", "on-destroy", "size"),
    )
    named = {"queues": "groups"}
    return {
        key: of_others(key, here, remedies.get(key, f"write {other}, or remove it"), named.get(key, "")) for key in keys
    }


KUBERNETES_AT_SLURM: Mapping[str, KeyMessage] = {
    "kubernetes": KeyMessage(
        "'kubernetes' sets the Kubernetes version, but a Slurm cluster has no Kubernetes",
        "remove it, or write backend: eks",
    ),
    "control-plane": KeyMessage(
        "a Slurm cluster has no EKS control plane: slurmctld runs on the head node", "write head: {...}"
    ),
    "access": KeyMessage(
        "whoever may log in to the head node may use Slurm",
        "write head: {login: ssm}, or login: {key-pair: NAME}",
    ),
    "api": KeyMessage(
        "a Slurm cluster has no public API: users log in to the head node", "write head: {ssh-from: NETWORK}"
    ),
    "secrets-key": KeyMessage("a Slurm cluster has no Kubernetes secrets", "remove it"),
    "secrets-key-on-destroy": KeyMessage("a Slurm cluster has no Kubernetes secrets", "remove it"),
    "groups": KeyMessage(
        "on ParallelCluster, groups belong to queues", "write queues: {QUEUE: {groups: {NAME: ...}}}", "queues"
    ),
    "addons": KeyMessage(
        "add-ons are for Kubernetes",
        "write post-install: {install: [docker, pyxis]} or {scripts: [...]}, or include the software in a custom image",
    ),
    "addons-in": KeyMessage("add-ons are for Kubernetes", "remove it"),
    "chart-mirror": KeyMessage("charts are for Kubernetes", "remove it"),
    "image-mirror": KeyMessage("add-ons and their images are for Kubernetes", "remove it: jobs set their own images"),
    "hyperpod": _ON_SLURM,
}
_GROUPS_AT_SLURM: Mapping[str, KeyMessage] = {
    "zone": is_key(
        "zone",
        "zones",
        "write zones: [ZONE] in the queue, or remove it: capacity can also set the zone",
        of=" of the queue",
    ),
    "security-groups": is_key(
        "security-groups",
        "security-groups",
        "write security-groups: [...] in the queue",
        of=" of the queue",
    ),
    "subnets": KeyMessage("compute nodes are in private subnets", "remove it"),
    "volume": is_key("volume", "root", "write root: 200GiB in the queue", of=" of the queue"),
    "image": KeyMessage("all nodes have the same image", "write image: ami-... for the cluster"),
    "interfaces": is_key("interfaces", "efa", "write efa: true or false, or remove it"),
    "local-storage": KeyMessage("NVMe disks always form one volume at /local_scratch", "remove it"),
    "session": KeyMessage("nodes always allow sessions of AWS Systems Manager", "remove it"),
    "updates": is_key(
        "updates",
        "slurm.on-update",
        "write slurm: {on-update: drain} for the cluster",
        of=" of the cluster",
    ),
    "node-repair": KeyMessage("ParallelCluster itself replaces nodes that fail", "remove it"),
    "self-managed": KeyMessage("ParallelCluster manages the nodes", "remove it"),
    "provisioned-by": KeyMessage(
        "only groups of backend: eks can have nodes of Karpenter or EKS Auto Mode",
        "remove it",
    ),
    "was": KeyMessage("ParallelCluster identifies a group by its name: a renamed group is another group", "remove it"),
    "labels": KeyMessage("Slurm has no node labels: jobs select a queue", "move the nodes to a separate queue"),
    "taints": KeyMessage("Slurm has no taints: jobs select a queue", "move the nodes to a separate queue"),
    "huge-pages": KeyMessage(
        "Muster does not allocate huge pages on the nodes of a Slurm cluster",
        "allocate them in a script of post-install (vm.nr_hugepages), or remove it",
    ),
    "hyperpod": _ON_SLURM,
}
NODES_AT_SLURM: Mapping[str, KeyMessage] = {
    "start": KeyMessage("'start' is not a key here: 'min' nodes run at first, and others start for jobs", "remove it"),
    "scaled-by": KeyMessage("Slurm itself starts and stops nodes for jobs", "remove it"),
    "count": is_key(
        "count",
        "max",
        "write nodes: 4, or nodes: {min: 0, max: 10}",
    ),
    "minimum": is_key("minimum", "min", "write nodes: {min: 0, max: 10}"),
}

NODES_OF_INSTANCES: Mapping[str, KeyMessage] = {
    "max": is_key("max", "count", "write nodes: 4, or nodes: {count: 4, minimum: 2}"),
    "min": is_key("min", "minimum", "write nodes: 4, or nodes: {count: 4, minimum: 2}"),
}
"""Keys of `nodes` of other backends, on HyperPod."""

_NODES = "nodes"
NO_EC2_RESERVATIONS = dict.fromkeys(("reservation", "reservation-group", "capacity-block"), _NO_EC2_RESERVATION)


def no_plan(whose: str, on_hyperpod: str) -> Mapping[str, KeyMessage]:
    """The message about training plans, with the backend on HyperPod that has the same scheduler."""
    got, remedy = _NO_TRAINING_PLAN.got.format(whose), _NO_TRAINING_PLAN.remedy.format(on_hyperpod)
    return {"training-plan": KeyMessage(got, remedy)}


_MEMORY = KeyMessage(
    "Kubernetes reads the memory of a node from the node",
    "remove it: `muster plan` shows how much memory pods can use",
)

ForeignKeys = Mapping[str, Mapping[str, KeyMessage]]
"""A kind of block -> a key that only other backends have there -> what to write instead."""

_HYPERPOD_SLURM: Mapping[str, KeyMessage] = {
    "orchestrator": KeyMessage(
        "'orchestrator' is not a key here: backend: hyperpod has EKS, backend: hyperpod-slurm has Slurm",
        "write backend: hyperpod-slurm for Slurm, or remove it",
    ),
    **{
        key: KeyMessage(
            f"'{key}' applies only to a HyperPod cluster with Slurm", "write backend: hyperpod-slurm, or remove it"
        )
        for key in ("controller", "login", "home")
    },
}
_PARTITION = KeyMessage(
    "'partition' applies only to a HyperPod cluster with Slurm",
    "write backend: hyperpod-slurm, or remove it",
)

_TEAM_NUMBERS = {"gpus": is_key("gpus", "accelerators", "write accelerators: N")}

_ADDONS: Mapping[str, KeyMessage] = {
    "aws-load-balancer-controller": not_key(
        "aws-load-balancer-controller",
        "EKS Auto Mode contains it, and for other clusters it is a chart",
        "remove it on Auto Mode; otherwise write charts: {aws-load-balancer-controller: ...}",
    ),
}

ON_EKS: ForeignKeys = {
    "cluster": {"hyperpod": _ON_EKS, **_HYPERPOD_SLURM, **_of_slurm("EKS")},
    "group": {
        "hyperpod": _ON_EKS,
        "efa": is_key(
            "efa",
            "interfaces",
            "write interfaces: aws or plain, or remove it",
        ),
        "threads-per-core": KeyMessage("'threads-per-core' applies only to HyperPod and Slurm", "remove it"),
        "partition": _PARTITION,
        "memory": _MEMORY,
    },
    "capacity": no_plan("a group on EKS supports", "hyperpod"),
    "capacity-block": _BLOCK_KEYS,
    "addons": _ADDONS,
}

ON_HYPERPOD: ForeignKeys = {
    "cluster": {**_of_slurm("HyperPod"), **_HYPERPOD_SLURM},
    "quota": _TEAM_NUMBERS,
    "addons": _ADDONS,
    _NODES: NODES_OF_INSTANCES,
    "group": {
        **OF_KUBERNETES_GROUPS,
        "partition": _PARTITION,
        "efa": is_key(
            "efa",
            "hyperpod.interface",
            "write hyperpod: {interface: efa}, or remove it",
        ),
        "threads-per-core": is_key(
            "threads-per-core",
            "hyperpod.threads-per-core",
            "write hyperpod: {threads-per-core: ...}",
        ),
        "memory": _MEMORY,
    },
    "capacity": NO_EC2_RESERVATIONS,
}

PARTITION_IS_QUEUE = not_key(
    "partition", "each queue is a partition of Slurm", "remove it, and use it as the name of a queue"
)

ON_PARALLELCLUSTER: ForeignKeys = {
    "cluster": {
        **KUBERNETES_AT_SLURM,
        **_HYPERPOD_SLURM,
        "controller": is_key("controller", "head", "write head: {instance: ...}"),
        "login": is_key("login", "login-nodes", "write login-nodes: {NAME: {instance: ..., nodes: 1}}"),
    },
    "slurm": {"version": not_key("version", "each version of ParallelCluster contains one version of Slurm")},
    "head": _HEAD,
    "login-nodes": _LOGIN_NODES,
    "queue": _QUEUE,
    "group": {**_GROUPS_AT_SLURM, "partition": PARTITION_IS_QUEUE},
    "capacity": no_plan("a group on ParallelCluster supports", "hyperpod-slurm"),
    "reservation": _RESERVATION,
    "capacity-block": _CAPACITY_BLOCK,
    _NODES: NODES_AT_SLURM,
}


def backend_faults(raw: Mapping[Any, Any]) -> Iterator[tuple[KeyPath, str, str]]:
    """Faults in `backend`. If it is missing, the remedy names all backends."""
    if "backend" not in raw:
        *first, last = (f"backend: {each}" for each in backends.MODULES)
        yield ("backend",), "'backend' is missing", f"write {', '.join(first)} or {last}"
        return
    given, choices = raw["backend"], f"valid values: {', '.join(backends.MODULES)}"
    if not isinstance(given, str):
        yield ("backend",), f"{show_value(given)} is not a valid value", choices
    elif given not in backends.MODULES:
        meant = backends.meant_by(given.lower())
        hint = f"; did you mean '{meant}'?" if meant else did_you_mean(given, backends.MODULES)
        yield ("backend",), f"'{given}' is not a valid value{hint}", choices


def foreign_key_faults(raw: Mapping[Any, Any], keys: ForeignKeys) -> Iterator[tuple[KeyPath, str, str]]:
    """Keys of other backends in the description of a cluster."""
    for path, name, message in _foreign(raw, keys):
        full = _with_backends(name, message)
        yield path, full.got, full.remedy


def keys_stood_for(raw: Mapping[Any, Any], keys: ForeignKeys) -> Iterator[KeyPath]:
    """The keys that keys of other backends stand for: they are not also missing."""
    for path, _, message in _foreign(raw, keys):
        if message.stands_for:
            yield (*path[:-1], *message.stands_for.split("."))


def _foreign(raw: Mapping[Any, Any], keys: ForeignKeys) -> Iterator[tuple[KeyPath, str, KeyMessage]]:
    """Each key of another backend: its path, its name in the messages, and its message."""
    for kind, path, block in _blocks(raw):
        messages = keys.get(kind, {})
        for key in block:
            if key in messages:
                yield (*path, key), key, messages[key]


def _with_backends(key: str, message: KeyMessage) -> KeyMessage:
    """A message with the names of the backends whose descriptions have the key."""
    if _BACKENDS not in message.got:
        return message
    having = [
        each
        for each in backends.every()
        if any((info.alias or name) == key for name, info in each.description.load().model_fields.items())
    ]
    titles, names = (or_list([getattr(each, what) for each in having]) for what in ("title", "name"))
    return message._replace(got=message.got.replace(_BACKENDS, titles), remedy=message.remedy.replace(_NAMES, names))


def _blocks(raw: Mapping[Any, Any]) -> Iterator[tuple[str, KeyPath, Mapping[Any, Any]]]:
    """Every block that may contain keys of another backend, as written in the document."""
    yield "cluster", (), raw
    for key in ("head", "controller", "login", "slurm", "addons"):
        if isinstance(block := raw.get(key), Mapping):
            yield key, (key,), block
    yield from _quotas(raw)
    yield from (("login-nodes", path, pool) for path, pool in _named(raw, (), "login-nodes"))
    yield from _groups(raw, ())
    for path, queue in _named(raw, (), "queues"):
        yield "queue", path, queue
        yield from _groups(queue, path)


def _quotas(raw: Mapping[Any, Any]) -> Iterator[tuple[str, KeyPath, Mapping[Any, Any]]]:
    """The numbers of every instance type in the quotas of teams."""
    at = ("hyperpod", "task-governance")
    governed = value_at(raw, *at)
    for path, team in _named(governed, at, "teams") if isinstance(governed, Mapping) else ():
        for key in ("quota", "borrow-limits"):
            yield from (("quota", *each) for each in _named(team, path, key))


def _groups(block: Mapping[Any, Any], at: KeyPath) -> Iterator[tuple[str, KeyPath, Mapping[Any, Any]]]:
    for path, group in _named(block, at, "groups"):
        yield "group", path, group
        for key in ("capacity", _NODES):
            if isinstance(below := group.get(key), Mapping):
                yield key, (*path, key), below
                yield from ((kind, (*path, key, kind), each) for kind, each in _kinds(below))


def _kinds(capacity: Mapping[Any, Any]) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    """The blocks of a capacity that may contain keys of other places."""
    for kind in ("reservation", "capacity-block"):
        if isinstance(block := capacity.get(kind), Mapping):
            yield kind, block


def _named(block: Mapping[Any, Any], at: KeyPath, key: str) -> Iterator[tuple[KeyPath, Mapping[Any, Any]]]:
    named = block.get(key)
    for name, each in named.items() if isinstance(named, Mapping) else ():
        if isinstance(each, Mapping):
            yield (*at, key, name), each
