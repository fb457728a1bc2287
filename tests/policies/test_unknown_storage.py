"""Not knowing, of file systems: no rule crashes on it, raises a false alarm, or passes over it in silence."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from addons.judged import described_fleet
from muster.fleet import lustre
from muster.fleet.derive import derive
from muster.fleet.finding import Level
from muster.fleet.resources import Allowance, DataAssociation, Fleet, LustreFileSystem, Place, SecurityGroup
from muster.fleet.resources import place as types
from muster.fleet.unknown import UNKNOWN
from policies.catalogue import rules
from policies.judgement import judge
from tests import stored
from tests.factories import AS_OF, REGION, a_description
from tests.policies.test_unknown import group_refs, groups, or_none, perhaps, ref, some_groups, some_subnets, templates

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)

OURS = tuple(rule for rule in rules() if rule.judges is LustreFileSystem)

allowances = st.builds(
    Allowance,
    direction=st.sampled_from(["ingress", "egress", ""]),
    protocol=perhaps(st.sampled_from(["-1", "tcp", "udp"])),
    first=or_none(st.sampled_from([0, 988, 1018])),
    last=or_none(st.sampled_from([988, 1023, 65535])),
    peer=perhaps(group_refs | st.sampled_from(["0.0.0.0/0", "10.0.0.0/16", "sg-0123456789abcdef0"])),
)
security_groups = st.builds(
    SecurityGroup,
    ref=ref(types.SECURITY_GROUP, "one", "two"),
    self_ingress=perhaps(st.booleans()),
    self_egress=perhaps(st.booleans()),
    place=st.just(Place("urn:pulumi:dev::theirs::aws:ec2/securityGroup:SecurityGroup::one")),
    allows=st.frozensets(allowances, max_size=3),
)
associations = st.builds(
    DataAssociation,
    path=perhaps(st.sampled_from(["/", "/a", "/a/b", ""])),
    s3=perhaps(st.sampled_from(["s3://a", "s3://a/", ""])),
)
file_systems = st.builds(
    LustreFileSystem,
    ref=ref(types.LUSTRE, "one", "two"),
    size=or_none(st.sampled_from([0, 1200, 3000, 38400])),
    deployment=perhaps(st.sampled_from([*lustre.DEPLOYMENTS, "PERSISTENT_3", ""])),
    disk=perhaps(st.sampled_from(["SSD", "HDD", "INTELLIGENT_TIERING", "TAPE"])),
    throughput=or_none(st.sampled_from([0, 12, 125, 200])),
    subnets=perhaps(some_subnets.map(tuple)),
    security_groups=perhaps(some_groups),
    place=st.just(Place("urn:pulumi:dev::theirs::aws:fsx/lustreFileSystem:LustreFileSystem::one")),
    drive_cache=or_none(st.sampled_from(["NONE", "READ", ""])),
    metadata_mode=or_none(st.sampled_from(["AUTOMATIC", "USER_PROVISIONED", ""])),
    metadata_iops=or_none(st.sampled_from([0, 1500, 12000])),
    efa=perhaps(st.booleans()),
    version=or_none(st.sampled_from(["2.10", "2.15", "three"])),
    key=or_none(st.just(stored.KEY)),
    backup_days=perhaps(st.integers(0, 90)),
    import_path=or_none(st.just("s3://data")),
    needs_import_path=st.frozensets(st.just("exportPath")),
    associations=perhaps(st.lists(associations, max_size=10).map(tuple)),
    existing=st.booleans(),
    id=st.none() | st.just(stored.EXISTING_ID),
    mount_name=st.none() | st.just("a-long-mount-name"),
    zone=st.none() | st.just("us-west-2a"),
    vpc=st.none() | st.just("vpc-0123456789abcdef0"),
)


@settings(slowly, max_examples=300)
@given(st.lists(file_systems | security_groups | groups | templates, max_size=6, unique_by=lambda each: each.ref))
def test_no_rule_crashes_on_anything(things: list[Any]) -> None:
    judge(Fleet(tuple(things)), rules=OURS)


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
