"""The order in which add-ons are installed, a graph of everything that is installed on a cluster, and what removing an
add-on deletes. Pure.

Uninstalling some add-ons deletes CRDs, and Kubernetes then deletes every object of their kinds: running jobs, queues
with all workloads that wait in them. Such an add-on stays on the cluster, with its role, unless the description has
`on-destroy: delete`; Pulumi only removes it from its state. Destroying the cluster deletes everything.

Its queues are deleted, whether they are removed alone or with the add-on: they can be created again, a queue that
stayed would offer the same nodes twice, and Pulumi's `retainOnDelete` cannot tell the two cases apart. Deleting a queue
in use ends no job: Kueue's finalizer keeps it until its last workload has ended, Volcano's webhook refuses to delete
one that has jobs; `pulumi up` then waits, or fails. Where the same stack destroys the cluster Pulumi does not delete
them (`deletedWith`). Namespaces stay.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from graphlib import TopologicalSorter
from typing import Any

from muster.addon_sheets import ADDONS
from muster.addons.addon import Addon, Chart, EksAddon, Json, Kustomization, Manifest, OwnObjects, Patched
from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext
from muster.addons.namespaces import claimed, of_claims
from muster.addons.releases import of_addon, of_chart
from muster.addons.values import runs_of, values_of, version_of, workloads_of
from muster.addons.workload import JobKind
from muster.blueprint.cluster import Blueprint
from muster.config.description.addons import Options, OtherChart


@dataclass(frozen=True, slots=True)
class InstallStep:
    """One add-on in the order of installation."""

    addon: Addon
    after: Mapping[str, str]
    """Chosen add-ons and EKS add-ons that come before it -> why."""
    before_nodes: str | None = None
    """Why it is installed before there are nodes; None where it waits for them."""


def install_order(context: AddonContext) -> tuple[InstallStep, ...]:
    """The chosen add-ons, each after those that it depends on: first those that come before nodes; otherwise in the
    order of the catalog.

    Raises:
        graphlib.CycleError: the catalog has a cycle, which is a bug.
    """
    chosen = [addon for name, addon in CATALOGUE.items() if context.has(name)]
    steps = {addon.name: InstallStep(addon, _before(addon, context), _before_nodes(addon, context)) for addon in chosen}
    steps = dict(sorted(steps.items(), key=lambda each: each[1].before_nodes is None))
    sorter = TopologicalSorter({name: [each for each in step.after if each in steps] for name, step in steps.items()})
    sorter.prepare()
    waiting, ordered = list(steps), []
    while sorter.is_active():
        ready = set(sorter.get_ready())
        for name in [each for each in waiting if each in ready]:
            ordered.append(steps[name])
            sorter.done(name)
    return tuple(ordered)


def _before(addon: Addon, context: AddonContext) -> Mapping[str, str]:
    others = [name for name in CATALOGUE if addon.last and not CATALOGUE[name].last]
    values = values_of(addon, context) if addon.needs_if else {}
    switched = {each.addon: each.why for each in addon.needs_if if each.is_on(values)}
    makers = {maker: _NAMESPACE for name, maker in of_claims(context).items() if name in claimed(addon.name, context)}
    makers.pop(addon.name, None)
    reasons = {**dict.fromkeys(others, addon.last or ""), **makers, **addon.after, **switched, **addon.needs}
    return {name: why for name, why in reasons.items() if context.has(name) or name in context.eks_addons}


def _before_nodes(addon: Addon, context: AddonContext) -> str | None:
    """Of HyperPod's nodes only: EKS's come first."""
    return addon.before_nodes if context.hyperpod else None


_ADDRESSES = "it assigns addresses to pods"
_SERVICES = "it routes traffic to services"
_ROLES = "pods get their AWS roles from it"
_NAMES = "pods find services by name, and the nodes run by then"
_NAMESPACE = "it makes the namespace of claims"
_FIRST = "nodes need the EKS add-ons first"
_BEFORE_ADDONS = "before-addons installs the chart before add-ons"
_NODES = "it is installed before the nodes, and this one after them"

OF_EKS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "eks-pod-identity-agent": ("gives pods their AWS roles", {}),
    "vpc-cni": ("assigns addresses of the VPC to pods; nodes need it to become Ready", {}),
    "kube-proxy": ("routes traffic to services; nodes need it to reach the Kubernetes API by its service", {}),
    "coredns": (
        "resolves names; it needs a node, and the others are installed before the nodes",
        {"vpc-cni": _ADDRESSES, "kube-proxy": _SERVICES, "eks-pod-identity-agent": _ROLES},
    ),
}
"""EKS add-on -> why a cluster has it, and what comes before it and why (`deploy`)."""

BEFORE_NODES: Mapping[str, str] = {
    "eks-pod-identity-agent": "the CNI gets its role from it",
    "vpc-cni": "a node needs its CNI to become Ready",
    "kube-proxy": "the CNI needs it to reach the Kubernetes API by its service",
}
"""EKS add-on -> why it is installed before there are nodes."""

KINDS: Mapping[type, str] = {
    Chart: "chart",
    Manifest: "manifest",
    Kustomization: "kustomization",
    EksAddon: "eks-addon",
    OwnObjects: "objects",
}


KEPT_KINDS = frozenset({"Namespace"})
"""Kinds of Muster's objects that are never deleted, because others also put objects into them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One add-on or chart, in the graph."""

    name: str
    version: str
    kind: str
    namespace: str
    reason: str
    """Why the cluster has it."""
    after: Mapping[str, str] = field(default_factory=dict)
    """Entries that come before it -> why."""
    serves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Group -> the devices that it offers on the group's nodes."""
    runs: tuple[JobKind, ...] = ()
    makes: tuple[Json, ...] = ()
    """The objects that Muster makes after it."""
    kubernetes: tuple[str, str | None] | None = None
    """The first and the last minor version that its project states; None where it states none."""
    address: str = ""
    """Of its chart or manifest."""
    loses: str | None = None
    """What uninstalling it deletes."""
    kept: bool = False
    """Whether it stays on the cluster when it is removed from the description."""
    before_nodes: str | None = None
    """Why it is installed before there are nodes; None where it waits for them."""
    controller: str | None = None
    """The GitOps tool that applies it; None where Pulumi installs it."""

    @property
    def deleted(self) -> tuple[str, ...]:
        """Muster's objects that go with the description's entry, also where the add-on stays: ``Queue research``."""
        return tuple(
            f"{each['kind']} {each['metadata']['name']}" for each in self.makes if each["kind"] not in KEPT_KINDS
        )

    @property
    def removal(self) -> str:
        """What happens where it is removed from the description, if uninstalling it deletes more than the add-on."""
        if not self.kept:
            return f"if you remove it, Muster uninstalls it, which deletes {self.loses}"
        beside = f", except {', '.join(self.deleted)}, which the description creates" if self.deleted else ""
        return f"if you remove it, it stays on the cluster{beside}, because uninstalling it deletes {self.loses}"


def graph(blueprint: Blueprint) -> tuple[Entry, ...]:
    """Everything that is installed on a cluster, in order."""
    context = AddonContext.of_blueprint(blueprint)
    own = tuple(_eks(blueprint))
    early = {each.name: _FIRST for each in own if each.before_nodes}
    first = tuple(_chosen(step, context, early) for step in install_order(context) if step.before_nodes)
    nodes = {each.name: _NODES for each in first}
    late = tuple(replace(each, after={**each.after, **nodes}) for each in own if not each.before_nodes)
    names = {each.name: _NAMES for each in late} or nodes
    early_charts = _others(context, names, before_addons=True)
    waited = {each.name: _BEFORE_ADDONS for each in early_charts} or names
    chosen = tuple(_chosen(step, context, waited) for step in install_order(context) if not step.before_nodes)
    before = {each.name: "other charts come after Muster's add-ons" for each in (*first, *chosen)} or waited
    others = _others(context, before, before_addons=False)
    return (*(each for each in own if each.before_nodes), *first, *late, *early_charts, *chosen, *others)


def _eks(blueprint: Blueprint) -> Iterator[Entry]:
    there = {str(each.name): each.version or "" for each in blueprint.eks_addons}
    for name, version in there.items():
        reason, before = OF_EKS.get(name, ("the description adds it", {}))
        after = {each: why for each, why in before.items() if each in there}
        why = BEFORE_NODES.get(name)
        yield Entry(name, version, KINDS[EksAddon], "kube-system", reason, after, before_nodes=why)


def _chosen(step: InstallStep, context: AddonContext, first: Mapping[str, str]) -> Entry:
    addon = step.addon
    options = context.chosen[addon.name]
    values, pin = values_of(addon, context), ADDONS[addon.name]
    return Entry(
        addon.name,
        version_of(addon, options),
        KINDS[type(addon.source)],
        addon.namespace,
        addon.reason,
        # It waits for what comes before all chosen add-ons, unless a chosen add-on before it has waited.
        step.after if any(context.has(name) for name in step.after) else {**step.after, **first},
        _served(addon, values, context),
        runs_of(addon, values),
        addon.objects(context),
        pin.kubernetes if version_of(addon, options) == pin.version else None,
        address(addon, options, context),
        addon.loses,
        addon.is_kept(options),
        step.before_nodes,
        options.controller,
    )


def _others(context: AddonContext, after: Mapping[str, str], *, before_addons: bool) -> tuple[Entry, ...]:
    charts = context.other_charts(before_addons=before_addons)
    return tuple(_other(release, chart, context, after) for release, chart in charts.items())


def _other(release: str, chart: OtherChart, context: AddonContext, after: Mapping[str, str]) -> Entry:
    reason = "a chart that the description adds"
    made = Entry(f"charts.{release}", chart.version, KINDS[Chart], chart.namespace, reason, after)
    return replace(made, address=of_chart(release, chart, context).address, controller=chart.controller)


def _served(addon: Addon, values: Mapping[str, Any], context: AddonContext) -> dict[str, tuple[str, ...]]:
    devices = dict.fromkeys((addon.serves, *(each.serves for each in workloads_of(addon, values))))
    found: dict[str, tuple[str, ...]] = {}
    for device in filter(None, devices):
        for nodes in context.offering(device):
            found[nodes.group] = (*found.get(nodes.group, ()), device)
    return found


def address(addon: Addon, options: Options, context: AddonContext) -> str:
    """The address of an add-on's chart or manifest: the chart mirror's, where there is one."""
    source, version = addon.source, version_of(addon, options)
    if isinstance(source, Chart):
        return of_addon(addon, context).address
    return source.address_of(version) if isinstance(source, Patched) else ""
