"""Commands that Terraform runs, which may upload files to a bucket: lifecycle scripts of HyperPod, for example."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.sources.program import Program
from muster.sources.terraform.configuration import Configuration
from muster.sources.terraform.document import Document, Instance
from muster.sources.terraform.types import NAMES
from muster.unknown import UNKNOWN

_OBJECT = NAMES["aws_s3_object"]
_BUCKETS = ("aws_s3_bucket", "aws_s3_directory_bucket")
_RUNS_COMMANDS = ("null_resource", "terraform_data")
_UPLOADS = ("aws s3", "s3://", "s5cmd", "boto3")


def uploads(document: Document, configuration: Configuration) -> Iterator[Registration]:
    """One object with an unknown key for each resource whose commands may upload files. Its bucket is unknown, too.

    A plan has the references of a provisioner's command, but not its text, unless the text is constant. A state has
    neither.
    """
    type_of = {each.address: each.type for each in document.resources}
    for each in document.resources:
        if each.type in NAMES or not _may_upload(each, document, configuration, type_of):
            continue
        urn = Program("terraform", "terraform").urn(_OBJECT, each.address)
        values = {"bucket": UNKNOWN, "key": UNKNOWN}
        yield Registration(urn=urn, type=_OBJECT, name=each.address, inputs=values, id=UNKNOWN, outputs=values)


def _may_upload(
    resource: Instance, document: Document, configuration: Configuration, type_of: Mapping[str, str]
) -> bool:
    block = configuration.block(resource)
    if block is None:
        return resource.type in _RUNS_COMMANDS and not document.is_plan
    for command in block.commands:
        text = command.get("constant_value")
        if isinstance(text, str):
            if any(word in text for word in _UPLOADS):
                return True
            continue
        origin = configuration.origin([command, _triggers(block.expressions)], resource, block)
        if not origin.is_complete or any(type_of.get(each) in _BUCKETS for each in origin.addresses):
            return True
    return False


def _triggers(expressions: Mapping[str, Any]) -> list[Any]:
    """What a command can read of its own resource."""
    return [expressions.get(name) for name in ("triggers", "input", "triggers_replace")]
