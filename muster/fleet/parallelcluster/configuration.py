"""A cluster's configuration, in ParallelCluster's own words and the order its guide has them in.

One place for two uses: `muster pcluster config` prints it for the `pcluster` CLI, and the CloudFormation template hands
it to AWS's custom resource. Ids of what the same program makes are the caller's to give: names, or `Ref`s.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from muster.fleet.description.group_core import Tier
from muster.fleet.description.on_destroy import OnDestroy
from muster.fleet.description.post_install import DEFAULT_TIMEOUT_MINUTES
from muster.fleet.description.slurm_cluster import S3Right, SlurmCluster
from muster.fleet.description.slurm_settings import OnUpdate
from muster.fleet.parallelcluster.policies import node_policies
from muster.fleet.parallelcluster.post_install import bucket
from muster.fleet.resources import HeadNode, Queue, Reference, Script
from muster.fleet.said import said
from muster.fleet.slurm_blueprint import DerivedQueue, SlurmBlueprint, SlurmGroup
from muster.fleet.tags import stack_tags
from muster.fleet.unknown import Derived

Json = dict[str, Any]


def configuration(blueprint: SlurmBlueprint, id: Callable[[Reference], Any]) -> Json:
    """The configuration.

    Args:
        blueprint: of a cluster on ParallelCluster.
        id: the id of a thing of the same program; of one outside it, itself.
    """
    described, cluster = blueprint.described, blueprint.cluster
    return said(
        {
            "Region": blueprint.region,
            "Imds": {"ImdsSupport": cluster.imds},
            "Image": said({"Os": cluster.os, "CustomAmi": _id(cluster.image, id)}),
            "HeadNode": _head(blueprint, id),
            "Scheduling": {
                "Scheduler": "slurm",
                "SlurmSettings": _slurm(described),
                "SlurmQueues": [_queue(each, blueprint, id) for each in blueprint.queues],
            },
            "SharedStorage": _storage(blueprint, id),
            "Monitoring": {
                "DetailedMonitoring": described.monitoring.detailed,
                "Logs": {
                    "CloudWatch": {
                        "Enabled": True,
                        "RetentionInDays": described.logs.retention_days,
                        "DeletionPolicy": _deletion(described.logs.on_destroy),
                    }
                },
                "Dashboards": {"CloudWatch": {"Enabled": described.monitoring.dashboard}},
            },
            "Tags": [{"Key": key, "Value": value} for key, value in sorted(stack_tags(blueprint).items())],
            "DevSettings": _timeouts(blueprint),
        }
    )


def _head(blueprint: SlurmBlueprint, id: Callable[[Reference], Any]) -> Json:
    head = blueprint.head
    return said(
        {
            "InstanceType": head.instance,
            "Networking": said(
                {
                    "SubnetId": _id(head.subnet, id),
                    # Not every public subnet gives its instances an address, and the stack's outputs promise one.
                    "ElasticIp": True if blueprint.described.head.subnets is Tier.PUBLIC else None,
                    "AdditionalSecurityGroups": [id(each) for each in head.security_groups],
                }
            ),
            "Ssh": said({"KeyName": _id(head.key_pair, id), "AllowedIps": head.ssh_from}) or None,
            "LocalStorage": {"RootVolume": _root(head)},
            "CustomActions": _actions(head.scripts),
            "Iam": _iam(head, blueprint),
        }
    )


def _slurm(described: SlurmCluster) -> Json:
    own, accounting = described.slurm, described.accounting
    return said(
        {
            "ScaledownIdletime": own.idle_minutes,
            "QueueUpdateStrategy": "DRAIN" if own.on_update is OnUpdate.DRAIN else "TERMINATE",
            "EnableMemoryBasedScheduling": own.memory_scheduling,
            "Database": said(
                {
                    "Uri": accounting.server,
                    "UserName": accounting.user,
                    "PasswordSecretArn": accounting.password_secret,
                    "DatabaseName": accounting.database,
                }
            )
            if accounting
            else None,
            "CustomSlurmSettings": [{key: value} for key, value in sorted(own.settings.items())] or None,
        }
    )


def _root(node: HeadNode[Derived] | Queue[Derived]) -> Json:
    assert node.root is not None, "of a described node it is always said"
    return {"Size": node.root.gib, "Encrypted": node.root.encrypted}


def _queue(derived: DerivedQueue, blueprint: SlurmBlueprint, id: Callable[[Reference], Any]) -> Json:
    queue = derived.queue
    return said(
        {
            "Name": derived.name,
            "CapacityType": queue.capacity_type,
            "Networking": {
                "SubnetIds": [id(each) for each in queue.subnets],
                "AdditionalSecurityGroups": [id(each) for each in queue.security_groups],
            },
            "ComputeSettings": {
                "LocalStorage": said(
                    {
                        "RootVolume": _root(queue),
                        "EphemeralVolume": {"MountDir": queue.scratch} if queue.scratch else None,
                    }
                )
            },
            "JobExclusiveAllocation": derived.described.exclusive,
            "ComputeResources": [_resource(each, id) for each in derived.groups],
            "CustomActions": _actions(queue.scripts),
            "Iam": _iam(queue, blueprint),
        }
    )


def _resource(group: SlurmGroup, id: Callable[[Reference], Any]) -> Json:
    derived = group.compute_resource
    return said(
        {
            "Name": group.name,
            "InstanceType": group.described.instance,
            "MinCount": derived.nodes_min,
            "MaxCount": derived.nodes_max,
            "DisableSimultaneousMultithreading": True if derived.threads_per_core == 1 else None,
            "SchedulableMemory": derived.memory_mib,
            "Efa": {"Enabled": True} if derived.efa else None,
            "CapacityReservationTarget": said(
                {
                    "CapacityReservationId": _id(derived.target.reservation, id),
                    "CapacityReservationResourceGroupArn": _id(derived.target.group, id),
                }
            )
            or None,
            "Networking": {
                "PlacementGroup": said({"Enabled": derived.placement.enabled, "Name": derived.placement.name})
            },
        }
    )


def _storage(blueprint: SlurmBlueprint, id: Callable[[Reference], Any]) -> list[Json]:
    return [
        {
            "MountDir": each.directory,
            "Name": each.name,
            "StorageType": each.kind,
            **(
                {"EbsSettings": {"VolumeType": "gp3", "Size": each.gib, "Encrypted": True}}
                if each.file_system is None
                else {"FsxLustreSettings": {"FileSystemId": _id(each.file_system, id)}}
            ),
        }
        for each in blueprint.cluster.mounts
    ]


def _actions(scripts: tuple[Script[Derived], ...]) -> Json | None:
    listed = [said({"Script": each.at, "Args": list(each.arguments) or None}) for each in scripts]
    return {"OnNodeConfigured": {"Sequence": listed}} if listed else None


def _iam(thing: HeadNode[Derived] | Queue[Derived], blueprint: SlurmBlueprint) -> Json:
    """What a node may do beside ParallelCluster's own needs: sessions, images, its scripts, what is said of S3."""
    return said(
        {
            "S3Access": [*_readable(thing.scripts), *_said_of_s3(blueprint.described.s3)] or None,
            "AdditionalIamPolicies": [{"Policy": each} for each in node_policies(blueprint.region)],
        }
    )


def _readable(found: Iterable[Script[Derived]]) -> list[Json]:
    places = sorted({place for place in map(bucket, found) if place})
    return [{"BucketName": name, "KeyName": key} for name, key in places]


def _said_of_s3(s3: Mapping[str, S3Right]) -> Iterator[Json]:
    """A bucket, or all below a prefix."""
    for place, right in sorted(s3.items()):
        bucket, _, prefix = place.removeprefix("s3://").partition("/")
        yield {
            "BucketName": bucket,
            **({"KeyName": f"{prefix.rstrip('/')}/*"} if prefix.rstrip("/") else {}),
            "EnableWriteAccess": right is S3Right.WRITE,
        }


def _timeouts(blueprint: SlurmBlueprint) -> Json | None:
    """How long a node may take, where something is installed on it."""
    described = blueprint.described
    installs = [each.post_install or described.post_install for each in described.queues.values()]
    # One number for all queues: the longest, and never less than those have that install nothing.
    minutes = [each.timeout_minutes if each else DEFAULT_TIMEOUT_MINUTES for each in installs]
    of_queues = max(minutes) * 60 if any(installs) else None
    timeouts = said({"HeadNodeBootstrapTimeout": blueprint.head.seconds, "ComputeNodeBootstrapTimeout": of_queues})
    return {"Timeouts": timeouts} if timeouts else None


def _deletion(on_destroy: OnDestroy) -> str:
    return "Retain" if on_destroy is OnDestroy.KEEP else "Delete"


def _id(reference: Reference | None, id: Callable[[Reference], Any]) -> Any:
    return None if reference is None else id(reference)
