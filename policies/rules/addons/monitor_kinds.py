"""Objects of the Prometheus operator that charts create, and which add-on installs their kinds."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.addons.catalogue import CATALOGUE
from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet
from muster.identity_cache import cached_by_identity
from muster.plain_data import value_at
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.chart_contents import BUNDLES
from muster.policies.lookups.installed_addons import (
    HYPERPOD_CHARTS,
    by_eks,
    catalogued,
    comes_last,
    name_of,
    ordered_addons,
)
from muster.unknown import UNKNOWN

_MONITORS = ("servicemonitor", "podmonitor", "prometheusrule")
"""Keys of values, at any depth and in any case, that charts use for such an object, with `enabled` below."""
_OF_CHART: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "kueue": (("enablePrometheus",),),
    "jobset": (("prometheus", "enable"),),
    "kubeflow-trainer": (("jobset", "prometheus", "enable"),),
}
"""Chart -> other switches that create a ServiceMonitor."""
_GROUP = "monitoring.coreos.com"
_BRINGING = ("prometheus", "monitoring")
"""Words in the names of charts that install the kinds: kube-prometheus-stack, prometheus-operator-crds."""

_UNKNOWN_EKS_ADDONS = ("adot", "amazon-cloudwatch-observability", "amazon-sagemaker-hyperpod-observability")
"""EKS add-ons that may install them: EKS does not publish what they contain. Other EKS add-ons do not."""

_WHY = (
    "If the API server does not know the kinds ServiceMonitor, PodMonitor and PrometheusRule, it rejects a chart that "
    "creates one of them: the release fails."
)
_SOURCE = (
    "NVIDIA/dcgm-exporter deployment/templates/service-monitor.yaml; kubernetes-sigs/kueue charts/kueue/templates/"
    "prometheus; prometheus-operator, CustomResourceDefinitions of monitoring.coreos.com"
)


@rule(
    "monitor-kinds-installed",
    title="If an add-on creates service monitors, another add-on installs their kinds",
    judges=Addon,
    backends=ON_KUBERNETES,
    why=_WHY,
    source=_SOURCE,
    remedy="Turn the monitor off, or add chart prometheus-operator-crds to addons.charts with before-addons: true.",
    facts=("addons.md#order-7",),
)
def monitor_kinds_installed(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if catalogued(addon) is None or _may_be_there(fleet):
        return
    if later := _bringing(fleet).get(True):
        why = f"{later}, which installs their kinds, comes after it"
        yield from _findings(addon, rule, why, f"or add before-addons: true to addons.charts.{later}")
        return
    yield from _findings(addon, rule, "no add-on of this cluster installs their kinds")


@rule(
    "monitor-kinds-likely",
    title="If an add-on creates service monitors, the cluster has their kinds",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=Addon,
    backends=ON_KUBERNETES,
    why=_WHY + " An existing cluster, another stack or an add-on with unknown contents may install them.",
    source=_SOURCE,
    remedy="Make sure that the Prometheus operator's CRDs are installed first (`kubectl get crd "
    "servicemonitors.monitoring.coreos.com`).",
    facts=("addons.md#order-7",),
)
def monitor_kinds_likely(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, bringing = catalogued(addon) is not None, _bringing(fleet)
    if any(not (mine and last) for last in bringing):
        return
    if mine and not _may_be_there(fleet):
        return  # monitor-kinds-installed reports it
    yield from _findings(addon, rule, "it is not known whether the cluster has their kinds")


_BEFORE = "or add chart prometheus-operator-crds to addons.charts with before-addons: true"


def _findings(addon: Addon, rule: Rule, why: str, otherwise: str = _BEFORE) -> Iterator[Verdict]:
    if addon.values is UNKNOWN or addon.installed_by is not None:
        return
    for path in _switched_on(addon):
        at = ".".join(path)
        got = f"`{at}: true` in the values of {addon.ref.name} creates objects of {_GROUP}, but {why}"
        remedy = f"set {at}: false, {otherwise}"
        program_remedy = f"set {at}: false, or install chart prometheus-operator-crds before it"
        yield rule.finding(addon.place, at=f"values.{at}", got=got, remedy=remedy, program_remedy=program_remedy)


def _switched_on(addon: Addon) -> Iterator[tuple[str, ...]]:
    """The paths of the switches in its values that create such objects."""
    yield from _switches(addon.values, ())
    for path in _OF_CHART.get(str(addon.chart), ()):
        if value_at(addon.values, *path) is True:
            yield path


def _switches(values: Any, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not isinstance(values, Mapping):
        return
    for key, below in values.items():
        path = (*above, str(key))
        if str(key).lower() not in _MONITORS:
            yield from _switches(below, path)
        elif value_at(below, "enabled") is True:
            yield (*path, "enabled")


@cached_by_identity(4)
def _bringing(fleet: Fleet) -> Mapping[bool, str]:
    """Whether it comes after Muster's add-ons -> the first add-on that installs the kinds."""
    every = [each for each in ordered_addons(fleet) if _brings_kinds(each)]
    return {_comes_last(each): each.ref.name for each in reversed(every)}


@cached_by_identity(4)
def _may_be_there(fleet: Fleet) -> bool:
    """Whether something may install the kinds: an existing cluster, another stack, or an add-on with unknown
    contents."""
    planes = list(fleet.of(ControlPlane))
    if not planes or fleet.absent or any(plane.existing for plane in planes):
        return True
    return any(_brings_kinds(each) is not False for each in ordered_addons(fleet) if not _comes_last(each))


def _comes_last(addon: Addon | EksAddon) -> bool:
    """Whether this stack installs it after Muster's add-ons."""
    return comes_last(addon) and getattr(addon, "installed_by", None) is None


def _brings_kinds(addon: Addon | EksAddon) -> bool | None:
    """Whether an add-on installs the kinds; None if its contents are not known."""
    name = name_of(addon)
    if name is UNKNOWN:
        return None
    if any(word in str(name) for word in _BRINGING):
        return True
    if by_eks(addon):
        return None if name in _UNKNOWN_EKS_ADDONS else False
    known = {*BUNDLES, *HYPERPOD_CHARTS, *CATALOGUE}
    return False if name in known else None
