"""ParallelCluster's own names of things -> how they are said here; or why there is nothing to say.

Whoever copies a configuration of the `pcluster` CLI into a description is told all of it at once. Names: schemas of
aws-parallelcluster 3.16.1 (`cluster_schema.py`).
"""

from collections.abc import Mapping

Words = tuple[str, str]
"""What was found, what to do."""


def _is(own: str, here: str, write: str) -> Words:
    return f"'{own}' is {here} here", write


def _not(own: str, why: str, remedy: str = "remove it") -> Words:
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

CLUSTER: Mapping[str, Words] = {
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

HEAD: Mapping[str, Words] = {
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

QUEUE: Mapping[str, Words] = {
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

GROUP: Mapping[str, Words] = {
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

RESERVATION: Mapping[str, Words] = {
    "CapacityReservationId": _is("CapacityReservationId", "'id'", "write id: cr-..."),
    "CapacityReservationResourceGroupArn": _is(
        "CapacityReservationResourceGroupArn", "'reservation-group'", _GROUP_OF_RESERVATIONS
    ),
    "group": _is("group", "'reservation-group'", _GROUP_OF_RESERVATIONS),
    "arn": _is("arn", "that of a 'reservation-group'", _GROUP_OF_RESERVATIONS),
}
"""Of a reservation: one is named by its id, a group of them in a block of its own."""

CAPACITY_BLOCK: Mapping[str, Words] = {
    "active": _not("active", "ParallelCluster holds the nodes back until the block begins by itself"),
}
"""Of a Capacity Block."""
