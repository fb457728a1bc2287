"""The add-ons of a fleet, which parts each brings, and which are of Muster's catalogue."""

from collections.abc import Iterator, Mapping
from typing import Any

from addons.addon import Addon as Known
from addons.catalogue import CATALOGUE
from muster.fleet.resources import Addon, EksAddon, Fleet
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.unknown import UNKNOWN, has_unknown
from policies.lookups.chart_contents import BUNDLES, AddonPart, PartKind, hyperpod
from policies.lookups.identity_cache import cached_by_identity

HYPERPOD_CHARTS = ("hyperpod-helm-chart", "HyperPodHelmChart")
"""The names that HyperPod's chart goes by: its own, and its folder's."""

_BUNDLES = {**BUNDLES, **dict.fromkeys(HYPERPOD_CHARTS, hyperpod)}

Installed = Addon | EksAddon


@cached_by_identity(256)
def parts_of(addon: Installed) -> tuple[tuple[AddonPart, ...], str]:
    """What an add-on brings of all that rules know, and what is missing to say so."""
    chart: Any = name_of(addon)
    if chart is UNKNOWN:
        manifest = isinstance(addon, Addon) and addon.kind is AddonKind.MANIFEST
        return (), f"which {'manifest' if manifest else 'chart'} it is, not known before creation"
    bundle = _BUNDLES.get(chart)
    if bundle is None:
        return (), ""
    seen = _as_addon(addon)
    if seen.values is UNKNOWN or has_unknown(seen.values):
        return (), f"the values of {chart}, not known before creation"
    odd = f"the values of {chart}, which have not the form that the chart takes"
    try:
        found = tuple(bundle(seen, seen.values))
    except (AttributeError, KeyError, TypeError):
        return (), odd
    return (found, "") if all(_is_placement(pod) for part in found for pod in part.pods) else ((), odd)


def _is_placement(pod: Mapping[str, Any]) -> bool:
    """Whether what says where pods may be has the form that Kubernetes takes."""
    tolerations = pod.get("tolerations") or []
    blocks = (pod.get("nodeSelector") or {}, pod.get("affinity") or {})
    listed = isinstance(tolerations, list) and all(isinstance(each, Mapping) for each in tolerations)
    return listed and all(isinstance(each, Mapping) for each in blocks)


def _as_addon(addon: Installed) -> Addon:
    """An EKS add-on of another program as one of ours."""
    if isinstance(addon, Addon):
        return addon
    return Addon(addon.ref, addon.version, addon.place, AddonKind.EKS_ADDON, addon.name, {})


def source_kind(addon: Installed) -> str:
    """How an add-on comes, in words: ``chart kueue``, ``EKS add-on``, ``manifest``."""
    if by_eks(addon):
        return "EKS add-on"
    return f"chart {addon.chart}" if isinstance(addon, Addon) and addon.kind is AddonKind.CHART else "manifest"


def by_eks(addon: Installed) -> bool:
    """Whether EKS installs it: it has each name once on a cluster, so that two are on two clusters."""
    return isinstance(addon, EksAddon) or addon.kind is AddonKind.EKS_ADDON


def name_of(addon: Installed) -> object:
    """The chart's name, whoever installs it, or EKS's."""
    return addon.name if isinstance(addon, EksAddon) else addon.chart


def parts(fleet: Fleet, *what: PartKind) -> Iterator[AddonPart]:
    """The parts of these kinds of all add-ons."""
    for addon in ordered_addons(fleet):
        yield from (part for part in parts_of(addon)[0] if part.what in what)


@cached_by_identity(4)
def ordered_addons(fleet: Fleet) -> tuple[Installed, ...]:
    """All add-ons: Muster's own before other charts (those with `before-addons` excepted), and all by name. It is the
    same however they were read."""
    every: list[Installed] = [*fleet.of(Addon), *fleet.of(EksAddon)]
    order = sorted(every, key=lambda each: (comes_last(each), each.place.resource, each.ref.name))
    return tuple(order)


def comes_last(addon: Installed) -> bool:
    """Whether it is a chart of the description's own that is installed after Muster's add-ons."""
    early = isinstance(addon, Addon) and addon.before_addons
    return ".charts." in addon.place.resource and not early


def earlier_parts(part: AddonPart, fleet: Fleet, *what: PartKind) -> tuple[AddonPart, ...]:
    """The parts of a kind (its own, unless others are named) that other add-ons bring, which come before its own."""
    order = [each.ref for each in ordered_addons(fleet)]
    return tuple(
        each
        for each in parts(fleet, *(what or (part.what,)))
        if order.index(each.addon.ref) < order.index(part.addon.ref)
    )


def conflicting_parts(part: AddonPart, fleet: Fleet) -> tuple[AddonPart, ...]:
    """The parts of its kind that come before its own and cannot be beside it. EKS has an add-on once on a cluster: two
    of its own are on two."""
    return tuple(other for other in earlier_parts(part, fleet) if not (by_eks(part.addon) and by_eks(other.addon)))


def catalogued(addon: Addon) -> Known | None:
    """What the catalogue says of an add-on that Muster installs; None of another program's, or of a chart of the
    user's own, whatever that is called."""
    return CATALOGUE.get(addon.ref.name) if addon.ref.type == KUBERNETES_ADDON else None
