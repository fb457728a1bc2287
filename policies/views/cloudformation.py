"""The template of a CloudFormation stack that a program registers."""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from muster.cloudformation.template import NoTemplate, Template, read
from muster.fleet.registration import Registration
from muster.object_cache import cached_by_identity
from muster.policies.views.references import References
from muster.unknown import UNKNOWN, UnknownType

STACKS = frozenset({"aws:cloudformation/stack:Stack", "aws-native:cloudformation:Stack"})
"""A CloudFormation stack, by either provider."""
OBJECTS = frozenset({"aws:s3/bucketObject:BucketObject", "aws:s3/bucketObjectv2:BucketObjectv2"})
"""S3 objects, which can have a template that is too long for a body."""


def template_of(
    stack: Registration, references: References, objects: list[Registration]
) -> Template | UnknownType | None:
    """A stack's template. Unknown if it depends on unknown values. None if it is outside the program, or is not a
    template, which CloudFormation refuses."""
    return references.once("template", stack, lambda: _template_of(stack, references, objects))


def _template_of(
    stack: Registration, references: References, objects: list[Registration]
) -> Template | UnknownType | None:
    inputs = stack.inputs
    body: object = inputs.get("templateBody")
    if body is None and inputs.get("templateUrl") is not None:
        body = _uploaded(stack, references, objects)
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
        by_place, places = _by_place(objects), _places(str(url))
        found = min((by_place[place] for place in places if place in by_place), default=None)
        return _content(objects[found]) if found is not None else None
    behind = references.behind(stack, ("templateUrl",), OBJECTS)
    made = [each for each in map(references.resource, behind) if each]
    return _content(made[0]) if len(made) == 1 else UNKNOWN


@cached_by_identity(4)
def _by_place(listed: list[Registration]) -> dict[tuple[object, object], int]:
    """Bucket and key -> the index of the first object there."""
    objects = ((index, each.inputs) for index, each in enumerate(listed) if each.type in OBJECTS)
    places = [((put.get("bucket"), put.get("key")), index) for index, put in objects]
    return {place: index for place, index in reversed(places) if all(isinstance(each, str) for each in place)}


def _places(url: str) -> Iterator[tuple[str, str]]:
    """The buckets and keys that an address can mean: with the bucket in the host's name, or first in the path."""
    parts = urlsplit(url)
    path = unquote(parts.path).lstrip("/")
    yield from ((parts.netloc[: each.start()], path) for each in re.finditer(r"\.", parts.netloc))
    yield from ((path[: each.start()], path[each.end() :]) for each in re.finditer("/", path))


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
