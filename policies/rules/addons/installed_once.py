"""Drivers, controllers and CRDs of which a cluster can have only one."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import AddonPart, PartKind
from muster.policies.lookups.installed_addons import (
    Installed,
    by_eks,
    comes_before,
    conflicting_part,
    first_named,
    name_of,
    parts_of,
    source_kind,
)

_PARTS = (PartKind.FSX_CSI, PartKind.JOBSET, PartKind.KUEUE, PartKind.MPI_JOBS, PartKind.TRAINING_OPERATOR)
"""Parts that several charts contain."""
_CHARTS = frozenset(
    {
        "cert-manager",
        "gpu-operator",
        "hyperpod-helm-chart",
        "kubeflow-trainer",
        "kuberay-operator",
        "metrics-server",
        "volcano",
    }
)
"""Charts and EKS add-ons with cluster-wide objects under fixed names: CRDs, webhooks, an APIService. Several releases
of a device plugin may run on different nodes: one-plugin-per-device judges those."""


def operator_installed_once(addon: Installed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if name_of(addon) in _CHARTS:
        yield from _second_release(addon, fleet, rule)
    mine = parts_of(addon)
    for index, part in enumerate(mine):
        if part.what in _PARTS and (other := conflicting_part(part, fleet) or _beside(part, mine[:index])):
            got = f"{part.name} and {other.name} both install {part.what}"
            yield rule.finding(addon, part.at, got=got, change=f"{part.without}, or {other.without}")


def _beside(part: AddonPart, earlier: tuple[AddonPart, ...]) -> AddonPart | None:
    """The first part of its kind in the same chart."""
    return next((each for each in earlier if each.what is part.what), None)


def _second_release(addon: Installed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # EKS installs an add-on once on a cluster: two of EKS's add-ons are on two clusters.
    first = [first_named(fleet).get((name_of(addon), eks)) for eks in ((False,) if by_eks(addon) else (False, True))]
    other = next((each for each in first if each and comes_before(each, addon, fleet)), None)
    if other is not None:
        one, two = f"{addon.ref.name} ({source_kind(addon)})", f"{other.ref.name} ({source_kind(other)})"
        got = f"{one} and {two} both install {name_of(addon)}"
        yield rule.finding(addon, got=got, change="remove one of them, and move its values to the other")
