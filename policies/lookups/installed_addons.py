"""The add-ons of a fleet, the parts of each, and which of them are in Muster's catalog."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.addons.addon import Addon as Known
from muster.addons.catalogue import CATALOGUE
from muster.config.description.addons import addon_entry
from muster.edits import Remedy, remove, set_to
from muster.fleet.resources import Addon, EksAddon, Fleet, Ref
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.object_cache import cached_by_identity
from muster.policies.lookups.chart_contents import BUNDLES, AddonPart, PartKind, hyperpod
from muster.unknown import NotKnown, has_unknown, if_known, stored

HYPERPOD_CHARTS = ("hyperpod-helm-chart", "HyperPodHelmChart")
"""The names of HyperPod's chart: its own, and its folder's."""

_BUNDLES = {**BUNDLES, **dict.fromkeys(HYPERPOD_CHARTS, hyperpod)}

Installed = Addon | EksAddon


@cached_by_identity(256)
def parts_of(addon: Installed) -> tuple[AddonPart, ...]:
    """The parts of an add-on that rules know.

    Raises:
        NotKnown: its chart or its values are not known, or the chart does not accept the values.
    """
    chart = name_of(addon)
    bundle = _BUNDLES.get(chart)
    if bundle is None:
        return ()
    seen = _as_addon(addon)
    if has_unknown(seen.values):
        raise NotKnown("values", addon)
    try:
        found = tuple(bundle(seen, seen.values))
    except (AttributeError, KeyError, TypeError):
        found = None
    if found is None or not all(_is_placement(pod) for part in found for pod in part.pods):
        raise NotKnown(f"the values of {chart}, which the chart does not accept in this format")
    return found


def _is_placement(pod: Mapping[str, Any]) -> bool:
    """Whether the fields that place pods have the types that Kubernetes accepts."""
    tolerations = pod.get("tolerations") or []
    blocks = (pod.get("nodeSelector") or {}, pod.get("affinity") or {})
    listed = isinstance(tolerations, list) and all(isinstance(each, Mapping) for each in tolerations)
    return listed and all(isinstance(each, Mapping) for each in blocks)


def _as_addon(addon: Installed) -> Addon:
    """An EKS add-on of another program as an `Addon`."""
    if isinstance(addon, Addon):
        return addon
    return Addon(addon.ref, stored(addon, "version"), addon.place, AddonKind.EKS_ADDON, addon.name, {})


def source_kind(addon: Installed) -> str:
    """How an add-on is installed, in words: ``chart kueue``, ``EKS add-on``, ``manifest``."""
    if by_eks(addon):
        return "EKS add-on"
    return f"chart {addon.chart}" if isinstance(addon, Addon) and addon.kind is AddonKind.CHART else "manifest"


def by_eks(addon: Installed) -> bool:
    """Whether EKS installs it. EKS installs each name once on a cluster: two of the same name are on two clusters."""
    return isinstance(addon, EksAddon) or addon.kind is AddonKind.EKS_ADDON


def name_of(addon: Installed) -> str:
    """The name of the chart or of the EKS add-on."""
    return addon.name if isinstance(addon, EksAddon) else addon.chart


def parts(fleet: Fleet, *what: PartKind) -> Iterator[AddonPart]:
    """The parts of these kinds of all add-ons."""
    by_kind = _parts(fleet)
    if len(what) == 1:
        return iter(by_kind.get(what[0], ()))
    found = (part for kind in set(what) for part in by_kind.get(kind, ()))
    return iter(sorted(found, key=lambda part: _places(fleet)[part.addon.ref]))


@cached_by_identity(4)
def _parts(fleet: Fleet) -> Mapping[PartKind, list[AddonPart]]:
    found: dict[PartKind, list[AddonPart]] = {}
    for addon in ordered_addons(fleet):
        for part in if_known(lambda: parts_of(addon), ()):
            found.setdefault(part.what, []).append(part)
    return found


@cached_by_identity(4)
def ordered_addons(fleet: Fleet) -> tuple[Installed, ...]:
    """All add-ons: Muster's own before other charts (except those with `before-addons`), then by name. The order does
    not depend on how they were read."""
    every: list[Installed] = [*fleet.of(Addon), *fleet.of(EksAddon)]
    order = sorted(every, key=lambda each: (comes_last(each), each.place.resource, each.ref.name))
    return tuple(order)


def comes_last(addon: Installed) -> bool:
    """Whether it is a chart below `addons.charts` that is installed after Muster's add-ons."""
    early = isinstance(addon, Addon) and addon.before_addons
    return ".charts." in addon.place.resource and not early


@cached_by_identity(4)
def _places(fleet: Fleet) -> Mapping[Ref, int]:
    places: dict[Ref, int] = {}
    for index, each in enumerate(ordered_addons(fleet)):
        places.setdefault(each.ref, index)
    return places


def comes_before(addon: Installed, other: Installed, fleet: Fleet) -> bool:
    """Whether an add-on comes before another one."""
    return _places(fleet)[addon.ref] < _places(fleet)[other.ref]


@cached_by_identity(4)
def _first(fleet: Fleet) -> Mapping[PartKind, tuple[AddonPart, ...]]:
    found: dict[PartKind, dict[tuple[bool, bool], AddonPart]] = {}
    for what, every in _parts(fleet).items():
        for part in every:
            found.setdefault(what, {}).setdefault((by_eks(part.addon), part.bundled), part)
    return {what: tuple(each.values()) for what, each in found.items()}


def first_parts(fleet: Fleet, what: PartKind) -> tuple[AddonPart, ...]:
    """The first part of a kind that EKS installs and that it does not, in a bundle and alone, in their order. Rules
    compare each part with these, and not with every other one."""
    return _first(fleet).get(what, ())


def earlier_parts(part: AddonPart, fleet: Fleet) -> tuple[AddonPart, ...]:
    """The first parts of its kind (`first_parts`) in add-ons that come before this part's add-on."""
    return tuple(each for each in first_parts(fleet, part.what) if comes_before(each.addon, part.addon, fleet))


def conflicting_part(part: AddonPart, fleet: Fleet) -> AddonPart | None:
    """The first part of its kind that comes before it and conflicts with it. EKS installs an add-on once on a cluster:
    two of EKS's add-ons are on two clusters."""
    earlier = earlier_parts(part, fleet)
    return next((other for other in earlier if not (by_eks(part.addon) and by_eks(other.addon))), None)


@cached_by_identity(4)
def first_named(fleet: Fleet) -> Mapping[tuple[Any, bool], Installed]:
    """Name, and whether EKS installs it -> the first add-on."""
    found: dict[tuple[Any, bool], Installed] = {}
    for each in ordered_addons(fleet):
        found.setdefault((if_known(lambda: name_of(each)), by_eks(each)), each)
    return found


def catalogued(addon: Addon) -> Known | None:
    """The catalog's entry of an add-on that Muster installs; None for another program's, or for a chart that the user
    adds, whatever its name."""
    return CATALOGUE.get(addon.ref.name) if addon.ref.type == KUBERNETES_ADDON else None


def removal(addon: Installed) -> Remedy:
    """How to remove an add-on."""
    own = addon.place.described and not getattr(addon, "installed_by", "")
    return remove(f"/{addon.place.resource}") if own else f"remove {addon.ref.name} ({source_kind(addon)})"


def installing(name: str) -> Remedy:
    """The edit of a description that installs an add-on; a sentence where the add-on requires a value."""
    entry = addon_entry(name)
    return set_to({}, at=f"/addons.{name}") if entry.endswith(": {}") else f"add `{entry}` under addons"
