"""Keys of other backends in the description of a cluster on AWS PCS."""

from muster.config.description.foreign_keys import (
    KUBERNETES_AT_SLURM,
    NODES_AT_SLURM,
    PARTITION_IS_QUEUE,
    ForeignKeys,
    is_key,
    no_plan,
    not_key,
)
from muster.versions import PCS_SLURM

_HEAD = not_key(
    "head", "AWS runs the controller; users log in to login nodes", "write login-nodes: {login: {instance: ...}}"
)
_POST_INSTALL = not_key(
    "post-install", "the image contains the software of nodes", "add the software to the AMI of image"
)
_VERSION = f'write slurm: {{version: "{PCS_SLURM[-1]}"}}'
ON_PCS: ForeignKeys = {
    "cluster": {
        **KUBERNETES_AT_SLURM,
        "control-plane": not_key("control-plane", "a Slurm cluster has no EKS control plane: AWS runs slurmctld"),
        "access": not_key("access", "whoever may log in to a login node may use Slurm"),
        "api": not_key("api", "a Slurm cluster has no public API: users log in to login nodes"),
        "groups": is_key("groups", "groups", "write queues: {QUEUE: {groups: {NAME: ...}}}", of=" of a queue")._replace(
            stands_for="queues"
        ),
        "addons": not_key("addons", "add-ons are for Kubernetes"),
        "head": _HEAD,
        "controller": not_key("controller", "AWS runs the controller", "remove it: 'size' sets its size"),
        "login": is_key("login", "login-nodes", "write login-nodes: {login: {instance: ..., nodes: 1}}"),
        "version": is_key("version", "slurm.version", _VERSION),
        "os": not_key("os", "the image sets the operating system"),
        "accounting": is_key("accounting", "slurm.accounting", "write slurm: {accounting: {}}"),
        "post-install": _POST_INSTALL,
        "s3": not_key(
            "s3",
            "the role of nodes allows no S3",
            "link buckets to a file system: storage: {NAME: {lustre: {data: ...}}}",
        ),
        "logs": not_key("logs", "Muster does not configure the logs of PCS"),
        "monitoring": not_key("monitoring", "Muster does not configure monitoring of PCS"),
        "on-failure": not_key("on-failure", "PCS keeps a cluster whose creation fails"),
    },
    "login-nodes": {
        "ssh-from": not_key("ssh-from", "a security group allows SSH", "write security-groups: [sg-...]"),
        "login": is_key("login", "key-pair", "write key-pair: NAME, or remove it: sessions always work"),
        "grace-minutes": not_key("grace-minutes", "PCS has no such setting"),
        "post-install": _POST_INSTALL,
        "image": not_key("image", "all nodes have the same image", "write image: ami-... for the cluster"),
    },
    "queue": {
        "zones": is_key("zones", "zone", "write zone: ZONE in the group", of=" of a group"),
        "root": not_key("root", "the image sets the root volume"),
        "security-groups": is_key("security-groups", "security-groups", "write it in the group", of=" of a group"),
        "post-install": _POST_INSTALL,
    },
    "group": {
        "interfaces": is_key("interfaces", "efa", "write efa: true or false, or remove it"),
        "image": not_key("image", "all nodes have the same image", "write image: ami-... for the cluster"),
        "volume": not_key("volume", "the image sets the root volume"),
        "threads-per-core": not_key("threads-per-core", "Muster does not configure threads on PCS"),
        "labels": not_key("labels", "nodes of Slurm have no labels"),
        "taints": not_key("taints", "nodes of Slurm have no taints"),
        "huge-pages": not_key("huge-pages", "EFA's installer reserves huge pages in the image"),
        "subnets": not_key("subnets", "compute nodes are in private subnets"),
        "local-storage": not_key("local-storage", "the image mounts NVMe disks"),
        "session": not_key("session", "nodes always allow sessions of AWS Systems Manager"),
        "hyperpod": not_key("hyperpod", "this cluster is on PCS"),
        "partition": PARTITION_IS_QUEUE,
    },
    "capacity": no_plan("a group on PCS supports", "hyperpod-slurm"),
    "nodes": NODES_AT_SLURM,
}
