"""The template of a CloudFormation stack that a program registers."""

from base64 import b64decode
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from muster.cloudformation.template import NoTemplate, Template, read
from muster.fleet.registration import Registration
from muster.policies.views.references import References
from muster.unknown import UNKNOWN, UnknownType

STACKS = frozenset({"aws:cloudformation/stack:Stack", "aws-native:cloudformation:Stack"})
"""A CloudFormation stack, by either provider."""
OBJECTS = frozenset({"aws:s3/bucketObject:BucketObject", "aws:s3/bucketObjectv2:BucketObjectv2"})
"""S3 objects, which can have a template that is too long for a body."""


def template_of(
    stack: Registration, references: References, objects: Iterable[Registration]
) -> Template | UnknownType | None:
    """A stack's template. Unknown if it depends on unknown values. None if it is outside the program, or is not a
    template, which CloudFormation refuses."""
    return references.once("template", stack, lambda: _template_of(stack, references, objects))


def _template_of(
    stack: Registration, references: References, objects: Iterable[Registration]
) -> Template | UnknownType | None:
    inputs = stack.inputs
    body: object = inputs.get("templateBody")
    if body is None and inputs.get("templateUrl") is not None:
        body = _uploaded(stack, references, list(objects))
    if body is UNKNOWN:
        return UNKNOWN
    if not isinstance(body, str | Mapping):
        return None
    try:
        document = read(body)
    except NoTemplate:
        return None
    given = inputs.get("parameters")
    parameters = UNKNOWN if given is UNKNOWN else given if isinstance(given, Mapping) else {}
    return Template(stack.name, document, parameters, _pseudo(inputs), budget=references.budget)


def _pseudo(inputs: Mapping[str, Any]) -> Mapping[str, Any]:
    """The pseudo parameters that the stack's inputs set; the Region only if the stack itself sets it."""
    argument = {
        "AWS::StackName": inputs.get("name", inputs.get("stackName")),
        "AWS::Region": inputs.get("region"),
    }
    return {name: value for name, value in argument.items() if isinstance(value, str)}


def _uploaded(stack: Registration, references: References, objects: list[Registration]) -> Any:
    """The content of the S3 object at the template's URL; None if the program does not have the object."""
    url = stack.inputs.get("templateUrl")
    if url is not UNKNOWN:
        found = [each for each in objects if _at(str(url), each)]
        return _content(found[0]) if found else None
    behind = references.behind(stack, ("templateUrl",), OBJECTS)
    made = [each for each in objects if references.ref(each) in behind]
    return _content(made[0]) if len(made) == 1 else UNKNOWN


def _at(url: str, put: Registration) -> bool:
    """Whether an address is an object's: with the bucket in the host's name, or first in the path."""
    parts, key, bucket = urlsplit(url), put.inputs.get("key"), put.inputs.get("bucket")
    path = unquote(parts.path).lstrip("/")
    if not isinstance(key, str) or not isinstance(bucket, str):
        return False
    return path == f"{bucket}/{key}" or (path == key and parts.netloc.startswith(f"{bucket}."))


def _content(put: Registration) -> Any:
    """The text of an object; also unknown for a file, which this does not read."""
    inputs = put.inputs
    encoded = inputs.get("contentBase64")
    if encoded is not None:
        return b64decode(encoded, validate=False).decode(errors="replace") if isinstance(encoded, str) else UNKNOWN
    if inputs.get("content") is not None:
        return inputs["content"]
    source = inputs.get("source")
    return source.get("text", UNKNOWN) if isinstance(source, Mapping) else UNKNOWN
