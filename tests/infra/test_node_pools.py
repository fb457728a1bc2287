"""Groups whose nodes Karpenter or EKS Auto Mode creates: the law on every kind of capacity."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.policies.engine.judgement import judge
from muster.policies.views.fleet import differences
from tests.factories import CR, a_document, edited
from tests.offline.test_law import both_readings, contradictions, recorded
from tests.strategies import Described, bought

HELD = {"zone": "us-west-2a", "count": 4}
DATES = {"starts": "2026-12-01", "ends": "2026-12-15"}
RESERVATION = {"reservation": {"id": CR, "provided-by": "you", **HELD}}
BLOCK = {"capacity-block": {"id": CR, **HELD, **DATES}}
CAPACITIES: Mapping[str, dict[str, Any]] = {
    "on-demand": {"zone": "us-west-2a"},
    "spot": {"zone": "us-west-2a", "capacity": {"spot": {"interruptions-accepted": True}}},
    "two zones without EFA": {"interfaces": "plain", "for": "inference"},
    "a reservation": {"capacity": RESERVATION},
    "a Capacity Block": {"capacity": BLOCK},
    "own security groups": {"capacity": RESERVATION, "security-groups": ["sg-0123456789abcdef0"]},
    "a former name": {"capacity": RESERVATION, "was": "gpus"},
}
ALONE: Mapping[str, Mapping[str, dict[str, Any]]] = {
    "karpenter": {
        "a block to buy": {"capacity": {"capacity-block": {"buy": bought(1), **HELD, **DATES}}},
        "Bottlerocket": {"capacity": RESERVATION, "image": "bottlerocket"},
        "an image by id": {"capacity": RESERVATION, "image": {"custom": {"id": "ami-0123456789abcdef0"}}},
        "an image by parameter": {"capacity": RESERVATION, "image": {"custom": {"ssm": "/teams/ml/images/2026-11"}}},
        "no huge pages": {"zone": "us-west-2a", "huge-pages": "0MiB"},
    },
    "auto-mode": {
        "one EFA interface": {"instance": "g5.12xlarge", "capacity": RESERVATION},
        "no accelerators": {"instance": "c5.2xlarge"},
    },
}
CASES = [(by, name, said) for by, own in ALONE.items() for name, said in {**CAPACITIES, **own}.items()]


def described(by: str, said: Mapping[str, Any]) -> Described:
    """A cluster whose workers somebody else than node groups creates."""
    group = {"for": "training", "instance": "p5.48xlarge", "nodes": 4, "provisioned-by": by, **said}
    more = {"addons.karpenter": {}} if by == "karpenter" else {}
    return Described(edited(a_document(), {"groups.workers": group, **more}), "us-west-2")


@pytest.mark.parametrize(("by", "name", "said"), CASES, ids=[f"{by}: {name}" for by, name, _ in CASES])
def test_what_is_registered_is_what_was_derived(by: str, name: str, said: dict[str, Any]) -> None:
    """Known ids give exactly the blueprint; a preview says nothing else."""
    cluster = described(by, said)
    registered, derived = both_readings(*recorded(cluster, preview=False), cluster)
    assert differences(registered, derived) == ()
    assert judge(registered).findings == judge(derived).findings
    seen, meant = both_readings(*recorded(cluster, preview=True), cluster)
    assert contradictions(seen, meant) == []
    assert set(judge(seen).findings) <= set(judge(meant).findings)


@pytest.mark.parametrize(
    ("interfaces", "pods", "offers"),
    [("plain", 110, {"nvidia.com/gpu": 4}), ("aws", 16, {"nvidia.com/gpu": 4, "vpc.amazonaws.com/efa": 1})],
)
def test_a_node_of_auto_mode_has_at_most_110_pods_and_with_efa_those_of_one_prefix(
    interfaces: str, pods: int, offers: dict[str, int]
) -> None:
    """Its image has the device plugins, and it reserves no huge pages."""
    said = {"instance": "g5.12xlarge", "interfaces": interfaces, "zone": "us-west-2a"}
    group = described("auto-mode", said).blueprint().group("workers")
    assert (group.node.allocatable.pods, group.node.offers, group.node.huge_pages.mib) == (pods, offers, 0)
    assert group.described.family == "bottlerocket"
