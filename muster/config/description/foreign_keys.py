"""Keys of another backend, and key names of ParallelCluster: the messages that name the key to write instead."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from muster import backends
from muster.finding import KeyPath
from muster.message_text import any_of, did_you_mean, show_value
from muster.plain_data import value_at


class KeyMessage(NamedTuple):
    """What is wrong with a key, and what to do."""

    got: str
    remedy: str
    stands_for: str = ""
    """The key of the same block that it stands for, if there is one."""
    why: str = ""
    """Why the description has no equivalent, for a message of `not_key`."""


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
    return KeyMessage(f"'{own}' is not a key here: {why}", remedy, why=why)


_POST_INSTALL = is_key(
    "CustomActions", "post-install", "write post-install: {install: [docker, pyxis], scripts: [...]}"
)
_RIGHTS = not_key(
    "Iam",
    "nodes already have permission to read the scripts of post-install, pull images and use sessions",
    "remove it",
)
_HEALTH = not_key("HealthChecks", "Muster does not configure GPU health checks")
_OWN_SETTINGS = not_key(
    "CustomSlurmSettings", "settings apply to the whole cluster", "write slurm: {settings: {KEY: VALUE}}"
)
_OWN_IMAGE = not_key("Image", "all nodes have the same image", "write image: ami-... for the cluster")
_RESERVED = is_key(
    "CapacityReservationTarget", "capacity", "write capacity: {reservation: {id: cr-..., ...}}", of=" of a group"
)
_OWN_TAGS = not_key(
    "Tags", "every resource of the cluster has the tags of the cluster", "write tags: {KEY: VALUE} for the cluster"
)

PCLUSTER_CLUSTER_KEYS: Mapping[str, KeyMessage] = {
    "Region": _is("Region", "'aws:region'", "write aws:region: REGION beside muster:cluster"),
    "Image": is_key("Image", "os", "write os: alinux2023, and image: ami-... for a custom AMI", of=" and 'image'"),
    "HeadNode": is_key("HeadNode", "head", "write head: {instance: ..., login: ...}"),
    "Scheduling": is_key("Scheduling", "queues", "write queues: {NAME: {groups: ...}}", of=" and 'slurm'"),
    "SlurmQueues": is_key("SlurmQueues", "queues", "write queues: {NAME: {groups: ...}}, a map by name"),
    "SlurmSettings": is_key("SlurmSettings", "slurm", "write slurm: {idle-minutes: ..., settings: {...}}"),
    "SharedStorage": is_key("SharedStorage", "storage", "write storage: {fsx: {lustre: {size: ..., throughput: ...}}}"),
    "Monitoring": is_key("Monitoring", "monitoring", "write monitoring: {detailed: true}", of=" and 'logs'"),
    "Tags": is_key("Tags", "tags", "write tags: {KEY: VALUE}"),
    "Imds": not_key("Imds", "instances always require IMDSv2"),
    "DevSettings": is_key("DevSettings", "post-install", "write post-install: {timeout-minutes: ...} for timeouts"),
    "Iam": _RIGHTS,
    "LoginNodes": is_key("LoginNodes", "login-nodes", "write login-nodes: {NAME: {instance: ..., nodes: 1}}"),
    "DirectoryService": not_key("DirectoryService", "create users on the head node, or with a script of post-install"),
    "AdditionalPackages": not_key(
        "AdditionalPackages", "scripts of post-install install packages", "write post-install: {scripts: ...}"
    ),
    "AdditionalResources": not_key("AdditionalResources", "other resources belong in other stacks"),
    "CustomS3Bucket": not_key("CustomS3Bucket", "ParallelCluster creates its own bucket"),
    "DeploymentSettings": not_key("DeploymentSettings", "AWS's custom resource uses its own roles to deploy"),
    "CustomActions": _POST_INSTALL,
}
"""Keys of the whole configuration."""

PCLUSTER_HEAD_KEYS: Mapping[str, KeyMessage] = {
    "InstanceType": is_key("InstanceType", "instance", "write instance: m5.8xlarge"),
    "Networking": is_key(
        "Networking", "subnets", "write subnets: private, or public", of=", 'zone' and 'security-groups'"
    ),
    "Ssh": is_key(
        "Ssh", "login", "write login: {key-pair: NAME} and ssh-from: NETWORK, or login: ssm", of=" and 'ssh-from'"
    ),
    "LocalStorage": is_key("LocalStorage", "root", "write root: 200GiB"),
    "CustomActions": _POST_INSTALL,
    "Iam": _RIGHTS,
    "Imds": not_key("Imds", "ParallelCluster already blocks users from the permissions of the head node"),
    "Image": _OWN_IMAGE,
    "Dcv": not_key("Dcv", "Muster does not configure a remote desktop"),
    "SharedStorageType": not_key("SharedStorageType", "the head node shares /home from its root volume"),
    "SharedStorageEfsSettings": not_key("SharedStorageEfsSettings", "the head node shares /home from its root volume"),
    "DisableSimultaneousMultithreading": not_key("DisableSimultaneousMultithreading", "no jobs run on the head node"),
    "key-pair": is_key("key-pair", "login.key-pair", "write login: {key-pair: NAME}"),
    "session": is_key("session", "login", "write login: ssm, or remove it: sessions always work"),
    "volume": is_key("volume", "root", "write root: 200GiB"),
    "image": not_key("image", "all nodes have the same image", "write image: ami-... for the cluster"),
}
"""Keys of `head`."""

PCLUSTER_LOGIN_KEYS: Mapping[str, KeyMessage] = {
    "Name": _is("Name", "the key of the pool", "write login-nodes: {NAME: ...}, and remove it"),
    "InstanceType": is_key("InstanceType", "instance", "write instance: m5.large"),
    "Count": is_key("Count", "nodes", "write nodes: 1"),
    "Networking": is_key(
        "Networking", "subnets", "write subnets: private, or public", of=", 'zone' and 'security-groups'"
    ),
    "Ssh": is_key("Ssh", "ssh-from", "write ssh-from: NETWORK; login nodes have the key pair of the head node"),
    "GracetimePeriod": is_key("GracetimePeriod", "grace-minutes", "write grace-minutes: 10"),
    "CustomActions": _POST_INSTALL,
    "Iam": not_key("Iam", "ParallelCluster gives login nodes no S3 permissions"),
    "Image": _OWN_IMAGE,
    "Dcv": not_key("Dcv", "Muster does not configure a remote desktop"),
    "login": not_key("login", "login nodes have the key pair of the head node", "write head: {login: ...}"),
    "root": not_key("root", "ParallelCluster chooses the root volumes of login nodes"),
    "image": not_key("image", "all nodes have the same image", "write image: ami-... for the cluster"),
}
"""Keys of a pool of login nodes."""

PCLUSTER_QUEUE_KEYS: Mapping[str, KeyMessage] = {
    "Name": _is("Name", "the key of the queue", "write queues: {NAME: ...}, and remove it"),
    "CapacityType": is_key(
        "CapacityType", "capacity", "write capacity: on-demand, spot or capacity-block", of=" of its groups"
    ),
    "ComputeResources": is_key("ComputeResources", "groups", "write groups: {NAME: ...}, a map by name"),
    "Networking": is_key(
        "Networking",
        "zones",
        "write zones: [ZONE]: the network has the subnet of that zone",
        of=" and 'security-groups'",
    ),
    "ComputeSettings": is_key("ComputeSettings", "root", "write root: 200GiB: NVMe disks are at /local_scratch"),
    "CapacityReservationTarget": _RESERVED,
    "JobExclusiveAllocation": is_key("JobExclusiveAllocation", "exclusive", "write exclusive: true, or false"),
    "CustomActions": _POST_INSTALL,
    "CustomSlurmSettings": _OWN_SETTINGS,
    "HealthChecks": _HEALTH,
    "Iam": _RIGHTS,
    "Image": _OWN_IMAGE,
    "Tags": _OWN_TAGS,
    "AllocationStrategy": not_key("AllocationStrategy", "each group has one instance type"),
    "zone": is_key("zone", "zones", "write zones: [ZONE]"),
    "instance": is_key("instance", "instance", "write groups: {NAME: {instance: ..., nodes: ...}}", of=" of a group"),
    "nodes": is_key("nodes", "nodes", "write groups: {NAME: {instance: ..., nodes: ...}}", of=" of a group"),
    "for": is_key("for", "for", "write groups: {NAME: {for: training, ...}}", of=" of a group"),
    "capacity": is_key("capacity", "capacity", "write groups: {NAME: {capacity: ...}}", of=" of a group"),
    "volume": is_key("volume", "root", "write root: 200GiB"),
}
"""Keys of a queue."""

PCLUSTER_GROUP_KEYS: Mapping[str, KeyMessage] = {
    "Name": _is("Name", "the key of the group", "write groups: {NAME: ...}, and remove it"),
    "InstanceType": is_key("InstanceType", "instance", "write instance: p4de.24xlarge"),
    "Instances": is_key("Instances", "instance", "write instance: TYPE; use one group for each type"),
    "MinCount": is_key("MinCount", "nodes", "write nodes: 4, or nodes: {min: 0, max: 10}"),
    "MaxCount": is_key("MaxCount", "nodes", "write nodes: 4, or nodes: {min: 0, max: 10}"),
    "Efa": is_key(
        "Efa", "efa", "write efa: true, or remove it: training groups have EFA if the instance type supports it"
    ),
    "CapacityReservationTarget": _RESERVED,
    "Networking": not_key(
        "Networking",
        "Muster derives the placement group from 'for' and from the provider of the reservation",
        "write provided-by and placement-group in capacity, or remove it",
    ),
    "DisableSimultaneousMultithreading": is_key(
        "DisableSimultaneousMultithreading", "threads-per-core", "write threads-per-core: 1"
    ),
    "SchedulableMemory": is_key("SchedulableMemory", "memory", "write memory: 1000GiB"),
    "SpotPrice": not_key("SpotPrice", "spot instances cost at most the on-demand price", "write capacity: spot"),
    "HealthChecks": _HEALTH,
    "CustomSlurmSettings": _OWN_SETTINGS,
    "Tags": _OWN_TAGS,
    "LaunchTemplateOverrides": not_key(
        "LaunchTemplateOverrides", "ParallelCluster creates the launch templates itself"
    ),
    "StaticNodePriority": not_key("StaticNodePriority", "Slurm uses static nodes first"),
    "DynamicNodePriority": not_key("DynamicNodePriority", "Slurm uses static nodes first"),
}
"""Keys of a compute resource."""

_GROUP_OF_RESERVATIONS = "write capacity: {reservation-group: {arn: ..., zone: ..., count: ..., provided-by: ...}}"

PCLUSTER_RESERVATION_KEYS: Mapping[str, KeyMessage] = {
    "CapacityReservationId": is_key("CapacityReservationId", "id", "write id: cr-..."),
    "CapacityReservationResourceGroupArn": is_key(
        "CapacityReservationResourceGroupArn", "reservation-group", _GROUP_OF_RESERVATIONS
    ),
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

PCLUSTER_CAPACITY_BLOCK_KEYS: Mapping[str, KeyMessage] = {
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

_NODE_NUMBERS = "write nodes: 4, or nodes: {min: 1, start: 1, max: 4}"
_VOLUME = "write volume: {size: 300GiB}"

EKSCTL_GROUP_KEYS: Mapping[str, KeyMessage] = {
    "name": _is("name", "the name of the group", "write groups: {NAME: ...}, and remove it"),
    "instanceType": is_key("instanceType", "instance", "write instance: p5.48xlarge"),
    "instanceTypes": is_key("instanceTypes", "instance", "write instance: p5.48xlarge, one type in each group"),
    "desiredCapacity": is_key("desiredCapacity", "nodes", _NODE_NUMBERS),
    "minSize": is_key("minSize", "nodes", _NODE_NUMBERS),
    "maxSize": is_key("maxSize", "nodes", _NODE_NUMBERS),
    "volumeSize": is_key("volumeSize", "volume", _VOLUME),
    "root-volume": is_key("root-volume", "volume", _VOLUME),
    "rootVolume": is_key("rootVolume", "volume", _VOLUME),
    "availabilityZones": is_key("availabilityZones", "zone", "write zone: us-west-2a"),
    "capacityReservation": is_key(
        "capacityReservation", "capacity", "write capacity: {reservation: {id: cr-..., ...}}"
    ),
    "efaEnabled": is_key("efaEnabled", "interfaces", "write interfaces: aws, or remove it: training groups have EFA"),
    "amiFamily": is_key("amiFamily", "image", "write image: {family: ...}, or remove it: Muster chooses the image"),
    "privateNetworking": not_key("privateNetworking", "nodes are in private subnets by default"),
    "placement": not_key("placement", "the placement group follows from the capacity"),
    "iam": not_key("iam", "Muster creates the role of the nodes; pods get roles by EKS Pod Identity"),
    "ssh": not_key("ssh", "nodes allow sessions of AWS Systems Manager", "write session: ssm, or remove it"),
}
"""Of a node group in eksctl's ClusterConfig (and words that are near to its)."""

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

HYPERPOD_CLUSTER_KEYS: Mapping[str, KeyMessage] = {
    "ClusterName": is_key("ClusterName", "name", "write name: NAME"),
    "InstanceGroups": is_key("InstanceGroups", "groups", "write groups: {NAME: ...}, a map by name"),
    "VpcConfig": is_key("VpcConfig", "network", "write network: {existing: {vpc: ..., private: {ZONE: ...}}}"),
    "NodeRecovery": is_key("NodeRecovery", "hyperpod.node-recovery", "write hyperpod: {node-recovery: automatic}"),
    "NodeProvisioningMode": is_key(
        "NodeProvisioningMode", "hyperpod.provisioning", "write hyperpod: {provisioning: continuous}"
    ),
    "ClusterRole": not_key("ClusterRole", "Muster creates the roles of the cluster"),
    "Tags": is_key("Tags", "tags", "write tags: {KEY: VALUE}"),
}
"""Of SageMaker's request CreateCluster."""

HYPERPOD_GROUP_KEYS: Mapping[str, KeyMessage] = {
    "InstanceGroupName": _is("InstanceGroupName", "the name of the group", "write groups: {NAME: ...}"),
    "InstanceType": is_key("InstanceType", "instance", "write instance: p5.48xlarge, without ml."),
    "InstanceCount": is_key("InstanceCount", "nodes", "write nodes: 4"),
    "MinInstanceCount": is_key("MinInstanceCount", "nodes.minimum", "write nodes: {count: 4, minimum: 2}"),
    "ThreadsPerCore": is_key("ThreadsPerCore", "hyperpod.threads-per-core", "write hyperpod: {threads-per-core: 2}"),
    "TrainingPlanArn": is_key(
        "TrainingPlanArn", "capacity", "write capacity: {training-plan: {arn: ..., zone: ..., count: ...}}"
    ),
    "LifeCycleConfig": is_key(
        "LifeCycleConfig", "hyperpod.lifecycle", "write hyperpod: {lifecycle: {own: ...}}, or remove it"
    ),
    "ExecutionRole": is_key(
        "ExecutionRole", "hyperpod.execution-role", "write it there, or remove it", of=" of the cluster"
    ),
    "OnStartDeepHealthChecks": is_key(
        "OnStartDeepHealthChecks",
        "hyperpod.deep-health-checks",
        "write hyperpod: {deep-health-checks: [instance-stress, instance-connectivity]}",
    ),
    "InstanceStorageConfigs": is_key(
        "InstanceStorageConfigs", "hyperpod.volume", "write hyperpod: {volume: {size: 500GiB}}"
    ),
    "OverrideVpcConfig": is_key("OverrideVpcConfig", "zone", "write zone: ZONE", of=" and 'security-groups'"),
    "ImageId": is_key("ImageId", "hyperpod.image", "write hyperpod: {image: {id: ...}}"),
}
"""Of an instance group in the same request."""

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
        **EKSCTL_GROUP_KEYS,
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
    "cluster": {**HYPERPOD_CLUSTER_KEYS, **_of_slurm("HyperPod"), **_HYPERPOD_SLURM},
    "quota": _TEAM_NUMBERS,
    "addons": _ADDONS,
    _NODES: NODES_OF_INSTANCES,
    "group": {
        **HYPERPOD_GROUP_KEYS,
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
        **PCLUSTER_CLUSTER_KEYS,
        **_HYPERPOD_SLURM,
        "controller": is_key("controller", "head", "write head: {instance: ...}"),
        "login": is_key("login", "login-nodes", "write login-nodes: {NAME: {instance: ..., nodes: 1}}"),
    },
    "slurm": {"version": not_key("version", "each version of ParallelCluster contains one version of Slurm")},
    "head": PCLUSTER_HEAD_KEYS,
    "login-nodes": PCLUSTER_LOGIN_KEYS,
    "queue": PCLUSTER_QUEUE_KEYS,
    "group": {**_GROUPS_AT_SLURM, **PCLUSTER_GROUP_KEYS, "partition": PARTITION_IS_QUEUE},
    "capacity": no_plan("a group on ParallelCluster supports", "hyperpod-slurm"),
    "reservation": PCLUSTER_RESERVATION_KEYS,
    "capacity-block": PCLUSTER_CAPACITY_BLOCK_KEYS,
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
        yield path, full.got.replace(f"'{name}'", f"'{path[-1]}'", 1), full.remedy


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
            name = key if key in messages else _of_api(key)
            if name in messages:
                yield (*path, key), name, messages[name]


def _of_api(key: Any) -> str:
    """A key of CloudFormation (``ComputeNodeGroups``) as it is in the API (``computeNodeGroups``)."""
    return f"{key[:1].lower()}{key[1:]}" if isinstance(key, str) else ""


def _with_backends(key: str, message: KeyMessage) -> KeyMessage:
    """A message with the names of the backends whose descriptions have the key."""
    if _BACKENDS not in message.got:
        return message
    having = [
        each
        for each in backends.every()
        if any((info.alias or name) == key for name, info in each.description.load().model_fields.items())
    ]
    titles, names = (any_of([getattr(each, what) for each in having]) for what in ("title", "name"))
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
