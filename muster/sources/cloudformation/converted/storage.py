"""Lustre file systems and S3 buckets. The property names are those of the CloudFormation template reference, and of
Pulumi's AWS provider 7."""

import re
from collections.abc import Iterable
from typing import Any

from muster.fleet.resources.ref import BUCKET, LUSTRE
from muster.sources.cloudformation.converted.forms import Converted, Properties, block, camelized, put, tags
from muster.unknown import UNKNOWN

OTHER_FILE_SYSTEM = "aws-native:fsx:FileSystem"
_ACCESS = "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock"
_OBJECT = "aws:s3/bucketObject:BucketObject"
_LUSTRE_SETTINGS = (
    *("deploymentType", "perUnitStorageThroughput", "driveCacheType", "metadataConfiguration", "efaEnabled"),
    *("automaticBackupRetentionDays", "dataCompressionType", "importPath", "exportPath", "autoImportPolicy"),
    "importedFileChunkSize",
)
"""The settings of a Lustre file system that views read."""


def file_system(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::FSx::FileSystem`: the types of file systems differ by a property."""
    if properties.get("FileSystemType") != "LUSTRE":
        yield Converted(OTHER_FILE_SYSTEM, camelized(properties, without=("Tags",)))
        return
    settings = block(properties, "LustreConfiguration")
    own = dict.fromkeys(_LUSTRE_SETTINGS, UNKNOWN) if settings is UNKNOWN else camelized(settings)
    inputs = camelized(properties, without=("LustreConfiguration", "FileSystemType", "Tags"))
    yield Converted(LUSTRE, put({**inputs, **own}, tags=tags(properties["Tags"]) if "Tags" in properties else None))


def bucket(properties: Properties, name: str) -> Iterable[Converted]:
    """`AWS::S3::Bucket`. CloudFormation has no type for the objects in a bucket: something else puts them there."""
    versioning, acl = block(properties, "VersioningConfiguration"), properties.get("AccessControl")
    status = UNKNOWN if versioning is UNKNOWN else versioning.get("Status")
    inputs = {
        "bucket": properties.get("BucketName", UNKNOWN),
        "versioning": {"enabled": UNKNOWN if status is UNKNOWN else status == "Enabled"},
    }
    yield Converted(
        BUCKET,
        put(inputs, acl=_canned(acl), website=camelized(properties.get("WebsiteConfiguration"))),
    )
    access = properties.get("PublicAccessBlockConfiguration")
    if access is not None:
        four = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
        settings = dict.fromkeys(four, UNKNOWN) if access is UNKNOWN else camelized(access)
        settings = settings if isinstance(settings, dict) else dict.fromkeys(four, UNKNOWN)
        yield Converted(_ACCESS, {**settings, "bucket": name}, "PublicAccessBlockConfiguration")
    yield Converted(_OBJECT, {"bucket": name, "key": UNKNOWN}, "objects")


def _canned(acl: Any) -> Any:
    """``PublicRead`` -> ``public-read``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", acl).lower() if isinstance(acl, str) else acl
