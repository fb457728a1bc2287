"""Why a description does not have a key of a ParallelCluster configuration."""

from collections.abc import Mapping

from muster.config.description.foreign_keys import (
    PCLUSTER_CLUSTER_KEYS,
    PCLUSTER_GROUP_KEYS,
    PCLUSTER_HEAD_KEYS,
    PCLUSTER_QUEUE_KEYS,
    KeyMessage,
)
from muster.finding import KeyPath

_OTHERS: Mapping[str, str] = {
    "PermissionsBoundary": "Muster sets no permissions boundary",
    "ResourcePrefix": "ParallelCluster names the roles itself",
    "Roles": "ParallelCluster creates the roles of its functions",
    "CapacityReservationTarget": "each compute resource sets its own",
    "OnNodeUpdated": "Muster runs scripts only when a node starts (post-install)",
    "Proxy": "Muster does not configure a proxy",
    "SecurityGroups": "Muster adds security groups to those of ParallelCluster, and does not replace them",
    "AssignPublicIp": "nodes are in private subnets",
    "Dns": "Muster leaves DNS to ParallelCluster",
    "MungeKeySecretArn": "ParallelCluster creates the munge key",
    "ExternalSlurmdbd": "accounting is in a database (accounting)",
    "CustomSlurmSettingsIncludeFile": "write the settings of that file to slurm.settings",
    "GdrSupport": "ParallelCluster turns it on where the instance type supports it",
    "EphemeralVolume": "Muster mounts NVMe disks at /local_scratch",
    "VolumeType": "Muster uses the volume type gp3",
    "Iops": "Muster uses the default IOPS of gp3",
    "Throughput": "Muster uses the default throughput of gp3",
    "DeleteOnTermination": "root volumes are deleted with their nodes",
    "InstanceRole": "Muster creates the roles of nodes",
    "InstanceProfile": "Muster creates the roles of nodes",
    "AdditionalIamPolicies": "Muster gives nodes the policies for sessions and for images, and no others",
    "Rotation": "ParallelCluster rotates logs",
    "Alarms": "ParallelCluster creates its alarms",
    "Timeouts": "timeouts belong to post-install, and this cluster has none",
    "DevSettings": "these settings are for ParallelCluster's developers",
    "WeeklyMaintenanceStartTime": "FSx chooses the time",
    "DailyAutomaticBackupStartTime": "FSx chooses the time",
    "CopyTagsToBackups": "Muster does not tag backups",
    "ImportPath": "write storage.NAME.lustre.data, which links locations in S3",
    "ExportPath": "write storage.NAME.lustre.data, which links locations in S3",
    "AutoImportPolicy": "write storage.NAME.lustre.data, which links locations in S3",
    "ImportedFileChunkSize": "Muster uses the default of FSx",
    "BatchImportMetaDataOnCreate": "Muster always imports metadata when it creates a link",
    "BackupId": "Muster does not restore file systems from backups",
    "GracetimePeriod": "it is a number of minutes from 3 to 120",
    "HostedZoneId": "Muster leaves DNS to ParallelCluster",
    "AwsBatchQueues": "Muster supports Slurm only",
    "AwsBatchSettings": "Muster supports Slurm only",
}
_POOL: Mapping[str, str] = {
    "KeyName": "ParallelCluster gives login nodes the key of the head node since 3.15",
    "Image": "all nodes have the same image",
    "CustomAmi": "all nodes have the same image",
    "Dcv": "Muster does not configure remote desktops",
}
"""Keys of a pool of login nodes."""
_NO_KEY = "a description has no key for it"


def _reasons(messages: Mapping[str, KeyMessage]) -> dict[str, str]:
    return {key: message.why for key, message in messages.items() if message.why}


_CLUSTER, _HEAD, _QUEUE, _GROUP = map(
    _reasons, (PCLUSTER_CLUSTER_KEYS, PCLUSTER_HEAD_KEYS, PCLUSTER_QUEUE_KEYS, PCLUSTER_GROUP_KEYS)
)


def reason(path: KeyPath) -> str:
    """The reason for the key at a path."""
    names = [each for each in path if isinstance(each, str)]
    last = names[-1] if names else ""
    of_node = {"HeadNode": _HEAD, "LoginNodes": _POOL}.get(names[0] if names else "", {})
    if last in of_node:
        return of_node[last]
    if "ComputeResources" in names and last in _GROUP:
        return _GROUP[last]
    if "SlurmQueues" in names and last in _QUEUE:
        return _QUEUE[last]
    if last in _OTHERS:
        return _OTHERS[last]
    if len(names) == 1 and last in _CLUSTER:
        return _CLUSTER[last]
    around = next((each for each in reversed(names) if each in _OTHERS), None)
    return _OTHERS[around] if around else _NO_KEY
