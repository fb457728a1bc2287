"""`aws.sagemaker.MlflowTrackingServer` as a judged thing."""

from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import Place, Ref, Reference, TrackingServer
from muster.fleet.resources.place import BUCKET, DIRECTORY_BUCKET
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.references import References, word

_S3 = "s3://"
_BUCKETS = (BUCKET, "aws:s3/bucketV2:BucketV2", DIRECTORY_BUCKET)


def tracking_server(resource: Registration, references: References) -> TrackingServer:
    """Reads a tracking server's inputs, with AWS's defaults."""
    inputs = resource.inputs
    return TrackingServer(
        ref=references.ref(resource),
        name=inputs.get("trackingServerName", UNKNOWN),
        artifacts=_bucket(inputs.get("artifactStoreUri", UNKNOWN), resource, references),
        place=Place(resource.urn),
        size=UNKNOWN if (size := word(inputs.get("trackingServerSize", "Small"))) is None else size,
        version=word(inputs.get("mlflowVersion")),
        maintenance=word(inputs.get("weeklyMaintenanceWindowStart")),
    )


def _bucket(address: Any, resource: Registration, references: References) -> Reference | UnknownType:
    """The bucket of this program that an address is in, or the address itself."""
    if not isinstance(address, str):
        found = references.one(UNKNOWN, resource, "artifactStoreUri", _BUCKETS)
        return UNKNOWN if found is None else found
    bucket = references.of(address.removeprefix(_S3).partition("/")[0])
    return bucket if isinstance(bucket, Ref) and address.startswith(_S3) else address
