"""In which order add-ons are installed, and everything that is installed on a cluster as a graph in it. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from graphlib import TopologicalSorter
from typing import Any

from addons.addon import Addon, Chart, EksAddon, Kustomization, Manifest, OwnObjects
from addons.catalogue import CATALOGUE
from addons.context import AddonContext
from addons.values import pin_of, runs_of, values_of, version_of, workloads_of
from addons.workload import JobKind
from muster.blueprint.kubernetes import Blueprint
from muster.config.description.addons import Options, OtherChart


@dataclass(frozen=True, slots=True)
class InstallStep:
    """One add-on, when its turn comes."""

    addon: Addon
    """In the form that was chosen."""
    after: Mapping[str, str]
    """What is there and comes before it -> why; EKS's own add-ons among them."""
    before_nodes: str | None = None
    """Why it stands before there are nodes; None where it waits for them."""


def install_order(site: AddonContext) -> tuple[InstallStep, ...]:
    """The chosen add-ons, each after all that it comes after: first what stands before there are nodes, and where that
    leaves a choice, as the catalogue has them.

    Raises:
        graphlib.CycleError: the catalogue has a circle, which is a bug of ours.
    """
    chosen = [addon.as_chosen(site.chosen[name]) for name, addon in CATALOGUE.items() if site.has(name)]
    turns = {addon.name: InstallStep(addon, _before(addon, site), _before_nodes(addon, site)) for addon in chosen}
    turns = dict(sorted(turns.items(), key=lambda each: each[1].before_nodes is None))
    sorter = TopologicalSorter({name: [each for each in turn.after if each in turns] for name, turn in turns.items()})
    sorter.prepare()
    waiting, ordered = list(turns), []
    while sorter.is_active():
        ready = set(sorter.get_ready())
        for name in [each for each in waiting if each in ready]:
            ordered.append(turns[name])
            sorter.done(name)
    return tuple(ordered)


def _before(addon: Addon, site: AddonContext) -> Mapping[str, str]:
    others = [name for name in CATALOGUE if addon.last and not CATALOGUE[name].last]
    said = {**dict.fromkeys(others, addon.last or ""), **addon.after, **addon.needs}
    return {name: why for name, why in said.items() if site.has(name) or name in site.eks_addons}


def _before_nodes(addon: Addon, site: AddonContext) -> str | None:
    """Nodes of EKS's own come first: what is said of HyperPod's is nothing to them."""
    return addon.before_nodes if site.hyperpod else None


_ADDRESSES = "pods get addresses by it"
_SERVICES = "services are reached by it"
_ROLES = "pods get their roles in AWS by it"
_NAMES = "pods find services by name, and nodes are there by then"
_FIRST = "EKS's own, which nodes need, are the beginning"
_NODES = "nodes are there by then, and are made after this one"

OF_EKS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "eks-pod-identity-agent": ("gives pods their roles in AWS", {}),
    "vpc-cni": ("gives pods addresses of the VPC: without it no node is Ready", {}),
    "kube-proxy": ("leads to services: without it no node reaches the API by its service", {}),
    "coredns": (
        "answers names; it needs a node, and the others are there before the nodes",
        {"vpc-cni": _ADDRESSES, "kube-proxy": _SERVICES, "eks-pod-identity-agent": _ROLES},
    ),
}
"""EKS's own add-on -> why a cluster has it, and what comes before it and why (`deploy`)."""

BEFORE_NODES: Mapping[str, str] = {
    "eks-pod-identity-agent": "the CNI has its role by it",
    "vpc-cni": "a node is not Ready before it has its CNI",
    "kube-proxy": "the CNI reaches the API by its service",
}
"""EKS's own add-on -> why it stands before there are nodes."""

KINDS: Mapping[type, str] = {
    Chart: "chart",
    Manifest: "manifest",
    Kustomization: "kustomization",
    EksAddon: "eks-addon",
    OwnObjects: "objects",
}


@dataclass(frozen=True, slots=True)
class OwnObject:
    """An object of our own."""

    api_version: str
    kind: str
    name: str
    namespace: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One add-on, when its turn comes."""

    name: str
    version: str
    kind: str
    namespace: str
    reason: str
    """Why the cluster has it."""
    after: Mapping[str, str] = field(default_factory=dict)
    """What comes before it -> why."""
    serves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Group -> the devices that it offers there."""
    runs: tuple[JobKind, ...] = ()
    makes: tuple[OwnObject, ...] = ()
    kubernetes: tuple[str, str | None] | None = None
    """The first and the last minor version that its project names; None where nobody said."""
    address: str = ""
    """Where its chart or manifest is."""
    loses: str | None = None
    """What goes with it when it is uninstalled."""
    kept: bool = False
    """Whether it stays when it is taken out of the description."""
    before_nodes: str | None = None
    """Why it stands before there are nodes; None where it waits for them."""


def graph(blueprint: Blueprint) -> tuple[Entry, ...]:
    """Everything of a cluster, each after all that it comes after."""
    site = AddonContext.of_blueprint(blueprint)
    own = tuple(_eks(blueprint))
    early = {each.name: _FIRST for each in own if each.before_nodes}
    first = tuple(_chosen(turn, site, early) for turn in install_order(site) if turn.before_nodes)
    nodes = {each.name: _NODES for each in first}
    late = tuple(replace(each, after={**each.after, **nodes}) for each in own if not each.before_nodes)
    names = {each.name: _NAMES for each in late} or nodes
    chosen = tuple(_chosen(turn, site, names) for turn in install_order(site) if not turn.before_nodes)
    before = {each.name: "other charts come after Muster's add-ons" for each in (*first, *chosen)} or names
    others = tuple(_other(release, chart, site, before) for release, chart in site.charts.items())
    return (*(each for each in own if each.before_nodes), *first, *late, *chosen, *others)


def _eks(blueprint: Blueprint) -> Iterator[Entry]:
    there = {str(each.name): str(each.version) for each in blueprint.eks_addons}
    for name, version in there.items():
        reason, before = OF_EKS[name]
        after = {each: why for each, why in before.items() if each in there}
        why = BEFORE_NODES.get(name)
        yield Entry(name, version, KINDS[EksAddon], "kube-system", reason, after, before_nodes=why)


def _chosen(turn: InstallStep, site: AddonContext, first: Mapping[str, str]) -> Entry:
    addon = turn.addon
    options = site.chosen[addon.name]
    values, pin = values_of(addon, site), pin_of(addon, options)
    return Entry(
        addon.name,
        version_of(addon, options),
        KINDS[type(addon.source)],
        addon.namespace,
        addon.reason,
        # Each waits for what is there before all of ours; after another of ours it has waited.
        turn.after if any(site.has(name) for name in turn.after) else {**turn.after, **first},
        _served(addon, values, site),
        runs_of(addon, values),
        tuple(_made(each) for each in addon.objects(site)),
        pin.kubernetes if version_of(addon, options) == pin.version else None,
        address(addon, options, site),
        addon.loses,
        addon.is_kept(options),
        turn.before_nodes,
    )


def _other(release: str, chart: OtherChart, site: AddonContext, after: Mapping[str, str]) -> Entry:
    reason = "a chart of the description's own"
    where = chart_address(chart.repository, chart.chart, site)
    return Entry(f"charts.{release}", chart.version, KINDS[Chart], chart.namespace, reason, after, address=where)


def _served(addon: Addon, values: Mapping[str, Any], site: AddonContext) -> dict[str, tuple[str, ...]]:
    devices = dict.fromkeys((addon.serves, *(each.serves for each in workloads_of(addon, values))))
    found: dict[str, tuple[str, ...]] = {}
    for device in filter(None, devices):
        for nodes in site.offering(device):
            found[nodes.group] = (*found.get(nodes.group, ()), device)
    return found


def _made(thing: Mapping[str, Any]) -> OwnObject:
    metadata = thing["metadata"]
    return OwnObject(thing["apiVersion"], thing["kind"], metadata["name"], metadata.get("namespace"))


def address(addon: Addon, options: Options, site: AddonContext) -> str:
    """Where an add-on's chart or manifest is taken from: the chart mirror's, where there is one."""
    source, version = addon.source, version_of(addon, options)
    if isinstance(source, Chart):
        return chart_address(source.repository, source.name, site)
    if isinstance(source, Manifest):
        return source.address_of(version)
    return source.base_of(version) if isinstance(source, Kustomization) else ""


def chart_address(repository: str, name: str, site: AddonContext) -> str:
    """A chart of a registry by its whole address; one of an index by the index's and its name."""
    where = (site.mirrors.charts or repository).rstrip("/")
    return f"{where}/{name}"
