"""Values that a preview does not know: no rule crashes on one, reports a fault because of one, or passes over one."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import chain
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.blueprint.derive.cluster import derive
from muster.config.description.root import model_of
from muster.config.placeholders import PLACEHOLDER
from muster.config.validation import validate
from muster.finding import Level
from muster.fleet.facts import Facts
from muster.fleet.facts_merge import facts_document
from muster.fleet.resources import Fleet, LaunchTemplate, Place, Ref
from muster.fleet.resources.fleet import PROGRAM_ONLY
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import RuleCrashed, judge
from muster.unknown import UNKNOWN, U, UnknownType
from tests.corpus import BROKEN, entry_of, names
from tests.corpus.judged import every_fleet, judged, read
from tests.policies.findings import rule_of
from tests.policies.random_fleets import KINDS, fleets
from tests.policies.test_descriptions import BACKENDS
from tests.strategies import Described


@cache
def _may_be_unknown(kind: type) -> tuple[str, ...]:
    if not is_dataclass(kind) or kind in (Place, Ref, Fleet):
        return ()
    hints = get_type_hints(kind)
    unknown = {U, UnknownType}
    return tuple(sorted(each.name for each in fields(kind) if not unknown.isdisjoint(get_args(hints[each.name]))))


def hidden(thing: Any, hides: Callable[[], bool]) -> Any:
    """A thing with some of its fields, and of the fields of things inside it, unknown. Fields that are not set stay
    so."""
    if isinstance(thing, tuple):
        return tuple(hidden(each, hides) for each in thing)
    if not is_dataclass(thing) or isinstance(thing, Place | Ref | type):
        return thing
    changes: dict[str, Any] = {each.name: hidden(getattr(thing, each.name), hides) for each in fields(thing)}
    changes |= {name: UNKNOWN for name in _may_be_unknown(type(thing)) if changes[name] not in (None, ()) and hides()}
    if isinstance(thing, LaunchTemplate):
        nics = thing.interfaces if thing.interfaces is not UNKNOWN else ()
        groups = [each.security_groups for each in (thing, *nics) if each.security_groups is not UNKNOWN]
        changes["depends_on"] = frozenset(each for listed in groups for each in listed if isinstance(each, Ref))
    return replace(thing, **changes)


def fleet_of(described: Described) -> Fleet:
    made, faults = validate(model_of(described.document), described.document)
    assert made is not None, faults
    return described_fleet(derive(made, "random", described.region, described.known), described.as_of)


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
@settings(max_examples=30)
@given(data=st.data(), random=st.randoms(use_true_random=False), share=st.floats(0, 1))
def test_an_unknown_value_is_no_fault(backend: Any, data: st.DataObject, random: Any, share: float) -> None:
    """No mandatory rule has a finding in a legal fleet, whichever values are unknown."""
    fleet = fleet_of(data.draw(backend.legal))
    things = tuple(hidden(each, lambda: random.random() < share) for each in fleet.objects)
    found = judge(replace(fleet, objects=things)).findings
    assert [each for each in found if each.level is Level.MANDATORY] == []


def _one_hidden(thing: Any) -> Iterator[tuple[type, str, Any]]:
    """The thing with one field unknown, for each field of it and of the things inside it: class, name, thing."""
    if not is_dataclass(thing) or isinstance(thing, Place | Ref | type):
        return
    for name in _may_be_unknown(type(thing)):
        if getattr(thing, name) is not UNKNOWN:
            yield type(thing), name, replace(thing, **{name: UNKNOWN})
    for each in fields(thing):
        if not each.init:
            continue
        value = getattr(thing, each.name)
        for kind, name, within in _one_hidden(value):
            yield kind, name, replace(thing, **{each.name: within})
        if isinstance(value, tuple | frozenset):
            listed = sorted(value, key=repr) if isinstance(value, frozenset) else value
            for index, one in enumerate(listed):
                for kind, name, within in _one_hidden(one):
                    changed = type(value)((*listed[:index], within, *listed[index + 1 :]))
                    yield kind, name, replace(thing, **{each.name: changed})


def _less_known(fleet: Fleet) -> Iterator[tuple[type, str, Fleet]]:
    """The fleet with one field unknown, for each field."""
    for index, thing in enumerate(fleet.objects):
        for kind, name, less in _one_hidden(thing):
            yield kind, name, replace(fleet, objects=(*fleet.objects[:index], less, *fleet.objects[index + 1 :]))


MAY_PASS = {
    ("boot-settings-take-effect", "LaunchTemplate.user_data"): "what is not known of a description is Muster's own",
    ("group-has-subnet", "HeadNode.subnet"): "a subnet whose id is not known is one",
    ("group-has-subnet", "LoginPool.subnets"): "subnets whose ids are not known are some",
    ("parallelcluster-data-kept", "Mount.file_system"): "a file system whose id is not known exists by itself",
    ("pod-fits-node", "LaunchTemplate.kubelet"): "what is not known of a description is Muster's own",
    ("pod-fits-node", "LaunchTemplate.user_data"): "what is not known of a description is Muster's own",
    ("reservation-target-clear", "CapacityTarget.preference"): "a value that is set counts as set",
}
"""Rule and unknown field -> why the rule needs no report."""


def _unanswered(fleet: Fleet) -> Iterator[tuple[str, Fleet]]:
    """The fleet with one fact missing, for each fact, as if a preflight queried AWS for all of them. AWS has no facts
    about placeholders."""
    if fleet.facts is None:
        return
    known = {"observed": "2026-11-21T09:00:00Z", **facts_document(fleet.facts)}
    for path in _paths({key: value for key, value in known.items() if key not in OF_THE_FILE}):
        if not any(PLACEHOLDER in key for key in path):
            yield ".".join(path), replace(fleet, facts=Facts.model_validate(_without(known, path)))


OF_THE_FILE = {"account", "observed", "permissions"}
"""Facts about the file. Permissions that no preflight queried are not denied."""


def _paths(said: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in said.items() if isinstance(said, dict) else ():
        yield (*at, key)
        yield from _paths(value, (*at, key))


def _without(said: Any, path: tuple[str, ...]) -> Any:
    key, *below = path
    rest = {each: value for each, value in said.items() if each != key}
    return {**rest, key: _without(said[key], tuple(below))} if below else rest


@pytest.mark.parametrize("name", names(BROKEN))
def test_less_knowledge_turns_no_finding_into_a_pass(name: str) -> None:
    """Each field and each fact of every broken entry is unknown once, by itself. The rules that have findings still
    have them, or one of the rules is not evaluated."""
    one = entry_of(BROKEN, name)
    if one.refused:
        return
    fleet, rules = read(one), [rule_of(each) for each in one.finds]
    found, unjudged = {each.rule for each in judge(fleet, rules=rules).findings}, judged(one, fleet).not_evaluated
    fields = ((f"{kind.__name__}.{field}", less) for kind, field, less in _less_known(fleet))
    for what, less in chain(fields, _unanswered(fleet)):
        said = judge(less, rules=rules)
        lost = found - {each.rule for each in (*said.findings, *said.not_evaluated)}
        lost -= {rule for rule in lost if (rule, what) in MAY_PASS}
        assert not lost or set(judge(less).not_evaluated) - set(unjudged), (lost, what)


# no crash


@settings(max_examples=150)
@given(fleets())
def test_no_rule_crashes_on_anything(fleet: Fleet) -> None:
    """Not on odd values, on unknown ones, or on two things with the same name."""
    judge(fleet)


def test_anything_is_of_every_type_that_is_judged() -> None:
    assert {kind for rule in all_rules() for kind in rule.kinds} | set(PROGRAM_ONLY) <= set(KINDS)


FLEETS = 2
"""In how many fleets of the corpus each field is unknown once: in the first that have it."""


def test_no_rule_crashes_on_one_unknown_value() -> None:
    """Each field of everything in the corpus is unknown once, by itself."""
    crashed: dict[str, set[str]] = {}
    tried: dict[tuple[type, str], int] = {}
    for fleet in every_fleet():
        here: set[tuple[type, str]] = set()
        for kind, name, less in _less_known(fleet):
            if (kind, name) in here or tried.get((kind, name), 0) == FLEETS:
                continue
            here.add((kind, name))
            tried[kind, name] = tried.get((kind, name), 0) + 1
            crashes: list[RuleCrashed] = []
            judge(less, crashes=crashes)
            if crashes:
                crashed.setdefault(f"{kind.__name__}.{name}", set()).update(each.rule for each in crashes)
    assert crashed == {}
