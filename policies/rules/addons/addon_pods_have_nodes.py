"""Nodes for the pods of add-ons that are not device plugins."""

from collections.abc import Iterator

from muster.addons.addon import Addon as Known
from muster.addons.values import workloads_of
from muster.addons.workload import Workload
from muster.fleet.resources import Addon, ControlPlane, Fleet
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.device_plugins import labelled_node_kinds, labelled_node_kinds_of, offers_device
from muster.policies.lookups.installed_addons import catalogued
from muster.policies.lookups.pod_placement import NodeKind, Schedulable, schedulable
from muster.unknown import has_unknown, stored


def addon_pods_have_nodes(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    if known is None or not _all_nodes_are_known(fleet) or has_unknown(addon.values):
        return
    spots = labelled_node_kinds(fleet)
    for workload in workloads_of(known, addon.values):
        for off in _kept_off(workload, known, spots, fleet):
            got = f"the pods of {workload.name} cannot run on any node of {and_list({spot.name for spot in off})}"
            remedy = f"change {_placement_of(workload, off)} in its values so that they can, or remove the add-on"
            yield rule.finding(addon, "values", got=got, change=remedy)


@cached_by_identity(4)
def _all_nodes_are_known(fleet: Fleet) -> bool:
    """Whether the cluster has no other nodes (an existing cluster's, another program's, Karpenter's), and all types are
    known."""
    existing = any(plane.existing for plane in fleet.of(ControlPlane))
    groups = fleet.kubernetes_groups
    described = bool(groups) and all(group.purpose is not None for group in groups)
    if any("karpenter" in str(stored(each, "chart")) for each in fleet.of(Addon)):
        return False
    return described and not existing and all(labelled_node_kinds_of(group, fleet) for group in groups)


def _kept_off(
    workload: Workload, known: Known, spots: tuple[NodeKind, ...], fleet: Fleet
) -> Iterator[tuple[NodeKind, ...]]:
    """The nodes that the pods should run on, if they can run on none of them: any for a Deployment, those with the
    device for an exporter."""
    if workload.kind == "Deployment":
        tolerated = tuple(spot for spot in spots if _takes({"tolerations": workload.placement.tolerations}, spot))
        # If every group is tainted, untainted-group reports it.
        if tolerated and not any(_takes(workload.placement.pod_spec, spot) for spot in spots):
            yield tolerated
    elif known.exports is not None:
        having = tuple(spot for spot in spots if offers_device(spot, known.exports, fleet))
        if having and not any(_takes(workload.placement.pod_spec, spot) for spot in having):
            yield having


def _takes(pod_spec: dict[str, object], spot: NodeKind) -> bool:
    return schedulable(pod_spec, spot) is not Schedulable.NO


def _placement_of(workload: Workload, off: tuple[NodeKind, ...]) -> str:
    """The fields that exclude its pods from the nodes."""
    placement = workload.placement
    if not any(_takes({"tolerations": placement.tolerations}, spot) for spot in off):
        return "tolerations"
    selects = placement.node_selector and not any(
        _takes({"nodeSelector": placement.node_selector}, spot) for spot in off
    )
    return "nodeSelector" if selects else "nodeSelector, affinity and tolerations"
