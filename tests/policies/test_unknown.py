"""Not knowing: no rule crashes on it, none raises a false alarm, and none passes over it in silence."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.config.description.eks_cluster import EksCluster
from muster.finding import Level
from muster.fleet.resources import (
    Addon,
    CapacityBlockPurchase,
    CapacityTarget,
    ControlPlane,
    EksAddon,
    Fleet,
    LaunchTemplate,
    NetworkInterface,
    NodeGroup,
    Ref,
    ReservationGroup,
    SecurityGroup,
)
from muster.fleet.resources.fleet import PROGRAM_ONLY
from muster.fleet.unknown import UNKNOWN
from policies.engine.catalogue import all_rules
from policies.engine.judgement import judge
from tests.policies.anything import KINDS, fleets
from tests.policies.test_descriptions import SAID_OF_LEGAL_ONES
from tests.policies.veil import fleet_of, hideable_of
from tests.strategies import SEVERAL_EFA, WORKERS, Described, Kind, Wanted, legal

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)


@settings(slowly, max_examples=400)
@given(fleets())
def test_no_rule_crashes_on_anything(fleet: Fleet) -> None:
    """Whatever a program says, however little of it is known, and though two things have one name."""
    judge(fleet)


def test_anything_is_of_every_type_that_is_judged() -> None:
    """One that is left out would be judged by rules that nobody tried on it."""
    assert {kind for rule in all_rules() for kind in rule.kinds} | set(PROGRAM_ONLY) <= set(KINDS)


# Less than everything.

HIDEABLE: dict[type, tuple[str, ...]] = {
    LaunchTemplate: (
        *("instance", "interfaces", "security_groups", "placement_group", "market_type"),
        *("http_tokens", "hop_limit", "root_encrypted", "user_data"),
    ),
    NodeGroup: (
        *("template", "subnets", "ami_type", "capacity_type", "nodes_min", "nodes_start", "nodes_max", "zero_at"),
        *("labels", "taints"),
    ),
    SecurityGroup: ("self_ingress", "self_egress"),
    ControlPlane: ("kubernetes", "subnets", "public_networks", "endpoint_public", "secrets_encrypted"),
    EksAddon: ("name", "version"),
    Addon: ("version", "chart", "values"),
    NetworkInterface: ("card", "device", "type", "security_groups", "public_ip"),
    CapacityTarget: ("reservation", "group"),
    ReservationGroup: ("configurations", "allowed", "members"),
    CapacityBlockPurchase: ("offering", "approved_by", "approved_offering", "platform"),
}
"""What a preview may not know. What is not set is known not to be."""


def hidden(thing: Any, hide: Any) -> Any:
    """A thing with some of its fields not yet known."""
    changes: dict[str, Any] = {name: UNKNOWN for name in hideable_of(thing, HIDEABLE) if hide()}
    if isinstance(thing, LaunchTemplate):
        nics = thing.interfaces if thing.interfaces is not UNKNOWN else ()
        made_of = {each for nic in nics if nic.security_groups is not UNKNOWN for each in nic.security_groups}
        made_of |= set(thing.security_groups if thing.security_groups is not UNKNOWN else ())
        changes["depends_on"] = frozenset(each for each in made_of if isinstance(each, Ref))
        changes["target"] = hidden(thing.target, hide)
        if "interfaces" not in changes:
            changes["interfaces"] = tuple(hidden(nic, hide) for nic in nics)
    return replace(thing, **changes) if changes else thing


@slowly
@given(legal(), st.randoms(use_true_random=False), st.floats(0, 1))
def test_not_knowing_is_no_fault(described: Described, random: Any, share: float) -> None:
    """However little of a legal fleet is known, nothing mandatory is found in it."""
    fleet = fleet_of(EksCluster, described)
    veiled = replace(fleet, objects=tuple(hidden(thing, lambda: random.random() < share) for thing in fleet.objects))
    found = [each for each in judge(veiled).findings if each.level is Level.MANDATORY]
    assert found == []


READ = [
    (LaunchTemplate, "instance"),
    (LaunchTemplate, "interfaces"),
    (LaunchTemplate, "http_tokens"),
    (LaunchTemplate, "hop_limit"),
    (LaunchTemplate, "root_encrypted"),
    (ControlPlane, "secrets_encrypted"),
    (NodeGroup, "template"),
    (NodeGroup, "subnets"),
    (NodeGroup, "nodes_min"),
    (NodeGroup, "nodes_start"),
    (NodeGroup, "nodes_max"),
    (SecurityGroup, "self_ingress"),
    (SecurityGroup, "self_egress"),
    (ControlPlane, "kubernetes"),
    (ControlPlane, "subnets"),
    (EksAddon, "name"),
    (EksAddon, "version"),
    (Addon, "chart"),
    (Addon, "values"),
]
"""What rules read of a group with AWS's interface layout."""


@pytest.mark.parametrize(("kind", "name"), READ, ids=lambda each: each if isinstance(each, str) else each.__name__)
@settings(slowly, max_examples=15)
@given(
    described=legal(
        Wanted(instances=SEVERAL_EFA, layouts=("aws",), kinds=(Kind.ON_DEMAND,), facts=True, joins=False, groups=0)
    )
)
def test_what_is_hidden_is_missed(kind: Any, name: str, described: Described) -> None:
    """Nothing passes in silence that could not be seen."""
    fleet = fleet_of(EksCluster, described)
    before = set(judge(fleet).not_evaluated)
    assert before == set()
    named = [each for each in fleet.of(kind) if each.ref.name in (WORKERS, "vpc-cni")]
    thing = named[0] if named else fleet.of(kind)[0]
    veiled = replace(thing, **{name: UNKNOWN})
    judgement = judge(replace(fleet, objects=tuple(veiled if each is thing else each for each in fleet.objects)))
    assert set(judgement.not_evaluated) - before
    assert {each.rule for each in judgement.findings} <= SAID_OF_LEGAL_ONES
