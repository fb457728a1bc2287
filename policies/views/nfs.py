"""File systems of EFS, with their mount targets, and of FSx for OpenZFS as judged things."""

from collections.abc import Mapping

from muster.fleet.resources import Reference, SharedFileSystem
from muster.fleet.resources.ref import EFS, KEY, MOUNT_TARGET, OPENZFS, SUBNET
from muster.fleet.resources.storage import KINDS
from muster.policies.views.lustre import subnets
from muster.policies.views.references import GROUPS
from muster.policies.views.view import Properties, Reader, View, one, several


def _of_targets(path: str, *types: str) -> Reader:
    """What the mount targets name together; unknown if the file system of one of them is not known."""

    def read(of: Properties) -> tuple[Reference, ...]:
        owned = [each for each in of.others(MOUNT_TARGET) if each.one("fileSystemId", EFS) == of.ref]
        named = {reference for each in owned for reference in each.several(path, *types)}
        return tuple(sorted(named, key=str))

    return read


_efs = View(
    SharedFileSystem,
    subnets=_of_targets("subnetId", SUBNET),
    security_groups=_of_targets("securityGroups", *GROUPS),
    key=one("kmsKeyId", KEY),
    mount_name=lambda _: KINDS[EFS].mount_name,
)
_openzfs = View(
    SharedFileSystem,
    subnets=subnets,
    security_groups=several("securityGroupIds", *GROUPS),
    deployment="deploymentType",
    size="storageCapacity",
    throughput="throughputCapacity",
    key=one("kmsKeyId", KEY),
    backup_days="automaticBackupRetentionDays",
    compression="rootVolumeConfiguration.dataCompressionType",
    mount_name=lambda _: KINDS[OPENZFS].mount_name,
)

VIEWS: Mapping[str, Reader] = {EFS: _efs, OPENZFS: _openzfs}
BESIDE = {EFS: {MOUNT_TARGET: "fileSystemId"}}
