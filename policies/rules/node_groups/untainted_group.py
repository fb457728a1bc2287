"""Nodes on which CoreDNS and the operators can run."""

from collections.abc import Iterable, Iterator
from functools import partial

from muster.edits import raise_to, set_to
from muster.fleet.resources import ControlPlane, Fleet, InstanceGroup
from muster.fleet.resources.fleet import KubernetesGroup
from muster.hardware.catalogue import Accelerator
from muster.hardware.default_types import EKS_SYSTEM_NODES, HYPERPOD_SYSTEM_NODES
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.machines import machines_of
from muster.unknown import any_of


def untainted_group(plane: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = fleet.kubernetes_groups
    if plane.existing:
        return  # it already has CoreDNS, and nodes for it
    # A foreign program may have other groups (Karpenter, another project).
    if not groups or any(group.purpose is None for group in groups):
        return
    if any_of(*(partial(_takes_pods, group, fleet) for group in groups)):
        return
    open_to_all = [group for group in groups if _is_open(group)]
    begun = [group for group in open_to_all if group.nodes_start != 0]
    if open_to_all and not begun:
        one = open_to_all[0]
        got = (
            f"the cluster starts without a node for ordinary pods: "
            f"{and_list(each.ref.name for each in open_to_all)} "
            f"{singular_or_plural(open_to_all, 'starts', 'start')} with 0 nodes"
        )
        yield rule.finding(
            one, "nodes" if isinstance(one, InstanceGroup) else "nodes.start", got=got, change=raise_to(1)
        )
    elif begun:
        one = begun[0]
        checked = and_list(group.ref.name for group in begun)
        yield rule.finding(
            one,
            "hyperpod.deep-health-checks",
            got="the cluster has no node for ordinary pods for about two hours: deep health checks first run on "
            f"{checked}",
            change=f"add a group `system: {{for: system, instance: {HYPERPOD_SYSTEM_NODES}, nodes: 3}}`: HyperPod does "
            "not run these checks on nodes without accelerators",
        )
    else:
        name = "system" if all(group.ref.name != "system" for group in groups) else "ordinary-pods"
        system = {"for": "system", "instance": _small(groups), "nodes": 1}
        got = f"every group is tainted ({and_list(group.ref.name for group in groups)})"
        yield rule.finding(plane, "groups", got=got, change=set_to(system, at=f"/groups.{name}"))


def _small(groups: Iterable[KubernetesGroup]) -> str:
    """A type for a system group; one that HyperPod supports, if HyperPod runs the nodes."""
    return HYPERPOD_SYSTEM_NODES if any(isinstance(each, InstanceGroup) for each in groups) else EKS_SYSTEM_NODES


def _takes_pods(group: KubernetesGroup, fleet: Fleet) -> bool:
    """Whether it has nodes for ordinary pods from the start."""
    return _is_open(group) and group.nodes_start != 0 and not _is_checked_first(group, fleet)


def _is_open(group: KubernetesGroup) -> bool:
    return all(taint.effect == "PreferNoSchedule" for taint in group.taints)


def _is_checked_first(group: KubernetesGroup, fleet: Fleet) -> bool:
    """Whether HyperPod taints every new node of it while it checks the node: never instances without accelerators."""
    if not isinstance(group, InstanceGroup) or not group.deep_checks:
        return False
    return all(machine.accelerator is not Accelerator.NONE for machine in machines_of(group, fleet))
