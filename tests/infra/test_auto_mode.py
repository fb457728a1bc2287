"""Groups whose nodes EKS Auto Mode creates: the whole of their objects, and the law on every kind of capacity."""

from typing import Any

import pytest

from muster.blueprint.cluster import Blueprint
from muster.offline.recording import Recording
from muster.policies.engine.judgement import judge
from muster.policies.views.fleet import differences
from tests.factories import CR, a_document, edited
from tests.offline.test_law import both_readings, contradictions, recorded
from tests.strategies import Described

GROUP = {"for": "training", "instance": "g5.12xlarge", "nodes": 4, "provisioned-by": "auto-mode"}
HELD = {"zone": "us-west-2a", "count": 4}
RESERVATION = {"reservation": {"id": CR, "provided-by": "you", "placement-group": "ours", **HELD}}
BLOCK = {"capacity-block": {"id": CR, **HELD, "starts": "2026-12-01", "ends": "2026-12-15"}}


def described(**edits: Any) -> Described:
    """A cluster whose workers EKS Auto Mode creates; keys of the workers are written with underscores."""
    group = {**GROUP, **{key.replace("_", "-"): value for key, value in edits.items()}}
    return Described(edited(a_document(), {"groups.workers": group}), "us-west-2")


def recording(**edits: Any) -> tuple[Blueprint, Recording]:
    return recorded(described(**edits), preview=False)


CAPACITIES: dict[str, Any] = {
    "on-demand": {"zone": "us-west-2a"},
    "two zones": {"for": "inference"},
    "spot": {"capacity": {"spot": {"interruptions-accepted": True}}},
    "a reservation": {"capacity": RESERVATION},
    "a Capacity Block": {"capacity": BLOCK, "instance": "p5.48xlarge"},
    "no accelerators": {"instance": "c5.2xlarge"},
    "several EFA interfaces": {"instance": "p5.48xlarge", "capacity": RESERVATION},
    "no EFA": {"instance": "p5.48xlarge", "interfaces": "plain"},
    "own security groups": {"security_groups": ["sg-0123456789abcdef0"]},
    "a former name": {"capacity": RESERVATION, "was": "gpus"},
}


@pytest.mark.parametrize("edits", CAPACITIES.values(), ids=CAPACITIES)
def test_what_is_registered_is_what_was_derived(edits: dict[str, Any]) -> None:
    """Known ids give exactly the blueprint; a preview says nothing else."""
    cluster = described(**edits)
    blueprint, found = recorded(cluster, preview=False)
    registered, derived = both_readings(blueprint, found, cluster)
    assert differences(registered, derived) == ()
    assert judge(registered).findings == judge(derived).findings
    seen, meant = both_readings(*recorded(cluster, preview=True), cluster)
    assert contradictions(seen, meant) == []
    assert set(judge(seen).findings) <= set(judge(meant).findings)


@pytest.mark.parametrize(
    ("interfaces", "pods", "offers"),
    [("plain", 110, {"nvidia.com/gpu": 4}), ("aws", 16, {"nvidia.com/gpu": 4, "vpc.amazonaws.com/efa": 1})],
)
def test_a_node_has_at_most_110_pods_and_with_efa_those_of_one_prefix(
    interfaces: str, pods: int, offers: dict[str, int]
) -> None:
    """Its image has the device plugins, and it reserves no huge pages."""
    blueprint, _ = recording(interfaces=interfaces)
    group = blueprint.group("workers")
    assert (group.node.allocatable.pods, group.node.offers, group.node.huge_pages.mib) == (pods, offers, 0)
    assert group.described.family == "bottlerocket"
