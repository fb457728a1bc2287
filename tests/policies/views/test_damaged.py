"""Programs of other teams, damaged at random: whatever they register, every view sees something and no rule crashes;
and what is hidden from view is never judged as if it were known."""

import random
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.fleet.registration import Registration
from muster.fleet.resources import ControlPlane, LaunchTemplate, Ref
from muster.policies.engine.judgement import Judgement, judge
from muster.policies.views import fleet_of
from muster.unknown import UNKNOWN
from tests.damage import at, damaged, places
from tests.factories import AS_OF, REGION
from tests.policies.findings import rule_of
from tests.policies.programs.program import programs, registered
from tests.policies.views.registrations import seen, template

PROGRAMS = tuple((name, broken) for name in programs() for broken in (False, True))
any_program = st.sampled_from(PROGRAMS)
seeds = st.integers(0, 2**32)


def judged(name: str, resources: Sequence[Registration]) -> Judgement:
    """What all rules say of it; every resource must have been seen."""
    fleet = fleet_of(resources, facts=programs()[name].facts, region=REGION, as_of=AS_OF)
    assert fleet.unreadable == {}
    return judge(fleet)


def hold(judgement: Judgement) -> None:
    """Whatever is said is said in words, of a resource."""
    for each in judgement.findings:
        assert each.where.startswith("urn:")
        assert each.got.strip()
        assert each.remedy.strip()
    for missing in judgement.not_evaluated:
        assert missing.missing.strip()


def odd_inputs(resources: Sequence[Registration], drawn: random.Random) -> list[Registration]:
    """The same resources, with odd values in the inputs of some."""
    made = list(resources)
    others = [value for each in resources for value in each.inputs.values()] + [UNKNOWN, UNKNOWN]
    for _ in range(drawn.choice((1, 2, 4))):
        index = drawn.randrange(len(made))
        inputs = damaged(dict(made[index].inputs), drawn, others)
        made[index] = replace(made[index], inputs=inputs if isinstance(inputs, dict) else {})
    if not drawn.randrange(6):
        del made[drawn.randrange(len(made))]
    return made


def hidden(resources: Sequence[Registration], drawn: random.Random) -> list[Registration]:
    """The same resources, with some values not known yet: any value, a whole block or one inside a list."""
    made = list(resources)
    for index, each in enumerate(made):
        for _ in range(drawn.choice((0, 0, 1, 3))):
            inputs = deepcopy(dict(each.inputs))
            ways = list(places(inputs))[1:]
            if ways:
                path = drawn.choice(ways)
                around: Any = at(inputs, path[:-1])
                if isinstance(around, dict | list):
                    around[path[-1]] = UNKNOWN
            each = replace(each, inputs=inputs)  # noqa: PLW2901 - hidden step by step
        made[index] = each
    return made


def crash_free(chosen: tuple[str, bool], seed: int) -> None:
    hold(judged(chosen[0], odd_inputs(registered(chosen[0], broken=chosen[1]), random.Random(seed))))


@settings(max_examples=80)
@given(any_program, seeds)
def test_whatever_is_registered_is_judged_in_words(chosen: tuple[str, bool], seed: int) -> None:
    """No view crashes on an odd input, no rule on what the view made of it."""
    crash_free(chosen, seed)


@pytest.mark.slow
@settings(max_examples=10_000)
@given(any_program, seeds)
def test_whatever_is_registered_is_judged_in_words_ten_thousand_times(chosen: tuple[str, bool], seed: int) -> None:
    """The same, often enough to meet what is rare."""
    crash_free(chosen, seed)


@settings(max_examples=80)
@given(st.sampled_from(sorted(programs())), seeds)
def test_what_is_hidden_is_no_fault(name: str, seed: int) -> None:
    """A program that breaks no rule breaks none where less of it is known."""
    assert judged(name, hidden(registered(name), random.Random(seed))).findings == ()


NOBODY_KNOWS = {
    ("devices-within-instance", "PyTorchJob"): "where the pods of another team's kinds of objects are",
    ("capacity-block-drained", "Group"): "whose nodes a group without a known tag of a cluster has",
    ("plugin-reaches-its-nodes", "LaunchTemplate"): "whether it is needed; group-has-its-device-plugin says so",
}
"""Rule and type of the resource of which something is hidden -> what nobody knows then, so that the rule is silent."""


def test_what_is_hidden_is_no_pass() -> None:
    """Of a broken program, with one value at any place not known yet: each rule finds the same, or says that it cannot
    judge. What is in a template that is hidden as a whole is not known."""
    for name, program in programs().items():
        made, rules = registered(name, broken=True), [rule_of(rule) for rule in {rule for rule, _ in program.faults}]
        for index, each in enumerate(made):
            for path in places(dict(each.inputs)):
                if not path or path == ("templateBody",):
                    continue
                inputs = deepcopy(dict(each.inputs))
                at(inputs, path[:-1])[path[-1]] = UNKNOWN
                ours = [*made[:index], replace(each, inputs=inputs), *made[index + 1 :]]
                told = judge(fleet_of(ours, facts=program.facts, region=REGION, as_of=AS_OF), rules=rules)
                found = {(one.rule, Ref.of_urn(one.where).name) for one in told.findings}
                assert found <= program.faults
                silent = {rule for rule, _ in program.faults - found} - {one.rule for one in told.not_evaluated}
                kind = each.type.rpartition(":")[2]
                assert {rule for rule in silent if (rule, kind) not in NOBODY_KNOWS} == set(), (each.name, path)


ODD = (["us-west-2a"], {"a": 1}, 7.5)


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_a_value_of_another_type_is_not_known(odd: Any) -> None:
    """A list where a text belongs, or a block where a number does, is neither."""
    ours = [
        replace(each, inputs={**each.inputs, "version": odd, "instanceType": odd})
        for each in registered("a_managed_group")
    ]
    fleet = fleet_of(ours, region=REGION, as_of=AS_OF)
    assert {each.kubernetes for each in fleet.of(ControlPlane)} == {UNKNOWN}
    assert {each.instance for each in fleet.of(LaunchTemplate)} == {UNKNOWN}


def test_parts_of_things_are_read_alike() -> None:
    """What one interface says in another type is not known of that interface; of the others it is."""
    interfaces = [{"interfaceType": ["efa"]}, {"deviceIndex": 1, "interfaceType": "efa"}]
    (made,) = seen(template(networkInterfaces=interfaces)).of(LaunchTemplate)
    assert [each.type for each in made.interfaces] == [UNKNOWN, "efa"]
