"""Compares what a blueprint expects with what was seen of its cluster. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from muster.fleet.finding import Finding, NotEvaluated
from muster.fleet.hyperpod.health import NODE_HEALTH
from muster.fleet.labels import INSTANCE_TYPE, ZONE
from muster.live import efa_pods, efa_ready, hyperpod_nodes, nodes, offers, plugins
from muster.live.checks import gathered
from muster.live.efa_ready import Condition
from muster.live.expectations import Expectations, Group
from muster.live.nodes import MONITORED
from muster.live.seen import Node, Seen


@dataclass(frozen=True, slots=True)
class GroupState:
    """One group, planned and seen."""

    group: Group
    nodes: tuple[Node, ...]

    @property
    def ready(self) -> int:
        """How many of its nodes are."""
        return sum(node.ready for node in self.nodes)

    @property
    def checked(self) -> int:
        """On how many of them HyperPod's deep health checks run."""
        return sum(map(hyperpod_nodes.is_checked, self.nodes)) if self.group.hyperpod else 0


@dataclass(frozen=True, slots=True)
class Verification:
    """The whole outcome, sorted."""

    groups: tuple[GroupState, ...]
    strangers: tuple[Node, ...]
    """Nodes of no group of the description: told, not faulted."""
    findings: tuple[Finding, ...]
    not_evaluated: tuple[NotEvaluated, ...]
    efa_ready: Mapping[str, tuple[Condition, ...]]


def verify(expected: Expectations, seen: Seen) -> Verification:
    """Every way in which the cluster is not as expected, each told once, where its cause is."""
    states = plugins.states(expected, seen)
    found = [
        *nodes.deviations(expected, seen),
        *offers.deviations(expected, seen, plugins.unserved(states)),
        *plugins.deviations(expected, seen, states),
        *efa_pods.deviations(expected, seen),
    ]
    lists = efa_ready.judged(expected, seen, states, found)
    return Verification(
        groups=tuple(GroupState(group, seen.of_group(group.name)) for group in expected.groups),
        strangers=tuple(node for node in seen.nodes if node.group is None),
        findings=gathered(found),
        not_evaluated=tuple(sorted({*_unseen(expected, seen), *efa_ready.not_evaluated(lists)})),
        efa_ready=lists,
    )


def _unseen(expected: Expectations, seen: Seen) -> set[NotEvaluated]:
    """What a look at these nodes cannot say."""
    unseen = set()
    for group in expected.groups:
        joined = seen.of_group(group.name)
        lacking = {
            "node-zone": (f"the label {ZONE}", [node for node in joined if not node.zone]),
            "node-instance-type": (
                f"the label {INSTANCE_TYPE}",
                [node for node in joined if not node.instance],
            ),
            "node-healthy": _unsaid(group, joined),
        }
        unseen |= {NotEvaluated(check, group.where, what) for check, (what, without) in lacking.items() if without}
    return unseen


def _unsaid(group: Group, joined: tuple[Node, ...]) -> tuple[str, list[Node]]:
    """Who would have said how healthy a node is, and the nodes that it did not look at."""
    if group.hyperpod:
        return f"the label {NODE_HEALTH}, which HyperPod sets", [n for n in joined if NODE_HEALTH not in n.labels]
    return (
        "the EKS node monitoring agent (add-on eks-node-monitoring-agent), which finds faults of GPUs",
        [node for node in joined if group.accelerator and not node.conditions.keys() & set(MONITORED)],
    )
