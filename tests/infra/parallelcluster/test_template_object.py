"""A template that is too long to be sent along goes by way of a bucket."""

from hashlib import sha256
from typing import Any

from muster.blueprint.parallelcluster.template import MOST_BYTES, template
from muster.unknown import UNKNOWN
from tests.factories.parallelcluster import a_slurm_blueprint
from tests.infra.parallelcluster.described import STACK, registered

BUCKET, OBJECT = "aws:s3/bucket:Bucket", "aws:s3/bucketObjectv2:BucketObjectv2"
WORKERS = {"for": "training", "instance": "p4de.24xlarge", "nodes": 4}


def long() -> dict[str, Any]:
    """A legal cluster of as many queues as ParallelCluster takes, each with scripts of its own."""
    scripts = [{"at": f"s3://our-bucket/scripts/{number:04}-{'x' * 100}.sh"} for number in range(10)]
    return {
        "queues": {
            f"queue-{number}": {"groups": {f"workers-{number}": WORKERS}, "post-install": {"scripts": scripts}}
            for number in range(50)
        },
        "slurm.default-queue": "queue-0",
    }


def test_a_long_template_is_uploaded_under_its_hash() -> None:
    """To a private bucket that goes with the stack; the stack names the object, and waits for it."""
    body = template(a_slurm_blueprint(long())).body
    assert len(body.encode()) > MOST_BYTES
    program = registered(long())
    uploaded = program.one(OBJECT, "template")
    assert uploaded.inputs["content"] == body
    assert uploaded.inputs["key"] == f"{sha256(body.encode()).hexdigest()}.json"
    bucket = program.one(BUCKET, "template")
    assert bucket.inputs["forceDestroy"] is True
    stack = program.one(STACK, "slurm")
    assert "templateBody" not in stack.inputs
    url = f"https://{bucket.id}.s3.us-west-2.amazonaws.com/{uploaded.inputs['key']}"
    assert stack.inputs["templateUrl"] == url
    assert uploaded.urn in stack.property_dependencies["templateUrl"]
    assert program.outputs["buckets"] == {"template": bucket.id}


def test_in_a_preview_its_text_is_known() -> None:
    """Rules read it in the object, where the address is not known yet."""
    program = registered(long(), preview=True)
    stack, uploaded = program.one(STACK, "slurm"), program.one(OBJECT, "template")
    assert stack.inputs["templateUrl"] is UNKNOWN
    assert uploaded.urn in stack.property_dependencies["templateUrl"]
    assert uploaded.inputs["content"] == template(a_slurm_blueprint(long())).body
