"""Somewhere for CoreDNS and the operators to run."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet, NodeGroup
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "untainted-group",
    title="A cluster has a node that ordinary pods may run on, from the start",
    judges=ControlPlane,
    why="CoreDNS, operators and job launchers tolerate no accelerator's taint. With tainted groups only, CoreDNS never "
    "becomes active and the deployment hangs while the nodes bill.",
    source="EKS user guide, managing-coredns; charts and manifests of the operators (no tolerations)",
    remedy="Add a system group.",
    facts=("addons.md#surprises-2",),
)
def untainted_group(plane: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = fleet.of(NodeGroup)
    if plane.existing:
        return  # it has had its CoreDNS, and nodes for it, before
    # A foreign program may make groups that are not seen here (Karpenter, another project).
    if not groups or any(group.purpose is None for group in groups):
        return
    open_to_all = [group for group in groups if all(taint.effect == "PreferNoSchedule" for taint in group.taints)]
    if open_to_all and all(group.nodes_start == 0 for group in open_to_all):
        one = open_to_all[0]
        yield rule.finding(
            one.place,
            at="nodes.start",
            got=f"no node for ordinary pods at first: {some(each.ref.name for each in open_to_all)} start with 0",
            remedy="start with 1 at least: CoreDNS waits for a node, and the deployment for CoreDNS",
        )
    elif not open_to_all:
        yield rule.finding(
            plane.place,
            at="groups",
            got=f"every group is tainted ({some(group.ref.name for group in groups)})",
            remedy="add a group `system: {for: system, instance: c5.2xlarge, nodes: 1}`",
        )
