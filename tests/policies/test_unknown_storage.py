"""Not knowing, of file systems: no rule raises a false alarm on it, or passes over it in silence."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.blueprint.derive.cluster import derive
from muster.finding import Level
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.unknown import UNKNOWN
from policies.engine.catalogue import all_rules
from policies.engine.described_fleet import described_fleet
from policies.engine.judgement import judge
from tests import stored
from tests.factories import AS_OF, REGION, a_description

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)

OURS = tuple(rule for rule in all_rules() if rule.judges is LustreFileSystem)

HIDEABLE = (
    "size",
    "deployment",
    "disk",
    "throughput",
    "subnets",
    "security_groups",
    "drive_cache",
    "metadata_mode",
    "metadata_iops",
    "efa",
    "version",
    "key",
    "backup_days",
    "associations",
)
"""What a preview may not know. What is not set is known not to be."""


@st.composite
def fleets(draw: st.DrawFn) -> Fleet:
    """The default description with a legal file system in the workers' zone."""
    said = stored.lustre(draw, ["us-west-2a"])
    return described_fleet(derive(a_description({"storage": {"scratch": {"lustre": said}}}), "test", REGION), AS_OF)


def veiled(fleet: Fleet, names: set[str]) -> Fleet:
    """With some of the file system's settings not yet known."""
    (one,) = fleet.of(LustreFileSystem)
    hidden = {name: UNKNOWN for name in names if getattr(one, name) not in (None, ())}
    return replace(fleet, objects=tuple(replace(each, **hidden) if each is one else each for each in fleet.objects))


@slowly
@given(fleets(), st.sets(st.sampled_from(HIDEABLE)))
def test_not_knowing_is_no_fault(fleet: Fleet, names: set[str]) -> None:
    found = [each for each in judge(veiled(fleet, names), rules=OURS).findings if each.level is Level.MANDATORY]
    assert found == []


READ = tuple(name for name in HIDEABLE if name not in ("drive_cache", "metadata_iops", "key", "backup_days"))
"""What is read whatever else is said."""


@pytest.mark.parametrize("name", READ)
@settings(slowly, max_examples=20)
@given(fleet=fleets())
def test_what_is_hidden_is_missed(name: str, fleet: Fleet) -> None:
    """Nothing passes in silence that could not be seen."""
    assert judge(fleet, rules=OURS).not_evaluated == ()
    (one,) = fleet.of(LustreFileSystem)
    before = getattr(one, name)
    after = judge(replace(fleet, objects=tuple(_with(each, one, name) for each in fleet.objects)), rules=OURS)
    assert before is None or after.not_evaluated
    assert after.findings == ()


def _with(each: Any, one: LustreFileSystem, name: str) -> Any:
    return replace(one, **{name: UNKNOWN}) if each is one else each
