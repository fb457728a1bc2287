"""Shared file systems that are mounted over NFS, EFS and FSx for OpenZFS; and buckets that Mountpoint for S3 mounts."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, StrictBool, StrictInt, model_validator

from muster.config.description.base import (
    EKS,
    FOR_GOOD,
    HYPERPOD,
    HYPERPOD_SLURM,
    PARALLELCLUSTER,
    Change,
    OnDestroy,
    StrictModel,
    everywhere,
    fault_at,
    key,
    optional,
)
from muster.config.identifiers import BucketPath, DnsName, FileSystemId, KmsKeyArn, OpenZfsVolumeId
from muster.hardware.lustre import MOST_BACKUP_DAYS
from muster.hardware.zones import ZoneName
from muster.message_text import or_list
from muster.size import Size, whole_gib

MOUNTED = everywhere(Change.NOTHING) | {HYPERPOD_SLURM: Change.NEXT_LAUNCH}
"""On HyperPod with Slurm, existing nodes keep the file system with which they started (SageMaker guide,
sagemaker-hyperpod-ref, "FSx configuration via InstanceStorageConfigs")."""

# Keys that several kinds of file systems have.
ID = key("Id of the file system, as in fs-0123456789abcdef0.", MOUNTED | {PARALLELCLUSTER: Change.REFUSED})
DNS_NAME = optional("DNS name of the file system. Default: the name that its id and the Region determine.", MOUNTED)
ZONE_OF_EXISTING = optional("Zone of the file system. Default: not set.", Change.NOTHING)
ZONE = optional(
    "Zone of the file system. Default: the zone of the first training group; if that zone changes, so does this one. "
    "Set `zone` to keep it.",
    FOR_GOOD,
)
ON_DESTROY = key(
    "keep: `destroy` stops before it deletes anything while the file system exists (with --skip-preview, only after it "
    "deletes all other resources). delete: it deletes the file system with its files. Default: keep.",
    Change.IN_PLACE,
    default=OnDestroy.KEEP,
)


class Efs(StrictModel):
    """An EFS file system that Muster creates: encrypted, with a mount target in each zone that has a private subnet.
    It grows with its files, and its throughput (elastic) with the load."""

    kms_key: KmsKeyArn | None = optional(
        "ARN of a customer managed KMS key. Default: the AWS managed key for EFS.", FOR_GOOD, alias="key"
    )
    on_destroy: OnDestroy = ON_DESTROY


class ExistingEfs(StrictModel):
    """An existing EFS file system. Muster changes nothing in it: it needs a mount target in each zone with nodes, whose
    security groups allow TCP 2049 from them."""

    id: FileSystemId = ID


class OpenZfsType(StrEnum):
    """Deployment types of FSx for OpenZFS in one zone. Those with HA have a second server, which takes over."""

    SINGLE_AZ_1 = "single-az-1"
    SINGLE_AZ_2 = "single-az-2"
    SINGLE_AZ_HA_1 = "single-az-ha-1"
    SINGLE_AZ_HA_2 = "single-az-ha-2"


class OpenZfsCompression(StrEnum):
    """The compression of the root volume."""

    LZ4 = "lz4"
    ZSTD = "zstd"
    NONE = "none"


_FIRST = (64, 128, 256, 512, 1024, 2048, 3072, 4096)
_SECOND = (160, 320, 640, 1280, 2560, 3840, 5120, 7680, 10240)
_LEAST, _MOST = 64, 512 * 1024
"""Throughput in MB/s of the first and the second generation, and sizes in GiB (FSx API, CreateFileSystem and
CreateFileSystemOpenZFSConfiguration)."""


class OpenZfs(StrictModel):
    """An FSx for OpenZFS file system that Muster creates, in one zone. Nodes mount its root volume, /fsx."""

    @model_validator(mode="after")
    def _supported(self) -> Self:
        """Raises a fault at the key whose value FSx does not support."""
        allowed = _FIRST if self.type.value.endswith("1") else _SECOND
        if self.throughput not in allowed:
            at, got = "throughput", f"the throughput of {self.type.value} cannot be {self.throughput}"
            remedy = f"write {or_list([str(each) for each in allowed])}"
        elif not _LEAST <= self.size.gib <= _MOST:
            at, got = "size", f"the size of a file system of FSx for OpenZFS cannot be {self.size}"
            remedy = f"write a size from {_LEAST}GiB to {_MOST}GiB"
        else:
            return self
        raise fault_at(at, got, remedy)

    size: Annotated[Size, AfterValidator(whole_gib)] = key(
        "Size of the file system, in whole GiB, from 64GiB. It grows in place; FSx refuses a smaller one.",
        Change.IN_PLACE,
    )
    throughput: StrictInt = key(
        f"Throughput in MB/s: {', '.join(map(str, _FIRST))} of a type that ends with 1; "
        f"{', '.join(map(str, _SECOND))} of one that ends with 2.",
        Change.IN_PLACE,
        examples=[128],
    )
    type: OpenZfsType = key(
        "Deployment type: single-az-1, single-az-2, or with a second server single-az-ha-1, single-az-ha-2. Not every "
        "Region has all of them. Default: single-az-1.",
        FOR_GOOD,
        default=OpenZfsType.SINGLE_AZ_1,
    )
    zone: ZoneName | None = ZONE
    kms_key: KmsKeyArn | None = optional(
        "ARN of a customer managed KMS key. Default: the AWS managed key for FSx.", FOR_GOOD, alias="key"
    )
    compression: OpenZfsCompression = key(
        "Compression of data: lz4, zstd or none. A change applies to data written after it. Default: lz4.",
        Change.IN_PLACE,
        default=OpenZfsCompression.LZ4,
    )
    backup_days: StrictInt = key(
        "Days for which FSx keeps daily backups; 0 for no backups. Default: 0.",
        Change.IN_PLACE,
        default=0,
        ge=0,
        le=MOST_BACKUP_DAYS,
    )
    on_destroy: OnDestroy = ON_DESTROY


class ExistingOpenZfs(StrictModel):
    """An existing FSx for OpenZFS file system. Muster changes nothing in it, nor in its security groups: these must
    allow TCP 2049 from the nodes, and for ParallelCluster also TCP and UDP 111, 2049 and 20001 to 20003."""

    id: FileSystemId = ID
    volume: OpenZfsVolumeId = key(
        "Id of the volume to mount, as in fsvol-0123456789abcdef0.",
        {PARALLELCLUSTER: Change.REFUSED},
        elsewhere=lambda _: None,
        examples=["fsvol-0123456789abcdef0"],
    )
    dns_name: DnsName | None = DNS_NAME
    zone: ZoneName | None = ZONE_OF_EXISTING


class MountedBucket(StrictModel):
    """An existing S3 bucket that pods mount, by Mountpoint for Amazon S3: for data sets. It is no file system for
    checkpoints: files can be created in one go, but not changed (Mountpoint's SEMANTICS.md)."""

    location: BucketPath = key(
        "S3 bucket, or a prefix in it, as in s3://my-bucket/datasets.",
        {EKS: Change.REPLACES, HYPERPOD: Change.REPLACES},
        examples=["s3://my-bucket/datasets"],
    )
    write: StrictBool = key(
        "Whether pods may also create and delete files. Default: false.",
        {EKS: Change.REPLACES, HYPERPOD: Change.REPLACES},
        default=False,
    )
