"""Storage: shared file systems, and what each kind of them needs of clients and of the services that mount it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, NamedTuple

from muster.fleet.resources.ref import EFS, LUSTRE, MOUNTED_BUCKET, OPENZFS, Place, Ref, Reference
from muster.hardware import lustre
from muster.hardware.lustre import SSD
from muster.unknown import NotKnown, Observed, U


class FileSystemKind(NamedTuple):
    """A kind of shared file system."""

    word: str
    """In descriptions, in outputs and in logical names: ``openzfs``."""
    name: str
    """AWS's name: ``FSx for OpenZFS``."""
    driver: str
    """The add-on that mounts it into pods."""
    chart: str
    """The chart or EKS add-on that installs it."""
    csi: str
    """The name of the driver in volumes."""
    protocol: str = ""
    """What security groups let through: ``NFS``."""
    ports: tuple[tuple[str, int, int], ...] = ()
    """Protocol, first and last port, between the file system and its clients."""
    servers_talk: bool = False
    """Whether they are also open between its servers."""
    service: str = ""
    """The part of its DNS name: ``fsx``."""
    options: str = ""
    """What `mount` needs on a node: the type, and the options with commas between."""
    source: str = ""
    """What a node mounts, with `{dns}` and `{mount}`."""
    mount_name: str | None = None
    """The mount name that every file system of the kind has."""
    in_parallelcluster: tuple[str, str] = ("", "")
    """`StorageType`, and the path of the id of an existing one in its settings."""

    @property
    def needed(self) -> tuple[tuple[int, int], ...]:
        """First and last TCP ports that clients need: NFS 4 needs one."""
        return ((2049, 2049),) if self.protocol == "NFS" else lustre.PORTS


_NFS = "nfsvers=4.1,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2"
KINDS: Final[Mapping[str, FileSystemKind]] = {
    LUSTRE: FileSystemKind(
        "lustre",
        "FSx for Lustre",
        "fsx-csi-driver",
        "aws-fsx-csi-driver",
        "fsx.csi.aws.com",
        "Lustre",
        tuple(("tcp", *each) for each in lustre.PORTS),
        True,
        "fsx",
        "lustre relatime,flock",
        "{dns}@tcp:/{mount}",
        in_parallelcluster=("FsxLustre", "FsxLustreSettings.FileSystemId"),
    ),
    EFS: FileSystemKind(
        "efs",
        "EFS",
        "efs-csi-driver",
        "aws-efs-csi-driver",
        "efs.csi.aws.com",
        "NFS",
        (("tcp", 2049, 2049),),
        False,
        "efs",
        f"nfs4 {_NFS},noresvport",
        "{dns}:/{mount}",
        "",
        ("Efs", "EfsSettings.FileSystemId"),
    ),
    OPENZFS: FileSystemKind(
        "openzfs",
        "FSx for OpenZFS",
        "openzfs-csi-driver",
        "aws-fsx-openzfs-csi-driver",
        "fsx.openzfs.csi.aws.com",
        "NFS",
        tuple((each, *ports) for each in ("tcp", "udp") for ports in ((111, 111), (2049, 2049), (20001, 20003))),
        False,
        "fsx",
        f"nfs4 {_NFS},nconnect=16",
        "{dns}:/{mount}",
        "fsx",
        ("FsxOpenZfs", "FsxOpenZfsSettings.VolumeId"),
    ),
    MOUNTED_BUCKET: FileSystemKind(
        "s3",
        "S3",
        "s3-csi-driver",
        "aws-mountpoint-s3-csi-driver",
        "s3.csi.aws.com",
    ),
}
"""Type -> its kind.

Ports: EFS user guide, "Using VPC security groups"; of OpenZFS, FSx for OpenZFS guide, "File system access control with
Amazon VPC", and ParallelCluster 3.16.1, `FSX_PORTS`, which refuses a file system without all of them. Mounts: EFS user
guide, "Using NFS to automatically mount EFS file systems"; FSx for OpenZFS guide, "Mount your file system".
"""


@dataclass(frozen=True, slots=True)
class DataAssociation(Observed, Generic[U]):
    """A data repository association: a place in S3 that appears at a path."""

    path: str | U
    """In the file system; without a slash at its end."""
    s3: str | U
    imports: frozenset[str] | U = frozenset()
    """``NEW``, ``CHANGED``, ``DELETED``."""
    exports: frozenset[str] | U = frozenset()

    @property
    def order(self) -> tuple[str, str]:
        """What several are sorted by."""
        return str(self.path), str(self.s3)


@dataclass(frozen=True, slots=True)
class _FileSystem(Observed, Generic[U]):
    """One shared file system. AWS's defaults are filled in where they are known."""

    ref: Ref
    subnets: tuple[Reference, ...] | U
    """Sorted. FSx in one zone takes one; of EFS: those of its mount targets."""
    security_groups: tuple[Reference, ...] | U
    """Sorted. Empty: AWS attaches the VPC's default one."""
    place: Place = field(compare=False)
    deployment: str | None | U = None
    """FSx's type: ``PERSISTENT_2``, ``SINGLE_AZ_1``."""
    size: int | None | U = None
    """GiB; None if the program does not set it, and of EFS."""
    throughput: int | None | U = None
    """MB/s per TiB of Lustre (`perUnitStorageThroughput`), MB/s of OpenZFS."""
    key: Reference | None | U = None
    """A KMS key of the account."""
    backup_days: int | U = 0
    compression: str | U = "NONE"
    existing: bool = False
    """It was there before: the program registers nothing of it, and only the fields below are known."""
    id: str | None = None
    """An existing one's; of S3, the bucket's name."""
    mount_name: str | None = None
    """What clients mount below its DNS name; of S3, the prefix. None where AWS generates it."""
    dns_name: str | None = None
    zone: str | None = field(default=None, compare=False)
    """The zone in the description."""
    vpc: Reference | None = field(default=None, compare=False)
    """The VPC of the description."""

    @property
    def kind(self) -> FileSystemKind:
        """Its kind.

        Raises:
            NotKnown: it has none of those that Muster knows.
        """
        if found := KINDS.get(self.ref.type):
            return found
        raise NotKnown("the kind of the file system")


@dataclass(frozen=True, slots=True)
class LustreFileSystem(_FileSystem[U]):
    """One FSx for Lustre file system; AWS's own default of `deployment` is SCRATCH_1."""

    disk: str | U = SSD
    """``SSD``, ``HDD`` or ``INTELLIGENT_TIERING``."""
    drive_cache: str | None | U = None
    """``NONE`` or ``READ``."""
    metadata_mode: str | None | U = None
    """``AUTOMATIC`` or ``USER_PROVISIONED``; None without a metadata configuration."""
    metadata_iops: int | None | U = None
    efa: bool | U = False
    version: str | None | U = None
    """Lustre's: ``2.15``; None where the program leaves it to AWS."""
    associations: tuple[DataAssociation[U], ...] | U = ()
    """Sorted."""


@dataclass(frozen=True, slots=True)
class SharedFileSystem(_FileSystem[U]):
    """One EFS or FSx for OpenZFS file system, or a bucket that pods mount."""

    volume: str | None = None
    """The volume of an existing OpenZFS file system that ParallelCluster mounts."""
    writes: bool = True
    """Whether pods may write; of S3."""


FileSystem = LustreFileSystem | SharedFileSystem
