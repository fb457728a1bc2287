"""What holds data: FSx for Lustre file systems, created or existing, and the ECR repository of training images."""

import re
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, StrictBool, StrictInt

from muster.config.description.base import Change, Choice, Nothing, OnDestroy, StrictModel, field, unique_items
from muster.config.identifiers import DataPath, DnsName, FileSystemId, KmsKeyArn, MountName, S3Path
from muster.hardware.lustre import MOST_BACKUP_DAYS
from muster.hardware.zones import ZoneName
from muster.size import Size, whole_gib


class DeploymentType(StrEnum):
    """FSx's deployment types. Scratch keeps no second copy of anything: a failed server takes its files along."""

    PERSISTENT_2 = "persistent-2"
    PERSISTENT_1 = "persistent-1"
    SCRATCH_2 = "scratch-2"
    SCRATCH_1 = "scratch-1"

    @property
    def aws(self) -> str:
        """In FSx's own word: ``PERSISTENT_2``."""
        return self.value.replace("-", "_").upper()


class Disk(StrEnum):
    """What a file system is stored on."""

    SSD = "ssd"
    HDD = "hdd"


class DriveCache(StrEnum):
    """An SSD cache before hard disks, a fifth of their size, for what is read often."""

    NONE = "none"
    READ = "read"


class Compression(StrEnum):
    """How data is compressed on disk."""

    LZ4 = "lz4"
    NONE = "none"


class Event(StrEnum):
    """What happens to a file, and is passed on."""

    NEW = "new"
    CHANGED = "changed"
    DELETED = "deleted"


class Metadata(Choice):
    """Metadata operations a second: what files are opened, listed and made with."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"automatic"})

    automatic: Nothing | None = field("They grow with the file system.", Change.IN_PLACE, default=None)
    iops: StrictInt | None = field(
        "So many: 1500, 3000, 6000 or a multiple of 12000. They only grow: fewer replace the file system.",
        Change.IN_PLACE,
        default=None,
    )


Events = Annotated[tuple[Event, ...], AfterValidator(unique_items)]


class DataLink(StrictModel):
    """A place in S3 that appears in the file system: files are listed at once and read when they are opened."""

    s3: S3Path = field(
        "The bucket, or a prefix in it. What is listed there is not copied; another place is linked anew.",
        Change.REPLACES,
    )
    imports: Events = field(
        "What happens in S3 and is then seen here: new, changed, deleted. The bucket is then in this Region.",
        Change.IN_PLACE,
        default=tuple(Event),
        alias="import",
    )
    exports: Events = field(
        "What happens here and is then written to S3: new, changed, deleted. Nothing without it.",
        Change.IN_PLACE,
        default=(),
        alias="export",
    )


class Lustre(StrictModel):
    """An FSx for Lustre file system that Muster makes, Lustre 2.15.

    Which size goes with which type, disk and throughput the rules know; they say what would fit.
    """

    size: Annotated[Size, AfterValidator(whole_gib)] = field(
        "Its size, whole GiB: 1200GiB or a multiple of 2400GiB, most kinds. It grows in place; a smaller one replaces.",
        Change.IN_PLACE,
    )
    type: DeploymentType = field(
        "persistent-2, persistent-1, scratch-2 or scratch-1. Scratch loses files with a server.",
        Change.REPLACES,
        default=DeploymentType.PERSISTENT_2,
    )
    disk: Disk = field("ssd, or hdd (only persistent-1).", Change.REPLACES, default=Disk.SSD)
    drive_cache: DriveCache | None = field(
        "none or read, only with disk: hdd; none without it.", Change.REPLACES, default=None
    )
    throughput: StrictInt | None = field(
        "MB/s for each TiB: 125, 250, 500 or 1000 on persistent-2; 50, 100 or 200 on persistent-1 (hdd: 12 or 40); "
        "none on scratch. Changing it takes the file system away for minutes; with efa or hdd it cannot be changed.",
        Change.IN_PLACE,
        default=None,
    )
    metadata: Metadata | None = field(
        "automatic, or {iops: N}. Without it: automatic on persistent-2, which alone has it.",
        Change.IN_PLACE,
        default=None,
    )
    efa: StrictBool = field(
        "Traffic by EFA too (persistent-2 only, and larger sizes). Nodes use it where their image sets the client up "
        "for it; others go on by TCP.",
        Change.REPLACES,
        default=False,
    )
    zone: ZoneName | None = field(
        "The one zone it is in. Without it: the first training group's, and it moves with that; name it to keep it.",
        Change.REPLACES,
        default=None,
    )
    key: KmsKeyArn | None = field(
        "Your own KMS key (persistent only); AWS's own for FSx without it. Scratch always has the latter.",
        Change.REPLACES,
        default=None,
    )
    compression: Compression = field(
        "lz4 or none. What is written from then on.", Change.IN_PLACE, default=Compression.LZ4
    )
    backup_days: StrictInt = field(
        "How long daily backups are kept (persistent only, and not with `data`); 0 for none.",
        Change.IN_PLACE,
        default=0,
        ge=0,
        le=MOST_BACKUP_DAYS,
    )
    data: dict[DataPath, DataLink] = field(
        "Places in S3 by the path at which they appear here, 8 at most. Not on scratch-1.", Change.IN_PLACE, default={}
    )
    on_destroy: OnDestroy = field(
        "keep: `destroy` stops while it exists, before it deletes anything (with --skip-preview only after all else). "
        "delete: it goes, with its files.",
        Change.IN_PLACE,
        default=OnDestroy.KEEP,
    )


class ExistingLustre(StrictModel):
    """An FSx for Lustre file system that exists. Nothing of it is changed, its security groups included: they must let
    the nodes in on TCP 988 and 1018 to 1023."""

    id: FileSystemId = field("The file system.", Change.NOTHING)
    mount_name: MountName = field("Its mount name, as `aws fsx describe-file-systems` has it.", Change.NOTHING)
    dns_name: DnsName | None = field(
        "Its DNS name; without it the one that follows from its id and the Region.", Change.NOTHING, default=None
    )
    zone: ZoneName | None = field("The zone it is in, as you know it.", Change.NOTHING, default=None)


class Storage(Choice):
    """One shared file system."""

    lustre: Lustre | None = field("FSx for Lustre, made here.", Change.REPLACES, default=None)
    existing_lustre: ExistingLustre | None = field("FSx for Lustre that exists.", Change.REPLACES, default=None)


_REPOSITORY = re.compile(r"(?:[a-z0-9]+(?:[._-][a-z0-9]+)*/)*[a-z0-9]+(?:[._-][a-z0-9]+)*")
_LONGEST = 256


def _repository(value: str) -> str:
    if not _REPOSITORY.fullmatch(value) or not 1 < len(value) <= _LONGEST:
        raise ValueError(f"'{value}' is not the name of an ECR repository; write one like ml/training")
    return value


class Registry(StrictModel):
    """An ECR repository. Nodes may pull from it, whoever builds images pushes."""

    repository: (
        Annotated[str, AfterValidator(_repository), Field(json_schema_extra={"pattern": f"^{_REPOSITORY.pattern}$"})]
        | None
    ) = field("Its name; the cluster's without it.", Change.REPLACES, default=None)
    on_destroy: OnDestroy = field(
        "keep: `destroy` stops while it exists, before it deletes anything (with --skip-preview only after all else). "
        "delete: it goes, with its images.",
        Change.IN_PLACE,
        default=OnDestroy.KEEP,
    )
