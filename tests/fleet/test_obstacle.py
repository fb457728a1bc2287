"""Why a pod cannot be on a node."""

from dataclasses import replace
from typing import Any

import pytest

from muster.extras.verify.observed import ObservedNode
from muster.fleet.resources import Taint
from muster.scheduling.matching import daemon_pods, unschedulable_reason

NODE = ObservedNode(
    "a", "workers", {"type": "p5", "size": "8"}, frozenset({Taint("gpu", "true", "NoSchedule")}), {}, {}, {}, "", False
)
ALL = [{"operator": "Exists"}]


def affinity(*expressions: dict[str, Any], field: str = "matchExpressions") -> dict[str, Any]:
    terms = [{field: [each]} for each in expressions]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    return {"tolerations": ALL, "affinity": {"nodeAffinity": required}}


def asks(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


@pytest.mark.parametrize(
    ("pods", "said"),
    [
        ({"tolerations": ALL}, ""),
        ({"tolerations": [{"key": "gpu", "operator": "Exists"}]}, ""),
        ({"tolerations": [{"key": "gpu", "value": "true"}]}, ""),
        ({"tolerations": [{"key": "gpu", "value": "true", "effect": "NoSchedule"}]}, ""),
        ({}, "it does not tolerate the taint gpu=true:NoSchedule"),
        ({"tolerations": [{"key": "gpu"}]}, "it does not tolerate the taint gpu=true:NoSchedule"),
        ({"tolerations": [{"key": "gpu", "value": "false"}]}, "it does not tolerate the taint gpu=true:NoSchedule"),
        (
            {"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoExecute"}]},
            "it does not tolerate the taint gpu=true:NoSchedule",
        ),
        ({"tolerations": ALL, "nodeSelector": {"type": "p5"}}, ""),
        ({"tolerations": ALL, "nodeSelector": {"type": "p4"}}, "its nodeSelector asks for type=p4, the node has p5"),
        (
            {"tolerations": ALL, "nodeSelector": {"zone": "a"}},
            "its nodeSelector asks for zone=a, the node has no such label",
        ),
        (affinity(asks("type", "In", "p4", "p5")), ""),
        (affinity(asks("type", "In", "p4"), asks("type", "In", "p5")), ""),
        (affinity(asks("type", "In", "p4")), "its affinity asks for type in p4, the node has p5"),
        (affinity(asks("type", "NotIn", "p5")), "its affinity asks for type not in p5, the node has p5"),
        (affinity(asks("zone", "NotIn", "a")), ""),
        (affinity(asks("type", "Exists")), ""),
        (affinity(asks("zone", "Exists")), "its affinity asks for zone set, the node has no such label"),
        (affinity(asks("zone", "DoesNotExist")), ""),
        (affinity(asks("type", "DoesNotExist")), "its affinity asks for type not set, the node has p5"),
        (affinity(asks("size", "Gt", "4")), ""),
        (affinity(asks("size", "Gt", "8")), "its affinity asks for size above 8, the node has 8"),
        (affinity(asks("size", "Lt", "9")), ""),
        (affinity(asks("type", "Lt", "9")), "its affinity asks for type below 9, the node has p5"),
        (affinity(asks("metadata.name", "In", "a"), field="matchFields"), ""),
        (affinity(asks("metadata.name", "In", "b"), field="matchFields"), "its affinity asks for metadata.name in b"),
        (
            affinity(asks("type", "In", "1", "2", "3", "4", "5", "6")),
            "its affinity asks for type in 1, 2, 3, 4 and 2 more, the node has p5",
        ),
        (affinity({}, field="nothing"), "its affinity asks for something no node has (an empty term)"),
        (affinity(), "its affinity asks for something no node has (no term at all)"),
    ],
)
def test_what_keeps_a_pod_away(pods: dict[str, Any], said: str) -> None:
    """As the scheduler reads it: terms are alternatives, what one asks for is all of it."""
    assert unschedulable_reason(NODE, pods) == said


def test_what_the_controller_tolerates_keeps_nothing_away() -> None:
    """Nor does a preference; a missing network keeps away those that need it."""
    kinds = ("not-ready", "unreachable", "disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")
    there = [Taint(f"node.kubernetes.io/{each}", "", "NoSchedule") for each in kinds]
    there += [Taint("node.kubernetes.io/not-ready", "", "NoExecute"), Taint("soft", "", "PreferNoSchedule")]
    assert unschedulable_reason(replace(NODE, taints=frozenset(there)), daemon_pods({})) == ""
    network = replace(NODE, taints=frozenset({Taint("node.kubernetes.io/network-unavailable", "", "NoSchedule")}))
    assert unschedulable_reason(network, daemon_pods({"hostNetwork": True})) == ""
    said = "it does not tolerate the taint node.kubernetes.io/network-unavailable:NoSchedule"
    assert unschedulable_reason(network, daemon_pods({})) == said


def test_who_is_of_no_daemon_set_is_kept_away_by_the_same_taints() -> None:
    """A Deployment's pod does not go where nothing is to be scheduled; its own tolerations are all it has."""
    cordoned = replace(NODE, taints=frozenset({Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")}))
    said = "it does not tolerate the taint node.kubernetes.io/unschedulable:NoSchedule"
    assert unschedulable_reason(cordoned, {}) == said
    assert unschedulable_reason(cordoned, daemon_pods({})) == ""
    assert unschedulable_reason(NODE, daemon_pods({"tolerations": ALL})) == ""
