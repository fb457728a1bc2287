"""A CloudFormation template with its parameters substituted and its functions evaluated, as far as a program sets
their values.

There are three kinds of missing values. A parameter that the program sets and a preview does not know is `UNKNOWN`: the
stack's dependencies may show which resource it names. A value that only CloudFormation will know (another resource of
the template, an export, a value of Parameter Store) is `Inside`: no dependency shows it. An unset value is absent.
"""

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml

from muster.fleet.registration import Registration
from muster.plain_data import scalar_text
from muster.policies.views.references import References
from muster.unknown import UNKNOWN, UnknownType


@dataclass(frozen=True, slots=True)
class Inside:
    """A value that only CloudFormation will know."""

    name: str
    """Two of the same name are one value: ``pcluster.ComputeSubnet``."""

    def __str__(self) -> str:
        return self.name


class NoTemplate(ValueError):
    """A body that is not a template."""


_NO_VALUE = object()
"""`AWS::NoValue`: removes the property or the item whose value it is."""
_LISTS = ("CommaDelimitedList", "List<")
_STORED = "AWS::SSM::Parameter::"
_VARIABLE = re.compile(r"\$\{(!?)([^}]*)\}")
_PAIR = 2


@dataclass(frozen=True)
class Template:
    """One template, with the stack's values for its parameters."""

    stack: str
    """The stack's logical name in the program."""
    document: Mapping[str, Any]
    given: Mapping[str, Any] | UnknownType
    """Parameter -> value."""
    pseudo: Mapping[str, Any]
    """Pseudo parameter (``AWS::Region``) -> value, as far as the program sets them."""

    @property
    def resources(self) -> Mapping[str, Any]:
        """Logical id -> resource, as written."""
        found = self.document.get("Resources")
        return found if isinstance(found, Mapping) else {}

    def worked_out(self, value: Any) -> Any:
        """A value of the template with every function in it evaluated, as far as possible."""
        found = self._value(value)
        return None if found is _NO_VALUE else found

    def _value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            name, argument = next(iter(value.items()), ("", None))
            if len(value) == 1 and (name in ("Ref", "Condition") or str(name).startswith("Fn::")):
                return self._call(str(name), argument)
            below = {str(key): self._value(each) for key, each in value.items()}
            return {key: each for key, each in below.items() if each is not _NO_VALUE}
        if isinstance(value, list):
            return [each for each in map(self._value, value) if each is not _NO_VALUE]
        return value

    def _call(self, name: str, argument: Any) -> Any:
        function = self._functions.get(name)
        found = function(argument) if function else None
        return Inside(f"{self.stack}.{name.removeprefix('Fn::')}") if found is None else found

    @cached_property
    def _functions(self) -> Mapping[str, Callable[[Any], Any]]:
        """CloudFormation function -> its evaluation, which returns None for a malformed argument."""
        return {
            "Ref": self._ref,
            "Condition": self._condition,
            "Fn::GetAtt": self._attribute,
            "Fn::Sub": self._substitute,
            "Fn::Join": self._join,
            "Fn::Split": self._split,
            "Fn::Select": self._select,
            "Fn::If": self._if,
            "Fn::FindInMap": self._find_in_map,
            "Fn::Equals": self._equals,
            "Fn::And": lambda argument: self._all(argument, wanted=True),
            "Fn::Or": lambda argument: self._all(argument, wanted=False),
            "Fn::Not": self._not,
        }

    def _ref(self, name: Any) -> Any:
        if name == "AWS::NoValue":
            return _NO_VALUE
        if name in self.pseudo:
            return self.pseudo[name]
        parameters = self.document.get("Parameters")
        if isinstance(parameters, Mapping) and name in parameters:
            return self._parameter(str(name), parameters[name])
        return Inside(f"{self.stack}.{name}")

    def _parameter(self, name: str, declared: Any) -> Any:
        """The stack's value, or the parameter's default. A list is a text, with commas between its items."""
        argument = declared if isinstance(declared, Mapping) else {}
        kind = str(argument.get("Type", ""))
        if kind.startswith(_STORED):
            return Inside(f"{self.stack}.{name}")
        given = UNKNOWN if self.given is UNKNOWN else self.given.get(name, argument.get("Default"))
        if isinstance(given, str) and kind.startswith(_LISTS):
            return [each.strip() for each in given.split(",")]
        return given

    def _attribute(self, argument: Any) -> Any:
        parts = argument if isinstance(argument, list) else [argument]
        return Inside(".".join([self.stack, *(str(self._value(each)) for each in parts)]))

    def _substitute(self, argument: Any) -> Any:
        text, own = argument if isinstance(argument, list) and len(argument) == _PAIR else (argument, {})
        if not isinstance(text, str) or not isinstance(own, Mapping):
            return None

        def variable(name: str) -> Any:
            if name in own:
                return self._value(own[name])
            return self._attribute(name) if "." in name else self._ref(name)

        # An empty match is a literal: `${!Name}` means `${Name}`.
        values = {name: variable(name) for literal, name in _VARIABLE.findall(text) if not literal}
        return self._unless_open(
            values.values(),
            lambda: _VARIABLE.sub(
                lambda match: f"${{{match[2]}}}" if match[1] else scalar_text(values[match[2]]), text
            ),
        )

    def _join(self, argument: Any) -> Any:
        if not isinstance(argument, list) or len(argument) != _PAIR:
            return None
        between, members = str(argument[0]), self._value(argument[1])
        if not isinstance(members, list):
            return members
        return self._unless_open(members, lambda: between.join(map(scalar_text, members)))

    def _split(self, argument: Any) -> Any:
        if not isinstance(argument, list) or len(argument) != _PAIR:
            return None
        text = self._value(argument[1])
        return text.split(str(argument[0])) if isinstance(text, str) else text

    def _select(self, argument: Any) -> Any:
        if not isinstance(argument, list) or len(argument) != _PAIR:
            return None
        index, members = str(self._value(argument[0])), self._value(argument[1])
        if not isinstance(members, list):
            return members
        return members[int(index)] if index.isdigit() and int(index) < len(members) else None

    def _find_in_map(self, argument: Any) -> Any:
        names = self._value(argument)
        found: Any = self.document.get("Mappings")
        for name in names if isinstance(names, list) else [names]:
            if not isinstance(name, str):
                return name if name is UNKNOWN else None
            found = found.get(name) if isinstance(found, Mapping) else None
        return found

    def _if(self, argument: Any) -> Any:
        if not isinstance(argument, list) or len(argument) != 1 + _PAIR:
            return None
        holds = self._condition(argument[0])
        return self._value(argument[1] if holds else argument[2]) if isinstance(holds, bool) else holds

    def _condition(self, name: Any) -> Any:
        conditions = self.document.get("Conditions")
        argument = conditions.get(name) if isinstance(conditions, Mapping) else None
        return None if argument is None else self._value(argument)

    def _equals(self, argument: Any) -> Any:
        sides = self._value(argument)
        if not isinstance(sides, list) or len(sides) != _PAIR:
            return None
        return self._unless_open(sides, lambda: scalar_text(sides[0]) == scalar_text(sides[1]))

    def _not(self, argument: Any) -> Any:
        holds = self._value(argument)
        one = holds[0] if isinstance(holds, list) and holds else None
        return not one if isinstance(one, bool) else one

    def _all(self, argument: Any, *, wanted: bool) -> Any:
        """`Fn::And` with `wanted` true, `Fn::Or` with it false: one operand of the opposite value decides the
        result."""
        each = self._value(argument)
        if not isinstance(each, list):
            return None
        if any(one is not wanted and isinstance(one, bool) for one in each):
            return not wanted
        return self._unless_open(each, lambda: wanted)

    @staticmethod
    def _unless_open(values: Iterable[Any], made: Callable[[], Any]) -> Any:
        """The result of `made`, or a missing value among `values`. An `Inside` precedes `UNKNOWN`, so that the result
        is not mistaken for a resource of the program."""
        listed = list(values)
        inside = next((each for each in listed if isinstance(each, Inside)), None)
        if inside is not None:
            return inside
        return UNKNOWN if any(each is UNKNOWN for each in listed) else made()


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's short forms: ``!Ref Name``, ``!GetAtt A.b``, ``!Sub text``."""


def _short(loader: yaml.Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    if isinstance(node, yaml.ScalarNode):
        argument: Any = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        argument = loader.construct_sequence(node, deep=True)
    else:
        assert isinstance(node, yaml.MappingNode)
        argument = loader.construct_mapping(node, deep=True)
    if suffix == "GetAtt" and isinstance(argument, str):
        argument = argument.split(".", 1)
    return {suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}": argument}


_Loader.add_multi_constructor("!", _short)
# A date (`AWSTemplateFormatVersion: 2010-09-09`) stays the text that it is.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, form) for tag, form in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read(body: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """A template's document.

    Raises:
        NoTemplate: it is not a template; CloudFormation would refuse it.
    """
    if isinstance(body, Mapping):
        return body
    try:
        # JSON is YAML, except that it may be indented with tabs.
        is_json = body.lstrip().startswith("{")
        found = json.loads(body) if is_json else yaml.load(body, _Loader)  # noqa: S506 - safe, with the short forms
    except (yaml.YAMLError, ValueError, RecursionError) as wrong:
        raise NoTemplate(str(wrong)) from wrong
    if not isinstance(found, Mapping):
        raise NoTemplate(f"the template is not a mapping, but a {type(found).__name__}")
    return found


STACKS = frozenset({"aws:cloudformation/stack:Stack", "aws-native:cloudformation:Stack"})
"""A CloudFormation stack, by either provider."""
OBJECTS = frozenset({"aws:s3/bucketObject:BucketObject", "aws:s3/bucketObjectv2:BucketObjectv2"})
"""S3 objects, which can have a template that is too long for a body."""


def template_of(
    stack: Registration, references: References, objects: Iterable[Registration]
) -> Template | UnknownType | None:
    """A stack's template. Unknown if it depends on unknown values. None if it is outside the program, or is not a
    template, which CloudFormation refuses."""
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
    return Template(stack.name, document, parameters, _pseudo(inputs))


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
