"""The shared storage of a cluster on ParallelCluster: where it is mounted, and what the cluster makes of it."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.lustre import HDD, SSD
from muster.fleet.resources import DataAssociation, LustreFileSystem, Mount, Place, Ref, Volume
from muster.fleet.resources.parallelcluster import STORAGE_GROUP
from muster.fleet.resources.place import KEY, LUSTRE, SUBNET
from muster.fleet.unknown import UNKNOWN, UnknownType
from muster.versions import LUSTRE as LUSTRE_VERSION
from policies.views.pcluster_configuration import Written
from policies.views.references import block, blocks, first, flag, known, texts, whole, word

_SETTINGS = {
    "Ebs": ("EbsSettings", ("VolumeId",)),
    "Efs": ("EfsSettings", ("FileSystemId",)),
    "FsxLustre": ("FsxLustreSettings", ("FileSystemId",)),
    "FsxOpenZfs": ("FsxOpenZfsSettings", ("VolumeId",)),
    "FsxOntap": ("FsxOntapSettings", ("VolumeId",)),
    "FileCache": ("FileCacheSettings", ("FileCacheId",)),
}
"""Kind -> where its settings stand, and the id of what exists among them."""

_LUSTRE, _DEFAULT = "FsxLustre", "SCRATCH_2"
"""ParallelCluster's own choice of a deployment type (`SharedFsxLustre`, cluster_config.py 3.16.1)."""
_WITH_AN_IMPORT_PATH = ("ExportPath", "ImportedFileChunkSize", "AutoImportPolicy")


def mounts(configuration: Mapping[str, Any], one: Written) -> tuple[Mount, ...] | UnknownType:
    """Everything that is mounted, in its order."""
    listed = blocks(configuration.get("SharedStorage"))
    return UNKNOWN if listed is UNKNOWN else tuple(_mount(each, one) for each in listed)


def _mount(said: Mapping[str, Any], one: Written) -> Mount:
    kind = word(said.get("StorageType"))
    key, ids = _SETTINGS.get(str(kind), ("", ()))
    settings = block(said, key)
    size, capacity = whole(settings.get("Size")), whole(settings.get("StorageCapacity"))
    return Mount(
        name=word(said.get("Name")),
        directory=word(said.get("MountDir")),
        kind=kind,
        file_system=one.one(first(settings, *ids), LUSTRE) if ids else None,
        gib=capacity if size is None else size,
        deletion=word(settings.get("DeletionPolicy")),
        raid=settings.get("Raid") is not None,
        volume=_volume(settings) if kind == "Ebs" and said.get(key) is not None else None,
        encrypted=flag(settings.get("Encrypted")) if kind == "Efs" else None,
    )


def _volume(settings: Mapping[str, Any]) -> Volume:
    size, iops, throughput = (whole(settings.get(name)) for name in ("Size", "Iops", "Throughput"))
    return Volume(word(settings.get("VolumeType")), size, iops, throughput, flag(settings.get("Encrypted")))


def file_systems(configuration: Mapping[str, Any], one: Written) -> Iterator[LustreFileSystem]:
    """The Lustre file systems that the cluster makes."""
    for index, each in enumerate(known(blocks(configuration.get("SharedStorage")))):
        settings = block(each, "FsxLustreSettings")
        if each.get("StorageType") == _LUSTRE and settings.get("FileSystemId") is None:
            name = each.get("Name")
            called = name if isinstance(name, str) else f"SharedStorage[{index}]"
            yield _file_system(settings, called, _subnets(configuration, one), one)


def _file_system(settings: Mapping[str, Any], name: str, subnets: Any, one: Written) -> LustreFileSystem:
    """With ParallelCluster's defaults. One that is restored from a backup takes after what was backed up."""
    restored = settings.get("BackupId") is not None

    def said(key: str, default: Any) -> Any:
        value = settings.get(key)
        return value if value is not None else UNKNOWN if restored else default

    disk = said("FsxStorageType", SSD)
    return LustreFileSystem(
        ref=Ref(LUSTRE, f"{one.stack.name}.{name}"),
        size=whole(said("StorageCapacity", None)),
        deployment=_known(word(said("DeploymentType", _DEFAULT))),
        disk=_known(word(disk)),
        throughput=whole(said("PerUnitStorageThroughput", None)),
        subnets=subnets,
        security_groups=(STORAGE_GROUP,),
        place=Place(one.stack.urn, f"shared storage {name}"),
        # Of hard disks ParallelCluster says NONE where nothing is said.
        drive_cache=word(said("DriveCacheType", "NONE" if disk == HDD else None)),
        version=UNKNOWN if restored else LUSTRE_VERSION,
        key=one.one(settings.get("KmsKeyId"), KEY),
        backup_days=whole(said("AutomaticBackupRetentionDays", 0)),
        compression=_known(word(said("DataCompressionType", "NONE"))),
        import_path=word(settings.get("ImportPath")),
        needs_import_path=frozenset(_camel(key) for key in _WITH_AN_IMPORT_PATH if settings.get(key) is not None),
        associations=_associations(settings),
    )


def _known(value: str | None | UnknownType) -> str | UnknownType:
    return UNKNOWN if value is None else value


def _camel(key: str) -> str:
    return key[0].lower() + key[1:]


def _subnets(configuration: Mapping[str, Any], one: Written) -> Any:
    """Where ParallelCluster makes file systems: in its queues' subnet. It refuses to make any where they have several
    (`ManagedFsxMultiAzValidator`), as FSx does."""
    queues = blocks(block(configuration, "Scheduling").get("SlurmQueues"))
    listed = [block(each, "Networking").get("SubnetIds") for each in known(queues)]
    if queues is UNKNOWN or any(each is UNKNOWN for each in listed):
        return UNKNOWN
    every = [subnet for each in listed for subnet in (each if isinstance(each, list) else [each])]
    distinct = [subnet for index, subnet in enumerate(every) if subnet not in every[:index]]
    return one.several(distinct, SUBNET)


def _associations(settings: Mapping[str, Any]) -> tuple[DataAssociation, ...] | UnknownType:
    listed = blocks(settings.get("DataRepositoryAssociations"))
    if listed is UNKNOWN:
        return UNKNOWN
    return tuple(sorted((_association(each) for each in listed), key=lambda each: each.order))


def _association(said: Mapping[str, Any]) -> DataAssociation:
    path, s3 = word(said.get("FileSystemPath", "")), word(said.get("DataRepositoryPath", ""))
    return DataAssociation(
        path=path.rstrip("/") or "/" if isinstance(path, str) else UNKNOWN,
        s3=s3 if isinstance(s3, str) else UNKNOWN,
        imports=_events(said.get("AutoImportPolicy")),
        exports=_events(said.get("AutoExportPolicy")),
    )


def _events(given: Any) -> frozenset[str] | UnknownType:
    events = texts(given)
    return UNKNOWN if events is UNKNOWN else frozenset(events)
