"""Storage: FSx for Lustre file systems, and S3 buckets with their readers from outside the stack."""

from dataclasses import dataclass, field
from typing import Generic

from muster.fleet.resources.ref import Place, Ref, Reference
from muster.unknown import Observed, U


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
class LustreFileSystem(Observed, Generic[U]):
    """One FSx for Lustre file system. AWS's defaults are filled in where they are known."""

    ref: Ref
    size: int | None | U
    """GiB; None if the program does not set it."""
    deployment: str | U
    """``PERSISTENT_2``; AWS's own default is SCRATCH_1."""
    disk: str | U
    """``SSD``, ``HDD`` or ``INTELLIGENT_TIERING``."""
    throughput: int | None | U
    """MB/s per TiB (`perUnitStorageThroughput`)."""
    subnets: tuple[Reference, ...] | U
    """FSx for Lustre takes one."""
    security_groups: tuple[Reference, ...] | U
    """Sorted. Empty: AWS attaches the VPC's default one."""
    place: Place = field(compare=False)
    drive_cache: str | None | U = None
    """``NONE`` or ``READ``."""
    metadata_mode: str | None | U = None
    """``AUTOMATIC`` or ``USER_PROVISIONED``; None without a metadata configuration."""
    metadata_iops: int | None | U = None
    efa: bool | U = False
    version: str | None | U = None
    """Lustre's: ``2.15``; None where the program leaves it to AWS."""
    key: Reference | None | U = None
    """A KMS key of the account."""
    backup_days: int | U = 0
    compression: str | U = "NONE"
    associations: tuple[DataAssociation[U], ...] | U = ()
    """Sorted."""
    existing: bool = False
    """It was there before: the program registers nothing of it, and only the fields below are known."""
    id: str | None = None
    """An existing one's."""
    mount_name: str | None = None
    """Of an existing one, from the description; AWS generates it for others."""
    dns_name: str | None = None
    zone: str | None = field(default=None, compare=False)
    """The zone in the description."""
    vpc: Reference | None = field(default=None, compare=False)
    """The VPC of the description."""
