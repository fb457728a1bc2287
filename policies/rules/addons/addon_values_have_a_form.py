"""Values of an add-on against what its chart can take."""

from collections.abc import Iterator, Mapping
from typing import Any

from addons.workload import MalformedReplicas, Workload
from muster.fleet.resources import Addon, Fleet
from muster.kubernetes_quantity import Quantity
from muster.scheduling.taints import Toleration
from muster.unknown import UNKNOWN, has_unknown
from policies.engine.finding_text import or_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.installed_addons import catalogued


@rule(
    "addon-values-have-a-form",
    title="Values of an add-on have the form that its chart takes",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Where a list, a map or an amount is wanted and something else is given, Helm refuses the chart, or the API "
    "server what came of it: the release fails after everything else stands, or is rolled back.",
    source="Helm guide, values files; Kubernetes API, PodSpec and Quantity",
    remedy="Give the value the form that it has in the chart's own values.",
    facts=("addons.md#add-ons",),
)
def addon_values_have_a_form(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    if known is None or addon.installed_by is not None:
        return
    if addon.values is UNKNOWN:
        yield rule.unjudged(addon.place, "its values")
        return
    for at, got, remedy in _faults_by_name(addon.values, ("values",)):
        yield rule.finding(addon.place, at=".".join(at), got=f"{addon.ref.name}: {got}", remedy=remedy)
    remedy = "compare them with the chart's own; `muster addons render STACK --charts ...` prints what Helm says"
    try:
        made = known.workloads(addon.values)
    except MalformedReplicas as wrong:
        got, remedy = f"{addon.ref.name} cannot have {wrong}", "write a whole number, as in 2"
        yield rule.finding(addon.place, at="values", got=got, remedy=remedy)
        return
    except (AttributeError, KeyError, TypeError, ValueError):
        yield rule.finding(addon.place, at="values", got=f"values that {addon.ref.name} cannot take", remedy=remedy)
        return
    for each in made:
        if fault := _fault(each):
            got = f"values that {addon.ref.name} cannot take: {fault} of {each.name}"
            yield rule.finding(addon.place, at="values", got=got, remedy=remedy)
            return


def _fault(workload: Workload) -> str:
    """What of its placement and its requests has no form that Kubernetes takes; empty where all has."""
    placement = workload.placement
    for name, value, form in (
        ("tolerations", placement.tolerations, list),
        ("affinity", placement.affinity, dict),
        ("nodeSelector", placement.node_selector, dict),
    ):
        if not isinstance(value, form):
            return name
    for index, each in enumerate(placement.tolerations):
        if not isinstance(each, dict):
            return f"tolerations[{index}]"
        if not has_unknown(each) and (fault := Toleration.of(each).fault):
            return f"tolerations[{index}] ({fault})"
    return _fault_of_requests(workload)


def _fault_of_requests(workload: Workload) -> str:
    for resources in (workload.resources, *workload.beside):
        if not isinstance(resources, Mapping):
            return "resources"
        for kind in ("requests", "limits"):
            amounts = resources.get(kind) or {}
            if not isinstance(amounts, Mapping):
                return f"resources.{kind}"
            for resource, amount in amounts.items():
                try:
                    parsed = Quantity.parse(amount)
                except (AttributeError, TypeError, ValueError):
                    return f"resources.{kind}.{resource} ('{amount}')"
                if parsed.nano < 0:
                    return f"resources.{kind}.{resource} ('{amount}', less than nothing)"
        if above := _above_its_limit(resources):
            return above
    return ""


def _above_its_limit(resources: Mapping[str, Any]) -> str:
    """A request above its limit, which the API server refuses (Kubernetes, Resource Management for Pods)."""
    limits = resources.get("limits") or {}
    for resource, amount in (resources.get("requests") or {}).items():
        if resource in limits and Quantity.parse(amount).nano > Quantity.parse(limits[resource]).nano:
            return f"resources.requests.{resource} ('{amount}', above its limit '{limits[resource]}')"
    return ""


_POLICIES = ("Always", "IfNotPresent", "Never")
_MAPS_OF_TEXT = frozenset({"nodeSelector", "podAnnotations", "podLabels"})


def _faults_by_name(values: Any, at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Where, what is wrong, and the remedy, of values that all charts of the catalogue hand to Kubernetes as they
    are: fields of a pod's spec and metadata."""
    for key, value in values.items() if isinstance(values, Mapping) else ():
        here = (*at, str(key))
        if value is None or value is UNKNOWN:
            continue
        if key in {"pullPolicy", "imagePullPolicy"} and value not in ("", *_POLICIES):
            yield here, f"'{value}' is no policy of pulling images", f"write {or_list(_POLICIES)}"
        elif key == "imagePullSecrets" and not isinstance(value, list):
            yield here, "imagePullSecrets is no list", "write a list, as in [{name: my-secret}]"
        elif key in _MAPS_OF_TEXT and isinstance(value, Mapping):
            for name, given in value.items():
                if given is not None and given is not UNKNOWN and not isinstance(given, str):
                    yield (*here, str(name)), f"{key} takes text, and this is {given!r}", f"write '{_yaml_text(given)}'"
        elif isinstance(value, Mapping):
            yield from _faults_by_name(value, here)


def _yaml_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
