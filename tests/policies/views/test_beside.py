"""Views see of the other resources only those that may be about theirs: that must change nothing of what they see."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.fleet.registration import Registration
from muster.fleet.resources import Fleet, Ref
from muster.fleet.resources.ref import SECURITY_GROUP
from muster.policies.views import fleet_of
from muster.policies.views.beside import RelatedResources
from muster.policies.views.references import References
from muster.policies.views.security_groups import BESIDE as OF_GROUPS
from muster.unknown import UNKNOWN
from tests.factories import REGION
from tests.policies.programs.program import registered
from tests.policies.registered import RULE, a_program
from tests.policies.views.test_damaged import PROGRAMS, hidden, odd_inputs

Damage = Callable[[Sequence[Registration], random.Random], list[Registration]]


def with_all_beside(resources: Sequence[Registration]) -> Fleet:
    """As views see a program that are shown every other resource of the types they read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RelatedResources, "of", lambda self, _: self._listed)
        return fleet_of(resources, region=REGION)


@settings(max_examples=40)
@given(
    st.sampled_from(PROGRAMS),
    st.sampled_from([hidden, odd_inputs]),
    st.integers(0, 2**32),
    st.booleans(),
)
def test_what_is_left_out_says_nothing(chosen: tuple[str, bool], damage: Damage, seed: int, ids: bool) -> None:
    """Whatever is hidden or odd, and whether ids are known."""
    ours = damage(registered(chosen[0], broken=chosen[1]), random.Random(seed))
    ours = ours if ids else [replace(each, id=UNKNOWN, outputs={}) for each in ours]
    assert fleet_of(ours, region=REGION) == with_all_beside(ours)


@pytest.mark.parametrize("size", [22, 110])
def test_each_sees_its_own(size: int) -> None:
    """However many there are, a group sees its own rule alone; a rule of a group not known, every group sees."""
    ours = a_program(size)
    assert fleet_of(ours, region=REGION) == with_all_beside(ours)
    groups = [each for each in ours if each.type == SECURITY_GROUP]
    rules = [each for each in ours if each.type == RULE]
    references, naming = References(ours), OF_GROUPS[SECURITY_GROUP]

    def of_groups(listed: Sequence[Registration], references: References = references) -> RelatedResources:
        return RelatedResources(listed, references, [SECURITY_GROUP], naming)

    assert [of_groups(rules).of(each.ref) for each in groups] == [[each] for each in rules]
    astray = replace(rules[0], property_dependencies={})
    found = of_groups([astray, *rules[1:]])
    assert [len(found.of(each.ref)) for each in groups] == [1, *[2] * (len(groups) - 1)]
    assert found.of(Ref(SECURITY_GROUP, "elsewhere")) == [astray]
    assert RelatedResources(rules, references, ["aws:ec2/vpc:Vpc"], {RULE: ""}).of(groups[0].ref) == rules
    theirs = [replace(each, inputs={**each.inputs, "name": "training"}) for each in groups[:1]]
    by_name = replace(rules[0], inputs={"securityGroupId": "training"}, property_dependencies={})
    assert of_groups([by_name], References(theirs)).of(groups[0].ref) == [by_name]
    hidden_name = [replace(each, inputs={"name": UNKNOWN}) for each in groups]
    assert len(fleet_of(hidden_name).objects) == len(groups)
