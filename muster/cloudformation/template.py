"""A CloudFormation template with its parameters substituted and its functions evaluated, as far as the values are
known.

There are three kinds of missing values. A parameter that a program sets and a preview does not know is `UNKNOWN`: the
stack's dependencies may show which resource it names. A value that only CloudFormation will know (another resource of
the template, an export, a value of Parameter Store) is `Inside`: no dependency shows
it. An unset value is absent.

The evaluation is Muster's own. cfn-lint 1.58 can resolve functions, but it lists every value that a template may have,
to lint them all, and keeps no unknown values. It also needs sympy and networkx (150 MB), and takes 0.6 s to import.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import ip_network
from typing import Any

from muster import yaml_text
from muster.cloudformation.values import NO_VALUE, Budget, Inside, Named, joined, pieces
from muster.plain_data import scalar_text
from muster.secret_texts import mark, mark_derived
from muster.unknown import UNKNOWN, UnknownType
from muster.whole_number import whole_number


class NoTemplate(ValueError):
    """A body that is not a template."""


_LISTS = ("CommaDelimitedList", "List<")
_STORED = "AWS::SSM::Parameter::"
_PAIR = 2
_ARGUMENTS = {"Fn::Join": 2, "Fn::Split": 2, "Fn::Select": 2, "Fn::If": 3}
"""The number of arguments of functions that have a list of them."""
_DEEPEST = 100
"""Blocks in each other, conditions included. Python's stack has room for more."""


@dataclass(eq=False)
class Template:
    """One template, with the stack's values for its parameters."""

    stack: str
    """The stack's logical name in the program."""
    document: Mapping[str, Any]
    given: Mapping[str, Any] | UnknownType
    """Parameter -> value."""
    pseudo: Mapping[str, Any]
    """Pseudo parameter (``AWS::Region``) -> value, as far as the program sets them."""
    attribute_of: Callable[[str, str], Any] | None = None
    """Logical id and attribute -> the value of an attribute of a resource; of `Ref`, if the attribute is empty. None
    for a value that only CloudFormation knows."""
    budget: Budget = field(default_factory=Budget, repr=False)

    def __post_init__(self) -> None:
        self._depth = 0
        self._conditions: dict[str | bool, Any] = {}
        self._parameters: dict[str, Any] = {}
        self._open: set[str | bool] = set()

    @property
    def resources(self) -> Mapping[str, Any]:
        """Logical id -> resource, as written."""
        found = self.document.get("Resources")
        return found if isinstance(found, Mapping) else {}

    def worked_out(self, value: Any) -> Any:
        """A value of the template with every function in it evaluated, as far as possible.

        Raises:
            TooMany: the budget is spent.
        """
        found = self._value(value)
        self.budget.spend_on(found)
        return None if found is NO_VALUE else found

    def condition(self, name: Any) -> bool | None:
        """Whether a condition is true; None if that is not known, or if the template does not have it."""
        found = self._condition(name)
        return found if isinstance(found, bool) else None

    def _value(self, value: Any) -> Any:
        self.budget.spend()
        if not isinstance(value, Mapping | list):
            return value
        if self._depth >= _DEEPEST:
            return self._inside("deep")
        self._depth += 1
        try:
            return self._list(value) if isinstance(value, list) else self._block(value)
        finally:
            self._depth -= 1

    def _inside(self, *names: str) -> Inside:
        self.budget.spend(sum(map(len, names)))
        return Inside(".".join(filter(None, (self.stack, *names))))

    def _text(self, value: Any) -> str:
        """A value as text, which the budget pays for."""
        if isinstance(value, Mapping | list):
            self.budget.spend_on(value)
        text = scalar_text(value)
        self.budget.spend(len(text), steps=len(value.parts) if isinstance(value, Named) else 1)
        return text

    def _list(self, value: list[Any]) -> list[Any]:
        return [each for each in map(self._value, value) if each is not NO_VALUE]

    def _block(self, value: Mapping[Any, Any]) -> Any:
        name, argument = next(iter(value.items()), ("", None))
        if len(value) == 1 and _is_function(name, argument):
            return self._call(str(name), argument)
        below = {str(key): self._value(each) for key, each in value.items()}
        return {key: each for key, each in below.items() if each is not NO_VALUE}

    def _call(self, name: str, argument: Any) -> Any:
        function = self._functions.get(name)
        number = _ARGUMENTS.get(name)
        fits = number is None or (isinstance(argument, list) and len(argument) == number)
        found = function(argument) if function and fits else None
        return self._inside(name.removeprefix("Fn::")) if found is None else found

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
            "Fn::Cidr": self._cidr,
            "Fn::Base64": self._base64,
            "Fn::GetAZs": lambda argument: self._inside("GetAZs", self._text(self._value(argument) or "AWS::Region")),
            "Fn::ImportValue": lambda argument: self._inside("ImportValue", self._text(self._value(argument))),
        }

    def _ref(self, given: Any) -> Any:
        name = self._value(given)
        if not isinstance(name, str):
            return None
        if name == "AWS::NoValue":
            return NO_VALUE
        if name in self.pseudo:
            return self.pseudo[name]
        parameters = self.document.get("Parameters")
        if isinstance(parameters, Mapping) and name in parameters:
            if name not in self._parameters:
                self._parameters[name] = self._parameter(name, parameters[name])
            return self._parameters[name]
        return self._of_resource(name, "")

    def _of_resource(self, logical: str, attribute: str) -> Any:
        known = self.attribute_of and logical in self.resources
        found = self.attribute_of(logical, attribute) if known and self.attribute_of else None
        return self._inside(logical, attribute) if found is None else found

    def _parameter(self, name: str, declared: Any) -> Any:
        """The stack's value, or the parameter's default. A list is a text, with commas between its items."""
        argument = declared if isinstance(declared, Mapping) else {}
        kind = str(argument.get("Type", ""))
        if kind.startswith(_STORED):
            return self._inside(name)
        given = UNKNOWN if self.given is UNKNOWN else self.given.get(name, argument.get("Default"))
        if scalar_text(argument.get("NoEcho")).lower() == "true":
            mark(given)
        if isinstance(given, str) and kind.startswith(_LISTS):
            parts = pieces(given, ",")
            stripped = (each if isinstance(each, Named) else each.strip() for each in parts or ())
            return [given] if parts is None else mark_derived(given, [*stripped])
        return given

    def _attribute(self, argument: Any) -> Any:
        parts = argument if isinstance(argument, list) else str(argument).split(".", 1)
        names = [self._text(self._value(each)) for each in parts]
        return self._of_resource(names[0], ".".join(names[1:])) if names else None

    def _substitute(self, argument: Any) -> Any:
        text, own = argument if isinstance(argument, list) and len(argument) == _PAIR else (argument, {})
        if not isinstance(text, str) or not isinstance(own, Mapping):
            return None

        def variable(written: str) -> Any:
            name = written.strip()
            if name in own:
                return self._value(own[name])
            return self._attribute(name) if "." in name else self._ref(name)

        parts = list(_parts(text))
        names = [name for _, name in parts if name is not None]
        values = {name: variable(name) for name in dict.fromkeys(names)}

        def made() -> Any:
            words = {name: self._text(each) for name, each in values.items()}
            self.budget.spend(len(text) + sum(len(words[name]) for name in names))
            return joined(
                "".join(before + ("" if name is None else words[name]) for before, name in parts), values.values()
            )

        found = self._unless_open(values.values(), made)
        return Inside(found.name, text) if isinstance(found, Inside) else found

    def _join(self, argument: list[Any]) -> Any:
        between, members = scalar_text(argument[0]), self._value(argument[1])
        if not isinstance(members, list):
            return members

        def made() -> Any:
            words = [self._text(each) for each in members]
            self.budget.spend(len(between) * len(words))
            return joined(between.join(words), members)

        return self._unless_open(members, made)

    def _split(self, argument: list[Any]) -> Any:
        text = self._value(argument[1])
        if not isinstance(text, str):
            return text
        separator = self._text(argument[0])
        count = text.count(separator) if separator else 0
        self.budget.spend(len(text) * len(text.parts) if isinstance(text, Named) else len(text), count)
        return mark_derived(text, pieces(text, separator))

    def _select(self, argument: list[Any]) -> Any:
        index, members = self._text(self._value(argument[0])), self._value(argument[1])
        if isinstance(members, Inside):
            return Inside(f"{self._text(members)}[{index}]")
        if not isinstance(members, list):
            return members
        at = whole_number(index, 0)
        return members[at] if at is not None and at < len(members) else None

    def _find_in_map(self, argument: Any) -> Any:
        listed = argument if isinstance(argument, list) else [argument]
        default = listed[-1] if listed and isinstance(listed[-1], Mapping) and "DefaultValue" in listed[-1] else None
        names = self._value(listed[:-1] if default is not None else listed)
        found: Any = self.document.get("Mappings")
        for name in names:
            if isinstance(name, bool | int | float):
                name = scalar_text(name)  # noqa: PLW2901 - YAML reads an unquoted account id as a number
            if not isinstance(name, str):
                return name if name is UNKNOWN else None
            if isinstance(name, Named):
                return None
            found = _entry(found, name)
        return self._value(default["DefaultValue"]) if found is None and default is not None else found

    def _if(self, argument: list[Any]) -> Any:
        holds = self._condition(argument[0])
        return self._value(argument[1] if holds else argument[2]) if isinstance(holds, bool) else holds

    def _condition(self, name: Any) -> Any:
        """A condition. One that needs itself is as unknown as one that does not exist; CloudFormation refuses both."""
        conditions = self.document.get("Conditions")
        # YAML 1.1 reads the names On, Off, Yes and No as booleans, here and where the condition is written.
        if not isinstance(name, str | bool) or not isinstance(conditions, Mapping) or name not in conditions:
            return None
        if name in self._open:
            return self._inside(scalar_text(name))
        if name not in self._conditions:
            self._open.add(name)
            try:
                self._conditions[name] = self._value(conditions[name])
            finally:
                self._open.discard(name)
        return self._conditions[name]

    def _equals(self, argument: Any) -> Any:
        sides = self._value(argument)
        if not isinstance(sides, list) or len(sides) != _PAIR:
            return None
        if any(isinstance(each, Named) for each in sides):
            return self._inside("Equals")
        return self._unless_open(sides, lambda: self._text(sides[0]) == self._text(sides[1]))

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

    def _cidr(self, argument: Any) -> Any:
        given = self._value(argument)
        if not isinstance(given, list) or not _PAIR <= len(given) <= 1 + _PAIR:
            return None
        return self._unless_open(given, lambda: cidr(given[0], given[1], given[2] if len(given) > _PAIR else None))

    def _base64(self, argument: Any) -> Any:
        text = self._value(argument)
        if isinstance(text, Named):
            return self._inside("Base64")
        self.budget.spend(2 * len(text) if isinstance(text, str) else 0)
        return self._unless_open([text], lambda: mark_derived(text, base64(text)))

    @staticmethod
    def _unless_open(values: Iterable[Any], made: Callable[[], Any]) -> Any:
        """The result of `made`, or a missing value among `values`. An `Inside` precedes `UNKNOWN`, so that the result
        is not mistaken for a resource of the program."""
        listed = list(values)
        inside = next((each for each in listed if isinstance(each, Inside)), None)
        if inside is not None:
            return inside
        return UNKNOWN if any(each is UNKNOWN for each in listed) else made()


def _is_function(name: Any, argument: Any) -> bool:
    """Whether the only key of a block is a function. A policy statement can have the key `Condition` as well."""
    if name == "Condition":
        return isinstance(argument, str)
    return name == "Ref" or str(name).startswith("Fn::")


def _parts(text: str) -> Iterator[tuple[str, str | None]]:
    """Each text before a variable of `Fn::Sub` with the variable; at the end, the rest with None. `${!Name}` is the
    text `${Name}`."""
    at = begin = 0
    before = ""
    while (begin := text.find("${", at)) >= 0 and (end := text.find("}", begin)) >= 0:
        name = text[begin + 2 : end]
        before += text[at:begin]
        if name.startswith("!"):
            before += f"${{{name[1:]}}}"
        else:
            yield before, name
            before = ""
        at = end + 1
    yield before + text[at:], None


def _entry(block: Any, name: str) -> Any:
    """An entry of a mapping. YAML reads an unquoted account id as a number."""
    if not isinstance(block, Mapping):
        return None
    return block.get(name, block.get(whole_number(name)))


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
        found = json.loads(body) if is_json else next(iter(yaml_text.load_all(body, template=True)), None)
    except (yaml_text.NotYaml, ValueError, RecursionError) as wrong:
        raise NoTemplate(str(wrong)) from wrong
    if not isinstance(found, Mapping):
        raise NoTemplate(f"the template is not a mapping, but a {type(found).__name__}")
    return found


_MOST_NETWORKS = 256
"""The limit of `Fn::Cidr` (CloudFormation template reference)."""


def cidr(block: Any, count: Any, bits: Any) -> list[str] | None:
    """`Fn::Cidr`: the first networks in a block, each with a number of host bits; None for malformed arguments."""
    try:
        network, many = ip_network(str(block), strict=False), whole_number(count)
        host_bits = 8 if bits is None else whole_number(bits)
        if many is None or host_bits is None:
            return None
        prefix = network.max_prefixlen - host_bits
        if not (1 <= many <= _MOST_NETWORKS and network.prefixlen <= prefix <= network.max_prefixlen):
            return None
        if many > 2 ** (prefix - network.prefixlen):
            return None
        below = network.subnets(new_prefix=prefix)
        return [str(next(below)) for _ in range(many)]
    except ValueError:
        return None


def base64(text: Any) -> str | None:
    """`Fn::Base64`."""
    return b64encode(text.encode(errors="replace")).decode() if isinstance(text, str) else None
