"""What AWS itself says of a HyperPod cluster, and whether a cluster is so: by CloudFormation's schema of
``AWS::SageMaker::Cluster`` (which cfn-lint carries) and by the API's model of ``CreateCluster`` (botocore's).

Each says things that the other leaves out: the model knows the instance types and is stricter about most texts, the
schema about schedules and about what excludes what. Neither is asked over the network.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import botocore.session
import jsonschema
from botocore.model import Shape
from botocore.validate import ParamValidator
from cfnlint.api import lint
from cfnlint.config import ManualArgs
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

_TYPE = "AWS::SageMaker::Cluster"

_SEPARATORS = "\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def _python(pattern: str) -> str:
    """A pattern of AWS's as Python has it, which knows no classes of Unicode. `\\w` is a letter, a digit or `_`, and
    where AWS asks for letters it asks for all three."""
    return pattern.replace("\\p{L}\\p{Z}\\p{N}_", f"\\w{_SEPARATORS}")


# What the API's model says.


@cache
def _request(operation: str = "CreateCluster") -> Shape:
    model = botocore.session.get_session().get_service_model("sagemaker")
    shape = model.operation_model(operation).input_shape
    assert shape is not None
    return shape


def api_faults(request: Mapping[str, Any], operation: str = "CreateCluster") -> list[str]:
    """Why SageMaker's CreateCluster, or another operation, would not take a request; empty if the model finds nothing.

    botocore's own validator judges names, types, what is required and the least of sizes. Patterns, closed choices and
    the most of sizes it leaves to the service: those are judged here, by the same model.
    """
    report = ParamValidator().validate(request, _request(operation))
    # Where the form is wrong there is nothing to walk over.
    return (
        report.generate_report().splitlines()
        if report.has_errors()
        else list(_beyond(request, _request(operation), ""))
    )


def _beyond(value: Any, shape: Shape, where: str) -> Iterator[str]:
    size = value if shape.type_name in {"integer", "long", "float", "double"} else _length(value)
    if size is not None and size > shape.metadata.get("max", size):
        yield f"{where}: {value!r} is above the most, {shape.metadata['max']}"
    # As a whole: the service's patterns are not searched for.
    if shape.metadata.get("pattern") and not re.fullmatch(_python(shape.metadata["pattern"]), value):
        yield f"{where}: {value!r} is not of the form {shape.metadata['pattern']}"
    if shape.type_name == "string" and shape.enum and value not in shape.enum:
        yield f"{where}: {value!r} is none of {len(shape.enum)} choices"
    yield from (fault for name, inner, part in _parts(value, shape) for fault in _beyond(inner, part, f"{where}{name}"))


def _length(value: Any) -> int | None:
    return len(value) if isinstance(value, (str, list, dict)) else None


def _parts(value: Any, shape: Shape) -> Iterable[tuple[str, Any, Shape]]:
    if shape.type_name == "structure":
        return [(f".{name}", inner, shape.members[name]) for name, inner in value.items()]
    if shape.type_name == "list":
        return [(f"[{n}]", inner, shape.member) for n, inner in enumerate(value)]
    if shape.type_name == "map":
        keys = [(f".{key} (key)", key, shape.key) for key in value]
        return [*keys, *((f".{key}", inner, shape.value) for key, inner in value.items())]
    return []


# What CloudFormation's schema says.


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-west-2", _TYPE).schema
    return schema


def _matches(validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[jsonschema.ValidationError]:
    if isinstance(value, str) and not re.search(_python(pattern), value):
        yield jsonschema.ValidationError(f"{value!r} is not of the form {pattern}")


_Validator = jsonschema.validators.extend(jsonschema.Draft7Validator, {"pattern": _matches})


def cloudformation_faults(properties: Mapping[str, Any]) -> list[str]:
    """Why CloudFormation, and so Pulumi's native provider, would not take a cluster's properties."""
    errors = sorted(_Validator(_schema()).iter_errors(properties), key=str)
    read_only = [path for path in _schema()["readOnlyProperties"] if _given(properties, path.split("/")[2:])]
    return [
        *(f"{error.json_path}: {error.message}" for error in errors),
        *(f"{path} is read, not given" for path in read_only),
    ]


def _given(value: Any, path: list[str]) -> bool:
    if not path:
        return True
    if path[0] == "*":
        return any(_given(inner, path[1:]) for inner in value)
    return isinstance(value, Mapping) and path[0] in value and _given(value[path[0]], path[1:])


def linted(properties: Mapping[str, Any], region: str) -> list[str]:
    """What cfn-lint says of a template with that cluster alone: the schema, AWS's formats of ids, and the types that
    SageMaker's price list has in the Region. It is slow, a second or so."""
    resource = {"Type": _TYPE, "Properties": properties}
    template = {"AWSTemplateFormatVersion": "2010-09-09", "Resources": {"HyperPod": resource}}
    found = lint(json.dumps(template), config=ManualArgs(regions=[region]))
    return [f"{each.rule.id} {'/'.join(map(str, each.path or ()))}: {each.message}" for each in found]


def schedule_pattern() -> str:
    """The form of the schedules of updates; the API's model states none."""
    pattern: str = _schema()["definitions"]["ScheduledUpdateConfig"]["properties"]["ScheduleExpression"]["pattern"]
    return pattern


def create_only() -> set[str]:
    """The properties that a live cluster never changes: ``VpcConfig``, ``Orchestrator/Eks``."""
    return {path.removeprefix("/properties/") for path in _schema()["createOnlyProperties"]}


def properties(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What a program registers (`sourceS3Uri`, `volumeSizeInGb`) in the schema's own words (`VolumeSizeInGB`).

    Raises:
        KeyError: a name that the schema does not have.
    """
    named: dict[str, Any] = _renamed(inputs, _schema())
    return named


def _renamed(value: Any, schema: Mapping[str, Any]) -> Any:
    while "$ref" in schema:
        schema = _schema()["definitions"][schema["$ref"].rpartition("/")[2]]
    if isinstance(value, Mapping):
        if "patternProperties" in schema:  # a user's own keys
            return dict(value)
        known = {name.lower(): (name, inner) for part in _choices(schema) for name, inner in part.items()}
        pairs = ((known[key.lower()], inner) for key, inner in value.items())
        return {name: _renamed(inner, below) for (name, below), inner in pairs}
    if isinstance(value, (list, tuple)):
        return [_renamed(inner, schema["items"]) for inner in value]
    return value


def _choices(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [part.get("properties", {}) for part in [schema, *schema.get("oneOf", [])]]
