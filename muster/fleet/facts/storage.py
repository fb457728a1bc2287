"""Facts of buckets and file systems."""

from enum import StrEnum
from typing import Literal

from pydantic import StrictBool

from muster.fleet.description.identifiers import SecurityGroupId, VpcId
from muster.fleet.facts.fact import EXISTS, Fact, a_fact
from muster.fleet.zones import ZoneName


class BucketFacts(Fact):
    """What S3 says of a bucket, and of one with lifecycle scripts beside whether there is one (`ListObjectsV2`,
    `GetPublicAccessBlock` of it and of its account, `GetBucketVersioning`)."""

    exists: StrictBool | None = a_fact(EXISTS)
    files: tuple[str, ...] | None = a_fact("The keys of its objects, as far as scripts need them")
    private: StrictBool | None = a_fact(
        "All four settings of public access blocks are on, in its own or in its account's"
    )
    versioned: StrictBool | None = a_fact("Its versioning is Enabled")


class FileSystemState(StrEnum):
    """FSx's `FileSystemLifecycle`."""

    AVAILABLE = "AVAILABLE"
    CREATING = "CREATING"
    FAILED = "FAILED"
    DELETING = "DELETING"
    MISCONFIGURED = "MISCONFIGURED"
    UPDATING = "UPDATING"
    MISCONFIGURED_UNAVAILABLE = "MISCONFIGURED_UNAVAILABLE"


class FileSystemFacts(Fact):
    """What FSx says of one file system that exists (`DescribeFileSystems`), and EC2 of its security groups."""

    exists: StrictBool | None = a_fact(EXISTS)
    type: Literal["LUSTRE", "WINDOWS", "ONTAP", "OPENZFS"] | None = a_fact("FileSystemType")
    state: FileSystemState | None = a_fact("Lifecycle")
    vpc: VpcId | None = a_fact("VpcId")
    zone: ZoneName | None = a_fact("The zone of its subnet")
    dns_name: str | None = a_fact("DNSName")
    mount_name: str | None = a_fact("LustreConfiguration.MountName")
    version: str | None = a_fact("FileSystemTypeVersion, as in 2.15")
    ports_open_to_vpc: StrictBool | None = a_fact("Its groups let the whole VPC in on TCP 988 and 1018 to 1023")
    ports_open_to: tuple[SecurityGroupId, ...] | None = a_fact("The groups let in on TCP 988 and 1018 to 1023")
