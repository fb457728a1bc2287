"""`aws.fsx.LustreFileSystem` and its data repository associations as judged things."""

from collections.abc import Iterable
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import DataAssociation, LustreFileSystem, Place, Reference
from muster.fleet.resources.ref import DATA_ASSOCIATION, KEY, LUSTRE, SUBNET
from muster.hardware.lustre import SCRATCH_1, SSD
from muster.policies.views.references import GROUPS, References, block, boolean, integer, text_set, text_value
from muster.unknown import UNKNOWN, UnknownType

ASSOCIATIONS = frozenset({DATA_ASSOCIATION})


def lustre(
    resource: Registration, references: References, associations: Iterable[Registration]
) -> LustreFileSystem[UnknownType]:
    """Reads a file system's inputs, with AWS's defaults, and its associations in the program.

    A file system that is restored from a backup has the settings of the one that was backed up: what the program does
    not set is then unknown.
    """
    inputs, restored = resource.inputs, resource.inputs.get("backupId") is not None
    metadata = block(inputs, "metadataConfiguration")
    return LustreFileSystem(
        ref=references.ref(resource),
        size=_or(integer(inputs.get("storageCapacity")), None, restored=restored),
        deployment=_or(text_value(inputs.get("deploymentType")), SCRATCH_1, restored=restored),
        disk=_or(text_value(inputs.get("storageType")), SSD, restored=restored),
        throughput=_or(integer(inputs.get("perUnitStorageThroughput")), None, restored=restored),
        subnets=_subnets(resource, references),
        security_groups=references.several(inputs.get("securityGroupIds"), resource, "securityGroupIds", GROUPS),
        place=Place(resource.urn),
        drive_cache=text_value(inputs.get("driveCacheType")),
        metadata_mode=_or(text_value(metadata.get("mode")), None, restored=restored),
        metadata_iops=integer(metadata.get("iops")),
        efa=_or(boolean(inputs.get("efaEnabled")), False, restored=restored),
        version=_or(text_value(inputs.get("fileSystemTypeVersion")), None, restored=restored),
        key=references.one(inputs.get("kmsKeyId"), resource, "kmsKeyId", (KEY,)),
        backup_days=_or(integer(inputs.get("automaticBackupRetentionDays")), 0, restored=restored),
        compression=_or(text_value(inputs.get("dataCompressionType")), "NONE", restored=restored),
        associations=_associations(resource, references, associations),
    )


def _or(value: Any, default: Any, *, restored: bool) -> Any:
    """A setting. If the program does not set it: its default, or unknown for a file system restored from a backup."""
    if value is not None:
        return value
    return UNKNOWN if restored else default


def _subnets(resource: Registration, references: References) -> tuple[Reference, ...] | UnknownType:
    """The SDK accepts one subnet as text; other programs write a list."""
    given = resource.inputs.get("subnetIds")
    if isinstance(given, list):
        return references.several(given, resource, "subnetIds", (SUBNET,))
    found = None if given == "" else references.one(given, resource, "subnetIds", (SUBNET,))
    return found if found is UNKNOWN else () if found is None else (found,)


def _associations(
    file_system: Registration, references: References, associations: Iterable[Registration]
) -> tuple[DataAssociation[UnknownType], ...] | UnknownType:
    """The associations; unknown if the file system of one of them is not known."""
    owned: list[Registration] = []
    for each in associations:
        owner = references.one(each.inputs.get("fileSystemId"), each, "fileSystemId", (LUSTRE,))
        if owner is UNKNOWN:
            return UNKNOWN
        owned += [each] if owner == references.ref(file_system) else []
    return tuple(sorted((_association(each) for each in owned), key=lambda each: each.order))


def _association(resource: Registration) -> DataAssociation[UnknownType]:
    path, s3 = (text_value(resource.inputs.get(name, "")) for name in ("fileSystemPath", "dataRepositoryPath"))
    policies = block(resource.inputs, "s3")
    return DataAssociation(
        path=path.rstrip("/") or "/" if isinstance(path, str) else UNKNOWN,
        s3=s3 if isinstance(s3, str) else UNKNOWN,
        imports=text_set(block(policies, "autoImportPolicy").get("events")),
        exports=text_set(block(policies, "autoExportPolicy").get("events")),
    )
