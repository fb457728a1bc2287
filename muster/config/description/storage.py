"""What holds data: shared file systems, created or existing, and the ECR repository of training images."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, StrictBool, StrictInt, model_validator

from muster.config.description.base import (
    EKS,
    FOR_GOOD,
    HYPERPOD,
    HYPERPOD_SLURM,
    PARALLELCLUSTER,
    Change,
    Choice,
    Form,
    Nothing,
    OnDestroy,
    StrictModel,
    fault_at,
    key,
    optional,
    unique_items,
)
from muster.config.description.ebs import Ebs, ExistingEbs
from muster.config.description.nfs import (
    DNS_NAME,
    ID,
    MOUNTED,
    ON_DESTROY,
    ZONE,
    ZONE_OF_EXISTING,
    Efs,
    ExistingEfs,
    ExistingOpenZfs,
    MountedBucket,
    OpenZfs,
)
from muster.config.identifiers import DataPath, DnsName, FileSystemId, KmsKeyArn, MountName, S3Path
from muster.hardware.lustre import MOST_BACKUP_DAYS
from muster.hardware.zones import ZoneName
from muster.message_text import or_list
from muster.size import Size, whole_gib


class DeploymentType(StrEnum):
    """Deployment types of FSx. Scratch does not replicate data: if a server fails, its files are lost."""

    PERSISTENT_2 = "persistent-2"
    PERSISTENT_1 = "persistent-1"
    SCRATCH_2 = "scratch-2"
    SCRATCH_1 = "scratch-1"

    @property
    def aws(self) -> str:
        """The value in FSx's API: ``PERSISTENT_2``."""
        return self.value.replace("-", "_").upper()


class Disk(StrEnum):
    """The storage medium of a file system."""

    SSD = "ssd"
    HDD = "hdd"


class DriveCache(StrEnum):
    """An SSD cache for frequently read data, in front of hard disks and a fifth of their size."""

    NONE = "none"
    READ = "read"


class Compression(StrEnum):
    """The compression of data on disk."""

    LZ4 = "lz4"
    NONE = "none"


class Event(StrEnum):
    """An event of a file that FSx passes on."""

    NEW = "new"
    CHANGED = "changed"
    DELETED = "deleted"


class Metadata(Choice):
    """Metadata operations per second, for opening, listing and creating files."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"automatic"})

    automatic: Nothing | None = optional("Metadata IOPS grow with the file system.", Change.IN_PLACE)
    iops: StrictInt | None = optional(
        "Metadata IOPS: 1500, 3000, 6000 or a multiple of 12000. You can only raise the number in place: a lower "
        "one replaces the file system.",
        Change.IN_PLACE,
    )


Events = Annotated[tuple[Event, ...], AfterValidator(unique_items)]


class DataLink(StrictModel):
    """A location in S3 that appears in the file system. FSx lists its files at once, and reads them when they are
    opened."""

    s3: S3Path = key(
        "S3 bucket, or a prefix in it, as in s3://my-bucket/datasets. FSx lists its objects without copying them. "
        "Another location replaces the link.",
        Change.REPLACES,
        sent="fsx.CreateDataRepositoryAssociation.DataRepositoryPath",
    )
    imports: Events = key(
        "Events in S3 that FSx imports into the file system: new, changed, deleted. The bucket must then be in the "
        "Region of the cluster. Default: all three.",
        Change.IN_PLACE,
        default=tuple(Event),
        alias="import",
    )
    exports: Events = key(
        "Events in the file system that FSx exports to S3: new, changed, deleted. Default: none.",
        Change.IN_PLACE,
        default=(),
        alias="export",
    )


_SSD_SIZES = (1200, 2400)
_SIZES: dict[tuple[DeploymentType, Disk, bool], dict[int | None, tuple[int, ...]]] = {
    (DeploymentType.PERSISTENT_2, Disk.SSD, False): dict.fromkeys((125, 250, 500, 1000), _SSD_SIZES),
    (DeploymentType.PERSISTENT_2, Disk.SSD, True): {125: (38400,), 250: (19200,), 500: (9600,), 1000: (4800,)},
    (DeploymentType.PERSISTENT_1, Disk.SSD, False): dict.fromkeys((50, 100, 200), _SSD_SIZES),
    (DeploymentType.PERSISTENT_1, Disk.HDD, False): {12: (6000,), 40: (1800,)},
    (DeploymentType.SCRATCH_2, Disk.SSD, False): {None: _SSD_SIZES},
    (DeploymentType.SCRATCH_1, Disk.SSD, False): {None: (1200, 2400, 3600)},
}
"""Type, disk and EFA -> throughput in MB/s for each TiB -> sizes in GiB: the smaller ones, and multiples of the last.

FSx API, CreateFileSystem and CreateFileSystemLustreConfiguration; ParallelCluster's `fsx_validators.py`. The sizes with
EFA are in the FSx for Lustre user guide, "Increasing storage capacity"; that they also hold at creation, in the example
of AWS's CSI driver.
"""


class Lustre(StrictModel):
    """An FSx for Lustre file system that Muster creates, with Lustre 2.15."""

    @model_validator(mode="after")
    def _supported(self) -> Self:
        """Raises a fault at the key whose value FSx does not support."""
        kind = f"{self.type.value} with {self.disk.value}" + " and EFA" * self.efa
        sizes = _SIZES.get((self.type, self.disk, self.efa), {})
        *smaller, step = sizes.get(self.throughput, (1,))
        if not sizes:
            at, got = "efa" if self.efa else "disk", f"FSx has no {kind}"
            remedy = "use EFA only with persistent-2 and ssd, and hdd only with persistent-1"
        elif self.throughput not in sizes:
            found = "left out" if self.throughput is None else self.throughput
            at, got = "throughput", f"the throughput of {kind} cannot be {found}"
            remedy = "remove it" if None in sizes else f"write {or_list([str(each) for each in sizes])}"
        elif self.size.gib not in smaller and (self.size.gib % step or not self.size.gib):
            kind += f" at {self.throughput} MB/s for each TiB" if self.throughput else ""
            at, got = "size", f"the size of {kind} cannot be {self.size}"
            remedy = f"write {or_list([*(f'{each}GiB' for each in smaller), f'a multiple of {step}GiB'])}"
        else:
            return self
        raise fault_at(at, got, remedy)

    size: Annotated[Size, AfterValidator(whole_gib)] = key(
        "Size of the file system, in whole GiB: for most kinds 1200GiB or a multiple of 2400GiB. It grows in place; "
        "a smaller size replaces the file system.",
        Change.IN_PLACE,
    )
    type: DeploymentType = key(
        "Deployment type: persistent-2, persistent-1, scratch-2 or scratch-1. A scratch file system loses the files "
        "of a server that fails. Default: persistent-2.",
        FOR_GOOD,
        default=DeploymentType.PERSISTENT_2,
    )
    disk: Disk = key("Storage medium: ssd, or hdd (only persistent-1). Default: ssd.", FOR_GOOD, default=Disk.SSD)
    drive_cache: DriveCache | None = optional(
        "SSD cache of a file system with disk: hdd: none or read. Default: none.", FOR_GOOD
    )
    throughput: StrictInt | None = optional(
        "Throughput in MB/s for each TiB: 125, 250, 500 or 1000 on persistent-2; 50, 100 or 200 on persistent-1 "
        "(hdd: 12 or 40); not for scratch. A change makes the file system unavailable for minutes. With efa or hdd, "
        "it cannot be changed.",
        Change.IN_PLACE,
    )
    metadata: Metadata | None = optional(
        "Metadata IOPS: automatic, or {iops: N}. Only for persistent-2. Default: automatic.", Change.IN_PLACE
    )
    efa: StrictBool = key(
        "Whether clients can also connect over EFA (only larger sizes of persistent-2). Nodes use EFA if their "
        "image sets up the client for it; other nodes continue to use TCP. Default: false.",
        FOR_GOOD,
        default=False,
    )
    zone: ZoneName | None = ZONE
    kms_key: KmsKeyArn | None = optional(
        "ARN of a customer managed KMS key (only persistent types). Default: the AWS managed key for FSx, which "
        "scratch always uses.",
        FOR_GOOD,
        alias="key",
    )
    compression: Compression = key(
        "Compression of data: lz4 or none. A change applies to data written after it. Default: lz4.",
        Change.IN_PLACE,
        default=Compression.LZ4,
    )
    backup_days: StrictInt = key(
        "Days for which FSx keeps daily backups; 0 for no backups. Only for persistent types, and not with `data`. "
        "Default: 0.",
        Change.IN_PLACE,
        default=0,
        ge=0,
        le=MOST_BACKUP_DAYS,
    )
    data: dict[DataPath, DataLink] = key(
        "Locations in S3, by the path at which they appear in the file system. At most 8; not for scratch-1. "
        "Default: none.",
        Change.IN_PLACE,
        default={},
        keys_sent="fsx.CreateDataRepositoryAssociation.FileSystemPath",
    )
    on_destroy: OnDestroy = ON_DESTROY


class ExistingLustre(StrictModel):
    """An existing FSx for Lustre file system. Muster changes nothing in it, nor in its security groups: these must
    allow traffic from the nodes on TCP 988 and 1018 to 1023."""

    id: FileSystemId = ID
    mount_name: MountName = key("Mount name of the file system, as `aws fsx describe-file-systems` prints it.", MOUNTED)
    dns_name: DnsName | None = DNS_NAME
    zone: ZoneName | None = ZONE_OF_EXISTING


_NFS = {backend: cost for backend, cost in FOR_GOOD.items() if backend != HYPERPOD_SLURM}
_INSTEAD_OF_EFS = "storage.*.openzfs"
"""HyperPod mounts FSx only (SageMaker API, ClusterInstanceStorageConfig)."""


class Storage(Choice):
    """One shared file system."""

    lustre: Lustre | None = optional("An FSx for Lustre file system that Muster creates.", FOR_GOOD)
    existing_lustre: ExistingLustre | None = optional("An existing FSx for Lustre file system.", FOR_GOOD)
    ebs: Ebs | None = optional(
        "A volume of EBS that the head node shares: its size in whole GiB, or {size, iops, throughput, raid, "
        "on-destroy}.",
        {PARALLELCLUSTER: Change.REFUSED},
        instead="lustre",
    )
    existing_ebs: ExistingEbs | None = optional(
        "An existing volume of EBS that the head node shares.",
        {PARALLELCLUSTER: Change.REFUSED},
        instead="existing-lustre",
    )
    efs: Efs | None = optional("An EFS file system that Muster creates.", _NFS, instead=_INSTEAD_OF_EFS)
    existing_efs: ExistingEfs | None = optional("An existing EFS file system.", _NFS, instead=_INSTEAD_OF_EFS)
    openzfs: OpenZfs | None = optional("An FSx for OpenZFS file system that Muster creates.", FOR_GOOD)
    existing_openzfs: ExistingOpenZfs | None = optional("An existing FSx for OpenZFS file system.", FOR_GOOD)
    s3: MountedBucket | None = optional(
        "An existing S3 bucket that pods mount, for data sets.",
        {EKS: Change.REPLACES, HYPERPOD: Change.REPLACES},
        instead="storage.*.lustre",
    )

    @property
    def block(self) -> Any:
        """The block of the key that is set."""
        return getattr(self, self.chosen.replace("-", "_"))


_REPOSITORY = Form(
    r"(?:[a-z0-9]+(?:[._-][a-z0-9]+)*/)*[a-z0-9]+(?:[._-][a-z0-9]+)*",
    "a valid name of an ECR repository",
    "ml/training",
)


class Registry(StrictModel):
    """An ECR repository. Nodes may pull images from it; you push them."""

    repository: Annotated[str, _REPOSITORY] | None = optional(
        "Name of the repository. Default: the name of the cluster.",
        Change.REPLACES,
        sent="ecr.CreateRepository.repositoryName",
    )
    on_destroy: OnDestroy = key(
        "keep: `destroy` stops before it deletes anything while the repository exists (with --skip-preview, only "
        "after it deletes all other resources). delete: it deletes the repository with its images. Default: keep.",
        Change.IN_PLACE,
        default=OnDestroy.KEEP,
    )
