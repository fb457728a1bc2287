"""Keys of another backend, and ParallelCluster's own key names: the message that says which key to write instead."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster import backends
from muster.finding import KeyPath
from muster.message_text import did_you_mean, show_value

KeyMessage = tuple[str, str]
"""What was found, what to do."""


def _is(own: str, here: str, write: str) -> KeyMessage:
    return f"'{own}' is {here} here", write


def _not(own: str, why: str, remedy: str = "remove it") -> KeyMessage:
    return f"'{own}' is not said here: {why}", remedy


_POST_INSTALL = _is("CustomActions", "'post-install'", "write post-install: {install: [docker, pyxis], scripts: [...]}")
_RIGHTS = _not(
    "Iam", "nodes may read the scripts of post-install, pull images and take sessions", "remove it, or say what lacks"
)
_HEALTH = _not("HealthChecks", "Muster turns no check of GPUs on or off")
_OWN_SETTINGS = _not("CustomSlurmSettings", "only the whole cluster has some", "write slurm: {settings: {KEY: VALUE}}")
_OWN_IMAGE = _not("Image", "all nodes have one image", "write image: ami-... for the cluster")
_RESERVED = _is(
    "CapacityReservationTarget", "'capacity' of a group", "write capacity: {reservation: {id: cr-..., ...}}"
)
_OWN_TAGS = _not("Tags", "all that the cluster makes has its tags", "write tags: {KEY: VALUE} for the cluster")

PCLUSTER_CLUSTER_KEYS: Mapping[str, KeyMessage] = {
    "Region": _is("Region", "'aws:region'", "write aws:region: REGION beside muster:cluster"),
    "Image": _is("Image", "'os' and 'image'", "write os: alinux2023, and image: ami-... for one of your own"),
    "HeadNode": _is("HeadNode", "'head'", "write head: {instance: ..., login: ...}"),
    "Scheduling": _is("Scheduling", "'queues' and 'slurm'", "write queues: {NAME: {groups: ...}}"),
    "SlurmQueues": _is("SlurmQueues", "'queues'", "write queues: {NAME: {groups: ...}}: a map by name"),
    "SlurmSettings": _is("SlurmSettings", "'slurm'", "write slurm: {idle-minutes: ..., settings: {...}}"),
    "SharedStorage": _is("SharedStorage", "'storage'", "write storage: {fsx: {lustre: {size: ..., throughput: ...}}}"),
    "Monitoring": _is("Monitoring", "'monitoring' and 'logs'", "write monitoring: {detailed: true}"),
    "Tags": _is("Tags", "'tags'", "write tags: {KEY: VALUE}"),
    "Imds": _not("Imds", "instances take IMDSv2 alone"),
    "DevSettings": _is("DevSettings", "'post-install'", "write post-install: {timeout-minutes: ...} for timeouts"),
    "Iam": _RIGHTS,
    "LoginNodes": _not("LoginNodes", "people log in to the head node", "write head: {login: ..., ssh-from: NETWORK}"),
    "DirectoryService": _not("DirectoryService", "users are made on the head node, or by a script of post-install"),
    "AdditionalPackages": _not("AdditionalPackages", "scripts install packages", "write post-install: {scripts: ...}"),
    "AdditionalResources": _not("AdditionalResources", "other resources stand in stacks of their own"),
    "CustomS3Bucket": _not("CustomS3Bucket", "ParallelCluster makes its own bucket"),
    "DeploymentSettings": _not("DeploymentSettings", "AWS's custom resource deploys with roles of its own"),
    "CustomActions": _POST_INSTALL,
}
"""Of the whole configuration."""

PCLUSTER_HEAD_KEYS: Mapping[str, KeyMessage] = {
    "InstanceType": _is("InstanceType", "'instance'", "write instance: m5.8xlarge"),
    "Networking": _is("Networking", "'subnets', 'zone' and 'security-groups'", "write subnets: private, or public"),
    "Ssh": _is("Ssh", "'login' and 'ssh-from'", "write login: {key-pair: NAME} and ssh-from: NETWORK, or login: ssm"),
    "LocalStorage": _is("LocalStorage", "'root'", "write root: 200GiB"),
    "CustomActions": _POST_INSTALL,
    "Iam": _RIGHTS,
    "Imds": _not("Imds", "ParallelCluster keeps users from the head node's rights"),
    "Image": _OWN_IMAGE,
    "Dcv": _not("Dcv", "Muster opens no remote desktop"),
    "SharedStorageType": _not("SharedStorageType", "the head node shares /home from its root volume"),
    "SharedStorageEfsSettings": _not("SharedStorageEfsSettings", "the head node shares /home from its root volume"),
    "DisableSimultaneousMultithreading": _not("DisableSimultaneousMultithreading", "nothing is computed there"),
    "key-pair": _is("key-pair", "'login.key-pair'", "write login: {key-pair: NAME}"),
    "session": _is("session", "'login'", "write login: ssm, or remove it: sessions work in any case"),
    "volume": _is("volume", "'root'", "write root: 200GiB"),
    "image": _not("image", "all nodes have one image", "write image: ami-... for the cluster"),
}
"""Of `head`."""

PCLUSTER_QUEUE_KEYS: Mapping[str, KeyMessage] = {
    "Name": _is("Name", "the key", "write queues: {NAME: ...}, and remove it"),
    "CapacityType": _is(
        "CapacityType", "'capacity' of its groups", "write capacity: on-demand, spot or capacity-block"
    ),
    "ComputeResources": _is("ComputeResources", "'groups'", "write groups: {NAME: ...}: a map by name"),
    "Networking": _is(
        "Networking", "'zones' and 'security-groups'", "write zones: [ZONE]; its subnet is the network's"
    ),
    "ComputeSettings": _is("ComputeSettings", "'root'", "write root: 200GiB; NVMe disks are at /local_scratch"),
    "CapacityReservationTarget": _RESERVED,
    "JobExclusiveAllocation": _is("JobExclusiveAllocation", "'exclusive'", "write exclusive: true, or false"),
    "CustomActions": _POST_INSTALL,
    "CustomSlurmSettings": _OWN_SETTINGS,
    "HealthChecks": _HEALTH,
    "Iam": _RIGHTS,
    "Image": _OWN_IMAGE,
    "Tags": _OWN_TAGS,
    "AllocationStrategy": _not("AllocationStrategy", "each group has one instance type"),
    "zone": _is("zone", "'zones'", "write zones: [ZONE]"),
    "instance": _is("instance", "in 'groups'", "write groups: {NAME: {instance: ..., nodes: ...}}"),
    "nodes": _is("nodes", "in 'groups'", "write groups: {NAME: {instance: ..., nodes: ...}}"),
    "for": _is("for", "in 'groups'", "write groups: {NAME: {for: training, ...}}"),
    "capacity": _is("capacity", "in 'groups'", "write groups: {NAME: {capacity: ...}}"),
    "volume": _is("volume", "'root'", "write root: 200GiB"),
}
"""Of a queue."""

PCLUSTER_GROUP_KEYS: Mapping[str, KeyMessage] = {
    "Name": _is("Name", "the key", "write groups: {NAME: ...}, and remove it"),
    "InstanceType": _is("InstanceType", "'instance'", "write instance: p4de.24xlarge"),
    "Instances": _is("Instances", "'instance'", "write instance: TYPE, one type for each group"),
    "MinCount": _is("MinCount", "'nodes'", "write nodes: 4, or nodes: {min: 0, max: 10}"),
    "MaxCount": _is("MaxCount", "'nodes'", "write nodes: 4, or nodes: {min: 0, max: 10}"),
    "Efa": _is("Efa", "'efa'", "write efa: true, or leave it out: training has it where the type does"),
    "CapacityReservationTarget": _RESERVED,
    "Networking": _not(
        "Networking",
        "the placement group follows from 'for' and from who provided the reservation",
        "write provided-by and placement-group in capacity, or remove it",
    ),
    "DisableSimultaneousMultithreading": _is(
        "DisableSimultaneousMultithreading", "'threads-per-core'", "write threads-per-core: 1"
    ),
    "SchedulableMemory": _is("SchedulableMemory", "'memory'", "write memory: 1000GiB"),
    "SpotPrice": _not("SpotPrice", "spot instances cost on-demand's price at most", "write capacity: spot"),
    "HealthChecks": _HEALTH,
    "CustomSlurmSettings": _OWN_SETTINGS,
    "Tags": _OWN_TAGS,
    "LaunchTemplateOverrides": _not("LaunchTemplateOverrides", "ParallelCluster makes the launch templates by itself"),
    "StaticNodePriority": _not("StaticNodePriority", "Slurm takes static nodes first"),
    "DynamicNodePriority": _not("DynamicNodePriority", "Slurm takes static nodes first"),
}
"""Of a compute resource."""

_GROUP_OF_RESERVATIONS = "write capacity: {reservation-group: {arn: ..., zone: ..., count: ..., provided-by: ...}}"

PCLUSTER_RESERVATION_KEYS: Mapping[str, KeyMessage] = {
    "CapacityReservationId": _is("CapacityReservationId", "'id'", "write id: cr-..."),
    "CapacityReservationResourceGroupArn": _is(
        "CapacityReservationResourceGroupArn", "'reservation-group'", _GROUP_OF_RESERVATIONS
    ),
    "group": _is("group", "'reservation-group'", _GROUP_OF_RESERVATIONS),
    "arn": _is("arn", "that of a 'reservation-group'", _GROUP_OF_RESERVATIONS),
}
"""Of a reservation: one is named by its id, a group of them in a block of its own."""

_BLOCK_KEYS: Mapping[str, KeyMessage] = {
    "placement-group": (
        "a Capacity Block takes no 'placement-group': EC2 places its instances close together by itself",
        "remove it",
    ),
    "provided-by": ("'provided-by' is for reservations: AWS sells every Capacity Block", "remove it"),
}
"""Of a Capacity Block everywhere."""

PCLUSTER_CAPACITY_BLOCK_KEYS: Mapping[str, KeyMessage] = {
    **_BLOCK_KEYS,
    "active": _not("active", "ParallelCluster holds the nodes back until the block begins by itself"),
}
"""Of a Capacity Block."""


_NO_EC2_RESERVATION = (
    "HyperPod takes no reservation or Capacity Block of EC2",
    "write training-plan: {arn: ..., zone: ..., count: ...}, or leave capacity out",
)
_ON_EKS = ("'hyperpod' is for a cluster on HyperPod, and this one is on EKS", "write backend: hyperpod, or remove it")
_ON_SLURM = (
    "'hyperpod' is for a cluster on HyperPod, and this one has Slurm",
    "write backend: hyperpod, or remove it",
)
_NO_TRAINING_PLAN = (
    "{} no training plan: it is for HyperPod",
    "write reservation or capacity-block, or backend: hyperpod",
)

_OF_EKS_GROUPS: Mapping[str, KeyMessage] = {
    "image": ("'image' is 'hyperpod.image' here", "write hyperpod: {image: {release: ...}} or {image: {id: ...}}"),
    "volume": ("'volume' is 'hyperpod.volume' here", "write hyperpod: {volume: {size: ...}}"),
    "updates": ("'updates' is 'hyperpod.updates' here", "write hyperpod: {updates: {schedule: ...}}"),
    "interfaces": ("'interfaces' is 'hyperpod.interface' here", "write hyperpod: {interface: efa}, or leave it out"),
    "node-repair": (
        "HyperPod mends the nodes of all groups alike",
        "write node-recovery below the cluster's hyperpod:, and remove it here",
    ),
    "self-managed": ("SageMaker runs HyperPod's instances, nobody else can", "remove it"),
    "subnets": ("HyperPod's instances are in private subnets", "remove it"),
    "local-storage": ("HyperPod sets up the NVMe disks itself", "remove it"),
    "session": ("HyperPod's instances take sessions of AWS Systems Manager in any case", "remove it"),
    "was": ("HyperPod knows a group by its name: a renamed one is another group", "remove it"),
}
"""On HyperPod."""


def _of_slurm(here: str) -> Mapping[str, KeyMessage]:
    """What only a cluster with Slurm has, where another one is described."""
    other = "write backend: parallelcluster, or remove it"

    def said(key: str) -> str:
        return f"'{key}' is for a cluster with Slurm on ParallelCluster, and this one is on {here}"

    return {
        "queues": (said("queues"), "write groups: {NAME: ...}, or backend: parallelcluster"),
        "head": (said("head"), other),
        "slurm": (said("slurm"), other),
        "accounting": (said("accounting"), other),
        "os": (said("os"), other),
        "version": (said("version"), "write kubernetes: for Kubernetes' version, or backend: parallelcluster"),
        "image": (said("image"), "write it in a group, or backend: parallelcluster"),
        "post-install": (said("post-install"), other),
        "s3": (said("s3"), other),
        "monitoring": (said("monitoring"), "write addons: {cloudwatch-observability: {}}, or backend: parallelcluster"),
        "on-failure": (said("on-failure"), other),
        "on-destroy": (said("on-destroy"), "write it in storage, registry and the like, or backend: parallelcluster"),
    }


_KUBERNETES_AT_SLURM: Mapping[str, KeyMessage] = {
    "kubernetes": (
        "'kubernetes' is a version, and Slurm has no Kubernetes",
        "remove it, or write backend: eks",
    ),
    "control-plane": ("Slurm has no control plane of EKS: its controller is on the head node", "write head: {...}"),
    "access": (
        "who may use Slurm is who may log in to the head node",
        "write head: {login: ssm}, or login: {key-pair: NAME}",
    ),
    "api": ("Slurm has no API for the outside: people log in to the head node", "write head: {ssh-from: NETWORK}"),
    "secrets-key": ("Slurm keeps no secrets of Kubernetes", "remove it"),
    "secrets-key-on-destroy": ("Slurm keeps no secrets of Kubernetes", "remove it"),
    "groups": ("groups are in queues here", "write queues: {QUEUE: {groups: {NAME: ...}}}"),
    "addons": (
        "add-ons are for Kubernetes",
        "write post-install: {install: [docker, pyxis]} or {scripts: [...]}, or bring them in an image",
    ),
    "addons-in": ("add-ons are for Kubernetes", "remove it"),
    "chart-mirror": ("charts are for Kubernetes", "remove it"),
    "image-mirror": ("images of add-ons are for Kubernetes", "remove it: jobs name their images"),
    "hyperpod": _ON_SLURM,
}
_GROUPS_AT_SLURM: Mapping[str, KeyMessage] = {
    "zone": ("'zone' is 'zones' of the queue here", "write zones: [ZONE] in the queue; capacity decides it, too"),
    "security-groups": ("'security-groups' are the queue's here", "write security-groups: [...] in the queue"),
    "subnets": ("compute nodes are in private subnets", "remove it"),
    "volume": ("'volume' is 'root' of the queue here", "write root: 200GiB in the queue"),
    "image": ("all nodes have one image", "write image: ami-... for the cluster"),
    "interfaces": ("'interfaces' is 'efa' here", "write efa: true or false, or leave it out"),
    "local-storage": ("NVMe disks are one volume at /local_scratch in any case", "remove it"),
    "session": ("nodes take sessions of AWS Systems Manager in any case", "remove it"),
    "updates": ("'updates' is 'slurm.on-update' here", "write slurm: {on-update: drain} for the cluster"),
    "node-repair": ("ParallelCluster replaces nodes that fail by itself", "remove it"),
    "self-managed": ("ParallelCluster runs the nodes, nobody else can", "remove it"),
    "was": ("ParallelCluster knows a group by its name: a renamed one is another group", "remove it"),
    "labels": ("Slurm has no labels: jobs choose a queue", "put the nodes into a queue of their own"),
    "taints": ("Slurm has no taints: jobs choose a queue", "put the nodes into a queue of their own"),
    "huge-pages": (
        "nobody sets huge pages aside on Slurm's nodes",
        "write a script that does (vm.nr_hugepages) below post-install, or remove it",
    ),
    "hyperpod": _ON_SLURM,
}
_NODES_AT_SLURM: Mapping[str, KeyMessage] = {
    "start": ("'start' is not said here: 'min' nodes run at first, and others start for jobs", "remove it"),
    "scaled-by": ("Slurm starts and ends nodes for jobs by itself", "remove it"),
    "count": ("'count' is a number by itself here", "write nodes: 4, or nodes: {min: 0, max: 10}"),
    "minimum": ("'minimum' is 'min' here", "write nodes: {min: 0, max: 10}"),
}

_NODES = "nodes"
_ON_HYPERPOD = dict.fromkeys(("reservation", "reservation-group", "capacity-block"), _NO_EC2_RESERVATION)


def _no_plan(whose: str) -> Mapping[str, KeyMessage]:
    got, remedy = _NO_TRAINING_PLAN
    return {"training-plan": (got.format(whose), remedy)}


_MEMORY = ("Kubernetes knows a node's memory from the node", "remove it: `muster plan` says what pods may have")

ForeignKeys = Mapping[str, Mapping[str, KeyMessage]]
"""A kind of block -> a key that only other backends have there -> what to write instead."""

ON_EKS: ForeignKeys = {
    "cluster": {"hyperpod": _ON_EKS, **_of_slurm("EKS")},
    "group": {
        "hyperpod": _ON_EKS,
        "efa": ("'efa' is 'interfaces' here", "write interfaces: aws or plain, or leave it out"),
        "threads-per-core": ("'threads-per-core' is for HyperPod and Slurm", "remove it"),
        "memory": _MEMORY,
    },
    "capacity": _no_plan("EKS's groups take"),
    "capacity-block": _BLOCK_KEYS,
}

ON_HYPERPOD: ForeignKeys = {
    "cluster": _of_slurm("HyperPod"),
    "group": {
        **_OF_EKS_GROUPS,
        "efa": ("'efa' is 'hyperpod.interface' here", "write hyperpod: {interface: efa}, or leave it out"),
        "threads-per-core": (
            "'threads-per-core' is 'hyperpod.threads-per-core' here",
            "write hyperpod: {threads-per-core: ...}",
        ),
        "memory": _MEMORY,
    },
    "capacity": _ON_HYPERPOD,
}

ON_PARALLELCLUSTER: ForeignKeys = {
    "cluster": {**_KUBERNETES_AT_SLURM, **PCLUSTER_CLUSTER_KEYS},
    "head": PCLUSTER_HEAD_KEYS,
    "queue": PCLUSTER_QUEUE_KEYS,
    "group": {**_GROUPS_AT_SLURM, **PCLUSTER_GROUP_KEYS},
    "capacity": _no_plan("Slurm's queues take"),
    "reservation": PCLUSTER_RESERVATION_KEYS,
    "capacity-block": PCLUSTER_CAPACITY_BLOCK_KEYS,
    _NODES: _NODES_AT_SLURM,
}


def backend_faults(raw: Mapping[Any, Any]) -> Iterator[tuple[KeyPath, str, str]]:
    """A cluster has one of the backends, and all of them are named to whoever gives none."""
    if "backend" not in raw:
        *first, last = (f"backend: {each}" for each in backends.MODULES)
        yield ("backend",), "'backend' is missing", f"write {', '.join(first)} or {last}"
        return
    given, choices = raw["backend"], f"choices: {', '.join(backends.MODULES)}"
    if not isinstance(given, str):
        yield ("backend",), f"{show_value(given)} is not a choice here", choices
    elif given not in backends.MODULES:
        meant = backends.meant_by(given.lower())
        hint = f"; did you mean '{meant}'?" if meant else did_you_mean(given, backends.MODULES)
        yield ("backend",), f"'{given}' is not a choice here{hint}", choices


def foreign_key_faults(raw: Mapping[Any, Any], keys: ForeignKeys) -> Iterator[tuple[KeyPath, str, str]]:
    """Keys of other backends in the description of a cluster."""
    for kind, path, block in _blocks(raw):
        messages = keys.get(kind, {})
        yield from (((*path, key), *messages[key]) for key in block if key in messages)


def _blocks(raw: Mapping[Any, Any]) -> Iterator[tuple[str, KeyPath, Mapping[Any, Any]]]:
    """Every block that another backend may have keys in, as a document is written."""
    yield "cluster", (), raw
    if isinstance(head := raw.get("head"), Mapping):
        yield "head", ("head",), head
    yield from _groups(raw, ())
    for path, queue in _named(raw, (), "queues"):
        yield "queue", path, queue
        yield from _groups(queue, path)


def _groups(block: Mapping[Any, Any], at: KeyPath) -> Iterator[tuple[str, KeyPath, Mapping[Any, Any]]]:
    for path, group in _named(block, at, "groups"):
        yield "group", path, group
        for key in ("capacity", _NODES):
            if isinstance(below := group.get(key), Mapping):
                yield key, (*path, key), below
                yield from ((kind, (*path, key, kind), each) for kind, each in _kinds(below))


def _kinds(capacity: Mapping[Any, Any]) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    """The blocks of a capacity that have keys which are said elsewhere."""
    for kind in ("reservation", "capacity-block"):
        if isinstance(block := capacity.get(kind), Mapping):
            yield kind, block


def _named(block: Mapping[Any, Any], at: KeyPath, key: str) -> Iterator[tuple[KeyPath, Mapping[Any, Any]]]:
    named = block.get(key)
    for name, each in named.items() if isinstance(named, Mapping) else ():
        if isinstance(each, Mapping):
            yield (*at, key, name), each
