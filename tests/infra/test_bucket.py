"""Buckets are private, versioned and encrypted, and stay or go as is said."""

import json

import pytest

from muster.blueprint.logical_names import LONGEST_PREFIX, bucket_prefix
from muster.infra.bucket import Bucket
from muster.offline.recording import record
from tests.factories import REGION, a_blueprint
from tests.infra.registered import Registered


def registered(prefix: str = "sagemaker-test-things", *, keep: bool = True) -> Registered:
    """What is registered for one bucket."""
    blueprint = a_blueprint(stack="test")
    return Registered(
        record(lambda: Bucket("things", blueprint, prefix=prefix, keep=keep), stack="test", region=REGION)
    )


def test_no_request_goes_in_the_clear() -> None:
    """Whoever asks, and for whatever in it."""
    program = registered()
    arn = program.one("aws:s3/bucket:Bucket", "things").outputs["arn"]
    policy = program.one("aws:s3/bucketPolicy:BucketPolicy", "things")
    (statement,) = json.loads(policy.inputs["policy"])["Statement"]
    assert statement.pop("Sid")
    assert statement == {
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": [arn, f"{arn}/*"],
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }
    block = program.one("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "things")
    assert block.urn in policy.dependencies, "S3 refuses both at once"


@pytest.mark.parametrize("keep", [True, False])
def test_it_stays_or_goes_with_all_that_is_in_it(*, keep: bool) -> None:
    """Kept: protected, and not deleted with objects in it."""
    bucket = registered(keep=keep).one("aws:s3/bucket:Bucket", "things")
    assert bucket.options.get("protect", False) is keep
    assert bucket.inputs["forceDestroy"] is not keep


@pytest.mark.parametrize(
    ("prefix", "made"),
    [
        ("sagemaker-test-mlflow", "sagemaker-test-mlflow-"),
        (f"sagemaker-{'a' * 40}-mlflow", f"sagemaker-{'a' * 26}-"),
        (f"sagemaker-{'a' * 25}-mlflow", f"sagemaker-{'a' * 25}-"),
        (f"sagemaker-{'a' * 24}--bcd", f"sagemaker-{'a' * 24}-"),
        ("sagemaker-Pod-1", "sagemaker-pod-1-"),
    ],
)
def test_its_name_begins_as_is_said(prefix: str, made: str) -> None:
    """As far as the provider takes it, and with one dash before the provider's own letters."""
    inputs = registered(prefix).one("aws:s3/bucket:Bucket", "things").inputs
    assert inputs["bucketPrefix"] == made
    assert bucket_prefix(made) == made, "rules see one name, whoever has cut it"
    assert len(made) <= LONGEST_PREFIX
