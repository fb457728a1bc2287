"""`aws.fsx.LustreFileSystem` and its data repository associations as judged things."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import DataAssociation, LustreFileSystem, Reference
from muster.fleet.resources.ref import DATA_ASSOCIATION, KEY, LUSTRE, SUBNET
from muster.hardware.lustre import SCRATCH_1, SSD
from muster.policies.views.references import GROUPS
from muster.policies.views.view import Properties, Reader, View, one, several
from muster.unknown import UNKNOWN, UnknownType


def subnets(of: Properties) -> tuple[Reference, ...]:
    """The subnets of a file system of FSx. The SDK accepts one as text; other programs write a list."""
    if isinstance(of.raw("subnetIds"), list):
        return of.several("subnetIds", SUBNET)
    found = None if of.raw("subnetIds") == "" else of.one("subnetIds", SUBNET)
    return () if found is None else (found,)


def _associations(of: Properties) -> tuple[DataAssociation[UnknownType], ...]:
    """The associations; unknown if the file system of one of them is not known."""
    owned = [each for each in of.others() if each.one("fileSystemId", LUSTRE) == of.ref]
    return tuple(sorted(map(_association, owned), key=lambda each: each.order))


_association = View(
    DataAssociation,
    path=lambda of: (of.text("fileSystemPath") or "").rstrip("/") or "/",
    s3=lambda of: of.text("dataRepositoryPath") or "",
    imports="s3.autoImportPolicy.events",
    exports="s3.autoExportPolicy.events",
)

_OF_BACKUP = {
    "size": "storageCapacity",
    "deployment": "deploymentType",
    "disk": "storageType",
    "throughput": "perUnitStorageThroughput",
    "metadata_mode": "metadataConfiguration.mode",
    "efa": "efaEnabled",
    "version": "fileSystemTypeVersion",
    "backup_days": "automaticBackupRetentionDays",
    "compression": "dataCompressionType",
}
"""What a file system that is restored from a backup has of the one that was backed up, unless the program sets it."""

_lustre = View(
    LustreFileSystem,
    **_OF_BACKUP,
    subnets=subnets,
    security_groups=several("securityGroupIds", *GROUPS),
    drive_cache="driveCacheType",
    metadata_iops="metadataConfiguration.iops",
    key=one("kmsKeyId", KEY),
    associations=_associations,
)


def not_set(of: Properties, settings: Mapping[str, str], defaults: Mapping[str, str], backup: str) -> dict[str, Any]:
    """The settings that the program does not set: their defaults; unknown for a file system that is restored from a
    backup, which has those of the one that was backed up."""
    given = defaults if of.raw(backup) is None else dict.fromkeys(settings, UNKNOWN)
    return {name: value for name, value in given.items() if of.raw(settings[name]) is None}


def lustre(of: Properties) -> LustreFileSystem[UnknownType]:
    """Reads a file system's inputs, with AWS's defaults, and its associations in the program."""
    return _lustre(of, **not_set(of, _OF_BACKUP, {"deployment": SCRATCH_1, "disk": SSD}, "backupId"))


VIEWS: Mapping[str, Reader] = {LUSTRE: lustre}
BESIDE = {LUSTRE: {DATA_ASSOCIATION: "fileSystemId"}}
