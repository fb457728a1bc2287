"""Compares the expectations of a blueprint with the observed cluster. Pure."""

from dataclasses import dataclass

from muster.blueprint.hyperpod.node_labels import NODE_HEALTH
from muster.blueprint.labels import INSTANCE_TYPE, ZONE
from muster.finding import Finding, NotEvaluated
from muster.verify import efa, nodes, plugins
from muster.verify.checks import merge_deviations
from muster.verify.expected import Expectations, ExpectedGroup
from muster.verify.nodes import MONITORED
from muster.verify.observed import ObservedCluster, ObservedNode


@dataclass(frozen=True, slots=True)
class GroupState:
    """One group, planned and observed."""

    group: ExpectedGroup
    nodes: tuple[ObservedNode, ...]

    @property
    def ready(self) -> int:
        """The number of its ready nodes."""
        return sum(node.ready for node in self.nodes)

    @property
    def checked(self) -> int:
        """The number of its nodes on which HyperPod's deep health checks run."""
        return sum(map(nodes.is_checked, self.nodes)) if self.group.hyperpod else 0


@dataclass(frozen=True, slots=True)
class Verification:
    """The whole result, sorted."""

    groups: tuple[GroupState, ...]
    strangers: tuple[ObservedNode, ...]
    """Nodes outside the groups of the description. They are reported, but are not findings."""
    findings: tuple[Finding, ...]
    not_evaluated: tuple[NotEvaluated, ...]


def verify(expected: Expectations, seen: ObservedCluster) -> Verification:
    """All deviations of the cluster from the expectations, each once, at its cause."""
    states = plugins.plugin_states(expected, seen)
    found = [
        *nodes.node_deviations(expected, seen, plugins.unserved_devices(states)),
        *plugins.plugin_deviations(expected, seen, states),
        *efa.efa_pod_deviations(expected, seen),
    ]
    return Verification(
        groups=tuple(GroupState(group, seen.of_group(group.name)) for group in expected.groups),
        strangers=tuple(node for node in seen.nodes if node.group is None),
        findings=merge_deviations(found),
        not_evaluated=tuple(sorted({*_unseen(expected, seen), *efa.not_evaluated(expected)})),
    )


def _unseen(expected: Expectations, seen: ObservedCluster) -> set[NotEvaluated]:
    """The values that the lists do not contain for these nodes."""
    unseen = set()
    for group in expected.groups:
        joined = seen.of_group(group.name)
        lacking = {
            "node-zone": (f"the label {ZONE}", [node for node in joined if not node.zone]),
            "node-instance-type": (
                f"the label {INSTANCE_TYPE}",
                [node for node in joined if not node.instance],
            ),
            "node-healthy": _without_health(group, joined),
        }
        unseen |= {NotEvaluated(check, group.where, what) for check, (what, without) in lacking.items() if without}
    return unseen


def _without_health(group: ExpectedGroup, joined: tuple[ObservedNode, ...]) -> tuple[str, list[ObservedNode]]:
    """The source that reports the health of nodes, and the nodes without its report."""
    if group.hyperpod:
        return f"the label {NODE_HEALTH}, which HyperPod sets", [n for n in joined if NODE_HEALTH not in n.labels]
    return (
        "the reports of the EKS node monitoring agent (add-on eks-node-monitoring-agent), which finds faults of GPUs",
        [node for node in joined if group.node.hardware.resource_name and not node.conditions.keys() & set(MONITORED)],
    )
