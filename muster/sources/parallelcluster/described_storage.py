"""The shared storage of a configuration: FSx for Lustre, and the volume at /apps."""

from collections.abc import Mapping
from typing import Any

from muster.config.identifiers import PLACEHOLDER, FileSystemId
from muster.finding import KeyPath
from muster.sources.draft import Draft, text

_APPS = "/apps"
_EBS_GIB = 40
"""ParallelCluster's default size of a shared volume (`EBS_VOLUME_SIZE_DEFAULT`)."""
_DEFAULT_TYPE = "SCRATCH_2"
_READ = {
    "StorageCapacity",
    "DeploymentType",
    "StorageType",
    "PerUnitStorageThroughput",
    "DriveCacheType",
    "DataCompressionType",
    "AutomaticBackupRetentionDays",
    "KmsKeyId",
    "DeletionPolicy",
}


def add_storage(draft: Draft, document: Mapping[str, Any]) -> None:
    """Adds the file systems, each at its mount directory."""
    made: dict[str, Any] = {}
    listed = document.get("SharedStorage")
    for index, each in enumerate(listed if isinstance(listed, list) else []):
        path = ("SharedStorage", index)
        if not isinstance(each, Mapping):
            draft.leave(path, "it is not known")
            continue
        kind, directory = text(each.get("StorageType")), text(each.get("MountDir"))
        if kind == "Ebs" and directory is not None and "/" + directory.strip("/") == _APPS:
            _apps(draft, each, path)
        elif kind == "FsxLustre" and directory is not None:
            name = directory.strip("/")
            made[name] = _lustre(draft, each, path, name)
            draft.origin(("storage", name), path)
        else:
            draft.leave(path, _why(kind))
    if made:
        draft.cluster["storage"] = made


def _why(kind: str | None) -> str:
    if kind == "Ebs":
        return "the head node shares /home and /apps, and no other EBS volume"
    if kind == "FsxLustre":
        return "its mount directory is not known"
    return "Muster mounts FSx for Lustre, and no other shared storage"


def _apps(draft: Draft, storage: Mapping[str, Any], path: KeyPath) -> None:
    """The volume at /apps. Muster creates it, encrypted, and deletes it with the cluster."""
    settings = storage.get("EbsSettings")
    settings = settings if isinstance(settings, Mapping) else {}
    if settings.get("VolumeId") is not None or settings.get("SnapshotId") is not None:
        draft.leave(path, "Muster creates the volume at /apps")
        return
    size = settings.get("Size", _EBS_GIB)
    if isinstance(size, int):
        draft.cluster["head"]["apps"] = f"{size}GiB"
        draft.origin(("head", "apps"), (*path, "EbsSettings", "Size"))
    at = (*path, "EbsSettings")
    draft.take((*path, "MountDir"), (*path, "Name"), (*path, "StorageType"), (*at, "Size"))
    if settings.get("VolumeType", "gp3") == "gp3":
        draft.take((*at, "VolumeType"))
    if settings.get("Encrypted") is not False:
        draft.take((*at, "Encrypted"))
    else:
        draft.leave((*at, "Encrypted"), "Muster encrypts every volume")
    if settings.get("DeletionPolicy") in (None, "Delete"):
        draft.take((*at, "DeletionPolicy"))
    else:
        draft.leave((*at, "DeletionPolicy"), "the volume at /apps is deleted with the cluster")


def _lustre(draft: Draft, storage: Mapping[str, Any], path: KeyPath, name: str) -> dict[str, Any]:
    settings = storage.get("FsxLustreSettings")
    settings = settings if isinstance(settings, Mapping) else {}
    at = (*path, "FsxLustreSettings")
    draft.take((*path, "MountDir"), (*path, "StorageType"))
    if text(storage.get("Name")) == name:
        draft.take((*path, "Name"))
    else:
        draft.leave((*path, "Name"), f"Muster names storage by its mount directory: {name}")
    if settings.get("FileSystemId") is not None:
        given = settings["FileSystemId"]
        id_ = given if draft.accepted(FileSystemId, given, (*at, "FileSystemId")) else None
        draft.take((*at, "FileSystemId"))
        draft.placeholder("storage", name, "existing-lustre", "mount-name")
        if not id_:
            draft.placeholder("storage", name, "existing-lustre", "id")
        return {"existing-lustre": {"id": id_ or f"fs-{PLACEHOLDER}", "mount-name": PLACEHOLDER}}
    draft.take(*((*at, key) for key in _READ))
    return {"lustre": _created(draft, settings, at, name)}


def _created(draft: Draft, settings: Mapping[str, Any], at: KeyPath, name: str) -> dict[str, Any]:
    deployment = text(settings.get("DeploymentType")) or _DEFAULT_TYPE
    size = settings.get("StorageCapacity")
    if not isinstance(size, int):
        draft.placeholder("storage", name, "lustre", "size")
    made: dict[str, Any] = {
        "size": f"{size}GiB" if isinstance(size, int) else "1200GiB",
        "type": deployment.lower().replace("_", "-"),
    }
    keys = {"size": "StorageCapacity", "type": "DeploymentType", "disk": "StorageType", "key": "KmsKeyId"}
    keys |= {"throughput": "PerUnitStorageThroughput", "backup-days": "AutomaticBackupRetentionDays"}
    for key, own in keys.items():
        draft.origin(("storage", name, "lustre", key), (*at, own))
    if disk := text(settings.get("StorageType")):
        made["disk"] = disk.lower()
    if text(settings.get("DriveCacheType")) == "READ":
        made["drive-cache"] = "read"
    if isinstance(throughput := settings.get("PerUnitStorageThroughput"), int):
        made["throughput"] = throughput
    if own_key := text(settings.get("KmsKeyId")):
        made["key"] = own_key
    made["compression"] = "lz4" if settings.get("DataCompressionType") == "LZ4" else "none"
    if isinstance(days := settings.get("AutomaticBackupRetentionDays"), int) and days:
        made["backup-days"] = days
    if data := _links(draft, settings, at):
        made["data"] = data
    made["on-destroy"] = "keep" if settings.get("DeletionPolicy") == "Retain" else "delete"
    return made


def _links(draft: Draft, settings: Mapping[str, Any], at: KeyPath) -> dict[str, Any]:
    made = {}
    listed = settings.get("DataRepositoryAssociations")
    for index, each in enumerate(listed if isinstance(listed, list) else []):
        path = (*at, "DataRepositoryAssociations", index)
        folder = text(each.get("FileSystemPath")) if isinstance(each, Mapping) else None
        s3 = text(each.get("DataRepositoryPath")) if isinstance(each, Mapping) else None
        if folder is None or s3 is None:
            draft.leave(path, "its path or its location in S3 is not known")
            continue
        made["/" + folder.strip("/")] = {
            "s3": s3,
            "import": _events(each.get("AutoImportPolicy")),
            "export": _events(each.get("AutoExportPolicy")),
        }
        for key in ("Name", "FileSystemPath", "DataRepositoryPath", "AutoImportPolicy", "AutoExportPolicy"):
            draft.take((*path, key))
    return made


def _events(value: Any) -> list[str]:
    return [str(each).lower() for each in value] if isinstance(value, list) else []
