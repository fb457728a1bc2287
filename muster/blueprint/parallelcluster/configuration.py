"""A cluster's configuration with ParallelCluster's keys, in the order of its guide.

One place for two uses: `muster config` prints it for the `pcluster` CLI, and the CloudFormation template
passes it to AWS's custom resource. The caller gives the ids of resources that the same program creates: names, or
`Ref`s.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.group import ParallelClusterGroup
from muster.blueprint.iam import is_profile
from muster.blueprint.logical_names import stack_tags
from muster.blueprint.parallelcluster.keys import (
    EBS_VOLUME,
    GENERAL,
    GROUP,
    HEAD,
    MONITORING,
    QUEUE,
    SCHEDULING,
    below,
    block,
    written,
)
from muster.blueprint.parallelcluster.post_install import bucket
from muster.blueprint.slurm import SlurmQueue
from muster.config.description.cluster import Cluster
from muster.config.description.parallelcluster_nodes import DEFAULT_TIMEOUT_MINUTES
from muster.config.description.slurm_settings import S3Right
from muster.fleet.resources import HeadNode, LoginPool, Mount, Queue, Ref, Reference, Script
from muster.fleet.resources import ref as types
from muster.fleet.resources.parallelcluster import EVENTS
from muster.fleet.resources.storage import KINDS
from muster.hardware.catalogue import hardware

Json = dict[str, Any]

EBS = "Ebs"
APPS = "apps"
"""The volume that the head node shares at /apps."""
SCRATCH = "/local_scratch"
"""Where a node's NVMe disks are mounted."""


def configuration(blueprint: ParallelClusterBlueprint, id: Callable[[Reference], Any]) -> Json:
    """The configuration.

    Args:
        blueprint: of a cluster on ParallelCluster.
        id: the id of a thing of the same program; of one outside it, itself.
    """
    described, cluster = blueprint.described, blueprint.cluster
    return block(
        {
            "Region": blueprint.region,
            **written(described, GENERAL),
            "Image.Os": cluster.os,
            "Image.CustomAmi": _id(cluster.image, id),
            "HeadNode": _head(blueprint, id),
            "LoginNodes.Pools": [_login_pool(each, id) for each in blueprint.login_pools] or None,
            "Scheduling.Scheduler": "slurm",
            **written(described, SCHEDULING),
            "Scheduling.SlurmQueues": [_queue(each, blueprint, id) for each in blueprint.queues],
            "SharedStorage": _storage(blueprint, id),
            **written(described, MONITORING),
            "Tags": [{"Key": key, "Value": value} for key, value in sorted(stack_tags(blueprint).items())],
            **_timeouts(blueprint),
        }
    )


def _head(blueprint: ParallelClusterBlueprint, id: Callable[[Reference], Any]) -> Json:
    head = blueprint.head
    return block(
        {
            "InstanceType": head.instance,
            "Networking.SubnetId": _id(head.subnet, id),
            # Not every public subnet gives its instances an address, but the stack has an output for it.
            "Networking.ElasticIp": True if head.own_way_out else None,
            "Networking.AdditionalSecurityGroups": [id(each) for each in head.security_groups],
            "Ssh.KeyName": _id(head.key_pair, id),
            "Ssh.AllowedIps": head.ssh_from,
            **written(blueprint.described.head, HEAD),
            **_actions(head.scripts),
            "Iam": _iam(head, blueprint),
        }
    )


def _login_pool(pool: LoginPool, id: Callable[[Reference], Any]) -> Json:
    return block(
        {
            "Name": pool.name,
            "InstanceType": pool.instance,
            "Count": pool.count,
            "GracetimePeriod": pool.grace_minutes,
            "Networking.SubnetIds": [id(each) for each in pool.subnets],
            "Networking.AdditionalSecurityGroups": [id(each) for each in pool.security_groups],
            "Ssh.AllowedIps": pool.ssh_from,
            **_actions(pool.scripts),
            "Iam": _permissions(pool),
        }
    )


def _queue(
    derived: SlurmQueue[ParallelClusterGroup], blueprint: ParallelClusterBlueprint, id: Callable[[Reference], Any]
) -> Json:
    queue: Queue = derived.resource
    has_disks = any(hardware(each).nvme_gb for group in derived.groups for each in group.described.types)
    return block(
        {
            "Name": derived.name,
            "CapacityType": queue.capacity_type,
            "AllocationStrategy": queue.allocation,
            "Networking.SubnetIds": [id(each) for each in queue.subnets],
            "Networking.AdditionalSecurityGroups": [id(each) for each in queue.security_groups],
            **written(blueprint.described.queues[derived.name], QUEUE),
            "ComputeSettings.LocalStorage.EphemeralVolume.MountDir": SCRATCH if has_disks else None,
            "ComputeResources": [_resource(each, id) for each in derived.groups],
            **_actions(queue.scripts),
            "Iam": _iam(queue, blueprint),
        }
    )


def _resource(group: ParallelClusterGroup, id: Callable[[Reference], Any]) -> Json:
    derived = group.resource
    several = [{"InstanceType": each} for each in derived.instances]
    return block(
        {
            "Name": group.name,
            **({"Instances": several} if derived.flexible else several[0]),
            "MinCount": derived.nodes_min,
            "MaxCount": derived.nodes_max,
            "DisableSimultaneousMultithreading": True if derived.threads_per_core == 1 else None,
            **written(group.described, GROUP),
            "Efa.Enabled": True if derived.efa else None,
            "CapacityReservationTarget.CapacityReservationId": _id(derived.target.reservation, id),
            "CapacityReservationTarget.CapacityReservationResourceGroupArn": _id(derived.target.group, id),
            "Networking.PlacementGroup.Enabled": derived.placement.enabled,
            "Networking.PlacementGroup.Name": derived.placement.name,
        }
    )


def _storage(blueprint: ParallelClusterBlueprint, id: Callable[[Reference], Any]) -> list[Json]:
    return [
        block(
            {
                "MountDir": f"/{each.name}",
                "Name": each.name,
                "StorageType": each.kind,
                **_settings(each, blueprint.described, id),
            }
        )
        for each in blueprint.cluster.mounts
    ]


def _settings(mount: Mount, described: Cluster, id: Callable[[Reference], Any]) -> Json:
    if mount.kind != EBS:
        return {dict(each.in_parallelcluster for each in KINDS.values())[str(mount.kind)]: _id(mount.file_system, id)}
    stored = described.storage.get(str(mount.name))
    if stored and stored.existing_ebs:
        return {"EbsSettings.VolumeId": stored.existing_ebs.id}
    return written(stored.ebs if stored and stored.ebs else described.head.apps, below("EbsSettings", "", EBS_VOLUME))


def _actions(scripts: tuple[Script, ...]) -> Json:
    made = [(each.event, block({"Script": each.at, "Args": list(each.arguments) or None})) for each in scripts]
    sequences = {event: [script for its, script in made if its == event] for event in EVENTS}
    return {f"CustomActions.{event}.Sequence": listed or None for event, listed in sequences.items()}


def _iam(thing: HeadNode | Queue, blueprint: ParallelClusterBlueprint) -> Json:
    """The permissions of a node besides those that ParallelCluster gives it: sessions, images, its scripts, and the
    buckets of `s3`. ParallelCluster refuses them beside a custom role (`IamSchema` of 3.16.1)."""
    access = [] if thing.role else [*_readable(thing.scripts), *_s3_access(blueprint.described.s3)]
    return block({"S3Access": access or None, **_permissions(thing)})


def _permissions(thing: HeadNode | LoginPool | Queue) -> Json:
    if thing.role:
        return {"InstanceProfile" if is_profile(str(thing.role)) else "InstanceRole": thing.role}
    return {"AdditionalIamPolicies": [{"Policy": each} for each in sorted(thing.policies)]}


def _readable(found: Iterable[Script]) -> list[Json]:
    places = sorted({place for place in map(bucket, found) if place})
    return [{"BucketName": name, "KeyName": key} for name, key in places]


def _s3_access(s3: Mapping[str, S3Right]) -> Iterator[Json]:
    """A bucket, or all below a prefix."""
    for place, right in sorted(s3.items()):
        bucket, _, prefix = place.removeprefix("s3://").partition("/")
        key = f"{prefix.rstrip('/')}/*" if prefix.rstrip("/") else None
        yield block({"BucketName": bucket, "KeyName": key, "EnableWriteAccess": right is S3Right.WRITE})


def _timeouts(blueprint: ParallelClusterBlueprint) -> Json:
    """The timeouts for the start of nodes, if something is installed on them."""
    described = blueprint.described
    installs = [each.post_install or described.post_install for each in described.queues.values()]
    installs += [each.post_install for each in described.login_nodes.values()]
    # One number for all queues and login nodes: the longest, and never less than that of those that install nothing.
    minutes = [each.timeout_minutes if each else DEFAULT_TIMEOUT_MINUTES for each in installs]
    of_queues = max(minutes) * 60 if any(installs) else None
    seconds = {"HeadNodeBootstrapTimeout": blueprint.head.seconds, "ComputeNodeBootstrapTimeout": of_queues}
    return {f"DevSettings.Timeouts.{name}": value for name, value in seconds.items()}


def _id(reference: Reference | None, id: Callable[[Reference], Any]) -> Any:
    return None if reference is None else id(reference)


# A cluster's configuration before the resources that it needs exist: values that only AWS knows are variables. Pure.
#
# The names are written as a shell reads them, and `envsubst`: ``${NODES_SECURITY_GROUP}``.

_NOT_IN_A_NAME = re.compile(r"[^A-Z0-9]+")


def configuration_with_placeholders(blueprint: ParallelClusterBlueprint) -> tuple[dict[str, Any], dict[str, str]]:
    """The configuration with placeholders; and the placeholders with the sources of their values, in the order in which
    they occur."""
    names = _Placeholders(blueprint)
    return configuration(blueprint, names.id), names.sources


@dataclass(frozen=True, slots=True)
class _Placeholders:
    """The placeholders so far."""

    blueprint: ParallelClusterBlueprint
    sources: dict[str, str] = field(default_factory=dict)

    def id(self, reference: Reference) -> str:
        """A resource in the configuration: its id if it has one already, otherwise a name to fill in.

        Raises:
            KeyError: a resource of a kind that no configuration refers to.
        """
        if not isinstance(reference, Ref):
            return reference
        kind, what, made = self._source(reference)
        name = f"{kind}_{_NOT_IN_A_NAME.sub('_', reference.name.upper()).strip('_')}"
        self.sources[name] = f"{what}; `pulumi up` {made}"
        return f"${{{name}}}"

    def _source(self, reference: Ref) -> tuple[str, str, str]:
        """The beginning of the placeholder's name, the source of its value, and what `pulumi up` does instead."""
        blueprint, name, region = self.blueprint, reference.name, f"--region {self.blueprint.region}"
        creates = "creates one"
        match reference.type:
            case types.SUBNET:
                subnet = blueprint.subnets[str(reference)]
                tier = "public" if subnet.public else "private"
                what = f"a {tier} subnet in {subnet.zone}, in a VPC with DNS support and DNS hostnames"
                return "SUBNET", what, f"{creates}: output network.{tier}Subnets.{subnet.zone}"
            case types.SECURITY_GROUP:
                which = "that exchanges traffic with the file systems" if blueprint.storage else "for all nodes"
                return "SECURITY_GROUP", f"a security group {which}", f"{creates}: output network.securityGroups.{name}"
            case types.LUSTRE | types.EFS | types.OPENZFS:
                system = next(each.file_system for each in blueprint.storage if each.file_system.ref == reference)
                size = f", with {system.size} GiB" if system.size else ""
                part, output = (
                    ("the root volume of ", "volume") if reference.type == types.OPENZFS else ("", "fileSystem")
                )
                what = f"the id of {part}an {KINDS[reference.type].name} file system for /{name}{size}"
                return "FILE_SYSTEM", what, f"{creates}: output storage.{name}.{output}"
            case types.KEY_PAIR:
                how = f"aws ec2 import-key-pair {region}"
                return "KEY_PAIR", f"the name of the EC2 key pair with head.login.public-key ({how})", creates
            case types.CAPACITY_BLOCK:
                how = f"aws ec2 describe-capacity-reservations {region}"
                what = f"the reservation id of the Capacity Block after its purchase ({how})"
                return "CAPACITY_BLOCK", what, "buys one"
            case types.RESOURCE_GROUP:
                what = f"the ARN of a resource group with the reservations of group {name}"
                return "RESERVATION_GROUP", f"{what} (aws resource-groups create-group)", creates
        raise KeyError(reference.type)
