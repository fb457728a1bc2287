"""Nodes for the pods of add-ons that are no device plugins."""

from collections.abc import Iterator

from addons.addon import Addon as Known
from addons.values import workloads_of
from addons.workload import Workload
from muster.fleet.resources import Addon, ControlPlane, Fleet
from muster.unknown import UNKNOWN, has_unknown
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.device_plugins import labelled_node_kinds, labelled_node_kinds_of, offers_device
from policies.lookups.installed_addons import catalogued
from policies.lookups.scheduling import NodeKind, Schedulable, schedulable


@rule(
    "addon-pods-have-nodes",
    title="A node of the cluster takes the pods of each add-on",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="An operator that no node takes stays Pending, and its webhooks refuse what they guard: with Kueue's, every "
    "job. An exporter that is kept off the nodes with GPUs shows none of them, without any error.",
    source="Kubernetes, Assigning Pods to Nodes; addons/, from the projects' own charts",
    remedy="Let nodeSelector, affinity and tolerations of the values choose a group's nodes.",
    facts=("addons.md#surprises-2",),
)
def addon_pods_have_nodes(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    if known is None or addon.values is UNKNOWN or has_unknown(addon.values) or not _all_nodes_are_known(fleet):
        return
    spots = labelled_node_kinds(fleet)
    for workload in workloads_of(known, addon.values):
        for off in _kept_off(workload, known, spots, fleet):
            got = f"the pods of {workload.name} run on no node of {and_list(sorted({spot.name for spot in off}))}"
            remedy = f"let {_placement_of(workload, off)} of its values choose these nodes, or leave it out"
            yield rule.finding(addon.place, at="values", got=got, remedy=remedy)


def _all_nodes_are_known(fleet: Fleet) -> bool:
    """Whether the cluster has no other nodes (an existing cluster's, another program's, Karpenter's), and all types are
    known."""
    existing = any(plane.existing for plane in fleet.of(ControlPlane))
    groups = fleet.kubernetes_groups
    described = bool(groups) and all(group.purpose is not None for group in groups)
    if any("karpenter" in str(each.chart) for each in fleet.of(Addon)):
        return False
    return described and not existing and all(labelled_node_kinds_of(group, fleet) for group in groups)


def _kept_off(
    workload: Workload, known: Known, spots: tuple[NodeKind, ...], fleet: Fleet
) -> Iterator[tuple[NodeKind, ...]]:
    """The nodes that should take the pods, where none of them does: any for a Deployment, those with the device for an
    exporter."""
    if workload.kind == "Deployment":
        tolerated = tuple(spot for spot in spots if _takes({"tolerations": workload.placement.tolerations}, spot))
        # Where every group is tainted, untainted-group reports it.
        if tolerated and not any(_takes(workload.placement.pod_spec, spot) for spot in spots):
            yield tolerated
    elif known.exports is not None:
        having = tuple(spot for spot in spots if offers_device(spot, known.exports, fleet))
        if having and not any(_takes(workload.placement.pod_spec, spot) for spot in having):
            yield having


def _takes(pod_spec: dict[str, object], spot: NodeKind) -> bool:
    return schedulable(pod_spec, spot) is not Schedulable.NO


def _placement_of(workload: Workload, off: tuple[NodeKind, ...]) -> str:
    """The fields that keep its pods off."""
    placement = workload.placement
    if not any(_takes({"tolerations": placement.tolerations}, spot) for spot in off):
        return "tolerations"
    selects = placement.node_selector and not any(
        _takes({"nodeSelector": placement.node_selector}, spot) for spot in off
    )
    return "nodeSelector" if selects else "nodeSelector, affinity and tolerations"
