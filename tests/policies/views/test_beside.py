"""Views see of the other resources only those that may be about theirs: that must change nothing of what they see."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.fleet.registration import Registration
from muster.fleet.resources import Fleet
from muster.policies.views import fleet_of
from muster.policies.views.beside import RelatedResources
from muster.unknown import UNKNOWN
from tests.factories import REGION
from tests.policies.programs.program import registered
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
