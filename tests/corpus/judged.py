"""Judges entries of the corpus: their descriptions, and what their programs register."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pulumi
from google.protobuf import json_format
from pulumi.runtime import settings

from muster.config.validation import validate
from muster.finding import Finding
from muster.fleet.facts import Facts
from muster.fleet.registration import Registration
from muster.fleet.resources import Fleet, Ref
from muster.offline.plan import existing_clusters
from muster.offline.recording import record
from muster.policies.analyzer import registration
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import Judgement, judge, judge_stack
from muster.policies.views.fleet import described_by, differences, fleet_of
from muster.stack.stack_file import StackFile
from muster.wire import SIGNATURE
from tests.corpus import Entry, WrongEntry, edited, entries
from tests.policies.engine_protocol import resource

REGION = "us-west-2"
"""Of a program without a stack."""


@dataclass(frozen=True)
class Outcome:
    """What rules report of an entry, by rule and place; and the findings themselves."""

    found: frozenset[tuple[str, str]]
    unjudged: frozenset[tuple[str, str]]
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, judgement: Judgement) -> "Outcome":
        """Those of a judgement, with resources by type and name."""
        return cls(
            frozenset((each.rule, place(each.where)) for each in judgement.findings),
            frozenset((each.rule, place(each.resource)) for each in judgement.not_evaluated),
            judgement.findings,
        )


def place(where: str) -> str:
    """A path unchanged; a URN as ``TYPE::NAME``."""
    if not where.startswith("urn:"):
        return where
    ref = Ref.of_urn(where)
    return f"{ref.type}::{ref.name}"


def by_description(entry: Entry) -> Outcome:
    """What `muster check` reports of the description: findings, or schema errors by place and text."""
    opened = entry.opened()
    if opened.described is None:
        return Outcome(frozenset((each.finding.where, each.finding.got) for each in opened.faults), frozenset())
    return Outcome.of(judged(entry, described(entry)))


def by_plan(entry: Entry) -> tuple[Outcome, tuple[str, ...]]:
    """What `muster plan` reports of what the description registers, and how the two differ."""
    derived = described(entry)
    registered = described_by(fleet_of(registrations(entry, entry.opened())), derived)
    return Outcome.of(judged(entry, registered)), differences(registered, derived)


def by_program(entry: Entry, *, preview: bool = False) -> Outcome:
    """What the policy pack reports of what the entry's program registers, at places of the description if there is one.
    In a preview, ids are unknown."""
    return Outcome.of(judged(entry, registered(entry, preview=preview)))


def described(entry: Entry) -> Fleet:
    """The fleet of the description."""
    return described_fleet(entry.opened().derive(), entry.as_of)


def registered(entry: Entry, *, preview: bool = False) -> Fleet:
    """The fleet of what the entry's program registers."""
    opened = entry.opened() if entry.stack else None
    seen = fleet_of(
        [registration(resource(each), each.inputs) for each in registrations(entry, opened, preview=preview)],
        facts=facts_of(entry),
        region=region_of(opened, entry),
        as_of=entry.as_of,
    )
    if seen.unreadable:
        raise AssertionError(f"{entry.name}: {dict(seen.unreadable)}")
    return described_by(seen, described(entry)) if opened else seen


def read(entry: Entry) -> Fleet:
    """The fleet of an entry that the schema accepts: of its description, or of its program."""
    return described(entry) if entry.by_description else registered(entry)


def judged(entry: Entry, fleet: Fleet) -> Judgement:
    """The judgement of a fleet of the entry."""
    return judge_stack(entry.opened(), fleet) if entry.stack else judge(fleet)


@cache
def every_fleet() -> tuple[Fleet, ...]:
    """The fleets of all entries that the schema accepts."""
    return tuple(read(each) for each in entries() if not each.refused)


def facts_of(entry: Entry) -> Facts:
    """The facts of the account."""
    made, faults = validate(Facts, json.loads(entry.facts_text()))
    if made is None:
        raise WrongEntry(f"{entry.file}: learn: {faults[0][1].where}: {faults[0][1].got}")
    return made


def region_of(opened: StackFile | None, entry: Entry) -> str:
    """The Region that the program runs in."""
    return opened.region if opened else entry.region or REGION


def registrations(entry: Entry, opened: StackFile | None, *, preview: bool = False) -> tuple[Registration, ...]:
    """What the entry's program registers on the offline monitor.

    Facts do not change it, and edits apply to what was registered, so a stack that many entries start from runs once.
    The tests on the engine run the program of each entry (`program`), and find the same.
    """
    region = region_of(opened, entry)
    made = _recorded(entry.stack, json.dumps(entry.change), entry.region, entry, preview) if opened else ()
    more: tuple[Registration, ...] = ()
    if entry.resources:
        program = _Resources(entry.resources).register
        more = record(program, stack=entry.stack or "corpus", region=region, preview=preview).registrations
    by_key = {_key(each): each for each in made}
    if unheard := entry.registered.keys() - by_key.keys():
        raise WrongEntry(f"{entry.file}: registered: there is no {', '.join(sorted(unheard))}")
    unnamed = left_out(entry, opened)
    for key, edits in entry.registered.items():
        by_key[key] = _with(by_key[key], edits, unnamed.get(key, {}))
    beside = more if not made else (each for each in more if each.type != _STACK)
    return (*by_key.values(), *beside)


_STACK = "pulumi:pulumi:Stack"


def _recorded(stack: str, change: str, region: str, entry: Entry, preview: bool) -> tuple[Registration, ...]:
    key = (stack, change, region, preview)
    if key not in _RECORDED:
        opened = entry.opened()
        blueprint = opened.derive()
        from muster.deploy import deploy

        _RECORDED[key] = record(
            lambda: deploy(blueprint),
            stack=stack,
            region=opened.region,
            preview=preview,
            existing_clusters=existing_clusters(blueprint),
        ).registrations
    return _RECORDED[key]


_RECORDED: dict[tuple[str, str, str, bool], tuple[Registration, ...]] = {}


def left_out(entry: Entry, opened: StackFile | None) -> Mapping[str, Mapping[str, frozenset[str]]]:
    """What edits remove: resource -> input -> the resources that it no longer refers to, each as ``TYPE::NAME``.

    A program without the reference would not depend on them. While ids are unknown, only dependencies show references.
    """
    if opened is None or not entry.registered:
        return {}
    made = {
        each.urn: each for each in _recorded(entry.stack, json.dumps(entry.change), entry.region, entry, preview=False)
    }
    gone: dict[str, dict[str, frozenset[str]]] = {}
    for each in made.values():
        key = _key(each)
        after = _edited(dict(each.inputs), entry.registered.get(key, {}))
        for head, urns in each.property_dependencies.items():
            before, left = _ids(each.inputs.get(head)), _ids(after.get(head))
            told = {urn: _ids([made[urn].id, made[urn].outputs]) for urn in urns if urn in made}
            lost = {_key(made[urn]) for urn, ids in told.items() if ids & (before - left) and not ids & left}
            if lost:
                gone.setdefault(key, {})[head] = frozenset(lost)
    return gone


_ID = re.compile(r"[a-z]+-[0-9a-f]{8,}|arn:.+")


def _ids(value: Any) -> frozenset[str]:
    return frozenset(text for text in _texts(value) if _ID.fullmatch(text))


def _key(resource: Registration) -> str:
    return f"{resource.type}::{resource.name}"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def of_others(urns: Iterable[str], unnamed: frozenset[str]) -> list[str]:
    """The URNs of resources without those that edits removed."""
    return [urn for urn in urns if f"{Ref.of_urn(urn).type}::{Ref.of_urn(urn).name}" not in unnamed]


def _with(registration: Registration, edits: Mapping[str, Any], unnamed: Mapping[str, frozenset[str]]) -> Registration:
    """A resource with edited inputs. Its outputs repeat them."""
    inputs = _edited(dict(registration.inputs), edits)
    gone = registration.inputs.keys() - inputs.keys()
    changed = {key: value for key, value in inputs.items() if value != registration.inputs.get(key)}
    outputs = {key: value for key, value in registration.outputs.items() if key not in gone}
    made_of = {
        head: tuple(of_others(urns, unnamed.get(head, frozenset())))
        for head, urns in registration.property_dependencies.items()
    }
    return replace(registration, inputs=inputs, outputs={**outputs, **changed}, property_dependencies=made_of)


def program(entry: Entry, opened: StackFile | None) -> Callable[[], None]:
    """The program of an entry, without the gate: that of its stack, edited, and the entry's resources."""
    unnamed = left_out(entry, opened)

    def run() -> None:
        from muster.deploy import deploy

        if entry.registered:
            settings.SETTINGS.monitor = _Edited(settings.SETTINGS.monitor, entry.registered, unnamed)
        _Resources(entry.resources).register()
        if opened:
            deploy(opened.derive())

    return run


class _Edited:
    """Passes what a program registers to a monitor, with edits."""

    def __init__(
        self,
        monitor: Any,
        edits: Mapping[str, Mapping[str, Any]],
        unnamed: Mapping[str, Mapping[str, frozenset[str]]],
    ) -> None:
        self._monitor, self._edits, self._unnamed = monitor, dict(edits), unnamed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._monitor, name)

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802 - the protocol's name
        """Registers a resource with edited inputs."""
        edits = self._edits.pop(f"{request.type}::{request.name}", None)
        if edits:
            inputs = _edited(json_format.MessageToDict(request.object), edits)
            request.object.Clear()
            request.object.update(inputs)
            for head, gone in self._unnamed.get(f"{request.type}::{request.name}", {}).items():
                urns = request.propertyDependencies[head].urns
                urns[:] = of_others(urns, gone)
        return self._monitor.RegisterResource(request)


def _edited(inputs: dict[str, Any], edits: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs with edits. A path can continue inside an input that is JSON text."""
    for path, value in edits.items():
        head, _, below = path.partition(".")
        text = _bare(inputs.get(head))
        if below and isinstance(text, str):
            inputs = {**inputs, head: json.dumps(edited(json.loads(text), {below: value}))}
        else:
            inputs = edited(_bare(inputs), {path: value})
    return inputs


_VALUE = "value"


def _bare(value: Any) -> Any:
    """Inputs without the wire's marks of outputs and secrets."""
    if isinstance(value, dict):
        return _bare(value.get(_VALUE)) if SIGNATURE in value else {key: _bare(each) for key, each in value.items()}
    return [_bare(each) for each in value] if isinstance(value, list) else value


class _Resource(pulumi.CustomResource):
    """Any resource, by its type token, with the provider's names of inputs and outputs."""

    def __init__(self, type_: str, name: str, inputs: dict[str, Any]) -> None:
        super().__init__(type_, name, inputs)


class _Resources:
    """Resources that may name each other: ``${TYPE::NAME}`` is an id, ``${TYPE::NAME.arn}`` an output."""

    def __init__(self, resources: Mapping[str, Mapping[str, Any]]) -> None:
        self._inputs, self._made = resources, dict[str, _Resource]()
        self._asked = {key: set(_names(said)) for key, said in resources.items()}

    def register(self) -> None:
        """Registers all."""
        for key in self._inputs:
            self._of(key)

    def _of(self, key: str) -> _Resource:
        if key not in self._inputs:
            raise WrongEntry(f"resources: there is no {key}")
        if key not in self._made:
            type_, _, name = key.rpartition("::")
            wanted = {output for asked in self._asked.values() for other, output in asked if other == key and output}
            inputs = {**dict.fromkeys(wanted), **self._value(self._inputs[key])}
            self._made[key] = _Resource(type_, name, inputs)
        return self._made[key]

    def _value(self, given: Any) -> Any:
        if isinstance(given, dict):
            return {key: self._value(each) for key, each in given.items()}
        if isinstance(given, list):
            return [self._value(each) for each in given]
        if isinstance(given, str) and given.startswith("${"):
            ((key, output),) = _names(given)
            resource = self._of(key)
            return getattr(resource, output) if output else resource.id
        return given


def _names(given: Any) -> Iterator[tuple[str, str]]:
    """The resources that a value refers to, each with the output."""
    if isinstance(given, dict | list):
        for each in given.values() if isinstance(given, dict) else given:
            yield from _names(each)
    elif isinstance(given, str) and given.startswith("${"):
        type_, _, rest = given[2:-1].rpartition("::")
        name, _, output = rest.partition(".")
        yield f"{type_}::{name}", output


def read_entry(entry: Entry) -> Outcome:
    """What rules report of an entry: of its description, or of its program."""
    return by_description(entry) if entry.by_description else by_program(entry)
