"""Values of an add-on, compared with what its chart accepts."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.addons.workload import MalformedReplicas, Workload
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, Fleet
from muster.kubernetes_quantity import Quantity
from muster.plain_data import scalar_text
from muster.policies.engine.finding_text import or_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.installed_addons import catalogued
from muster.scheduling.taints import Toleration
from muster.unknown import UNKNOWN, has_unknown


@rule(
    "addon-values-have-a-form",
    title="Values of an add-on have the types that its chart accepts",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="If a value is not the list, map or amount that the chart needs, Helm rejects the chart, or the API server "
    "rejects the rendered objects: the release fails after everything else exists, or is rolled back.",
    source="Helm guide, values files; Kubernetes API, PodSpec and Quantity",
    remedy="Write the value in the format that it has in the chart's own values.",
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
    remedy = "compare them with the chart's own values; `muster addons render STACK --charts ...` prints Helm's error"
    try:
        made = known.workloads(addon.values)
    except MalformedReplicas as wrong:
        got, remedy = f"{addon.ref.name} cannot have {wrong}", "write a whole number, for example 2"
        yield rule.finding(addon.place, at="values", got=got, remedy=remedy)
        return
    except (AttributeError, KeyError, TypeError, ValueError):
        got = f"the chart of {addon.ref.name} does not accept these values"
        yield rule.finding(addon.place, at="values", got=got, remedy=remedy)
        return
    for each in made:
        if fault := _fault(each):
            got = f"{addon.ref.name} has invalid values: {fault} of {each.name}"
            yield rule.finding(addon.place, at="values", got=got, remedy=remedy)
            return


def _fault(workload: Workload) -> str:
    """The first field of its placement and its requests that Kubernetes does not accept; empty if there is none."""
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
                    return f"resources.{kind}.{resource} ('{amount}', a negative amount)"
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
    """Where, what is wrong, and the remedy, for values that all charts of the catalog pass to Kubernetes unchanged:
    fields of a pod's spec and metadata."""
    for key, value in values.items() if isinstance(values, Mapping) else ():
        here = (*at, str(key))
        if value is None or value is UNKNOWN:
            continue
        if key in {"pullPolicy", "imagePullPolicy"} and value not in ("", *_POLICIES):
            yield here, f"'{value}' is not an image pull policy", f"write {or_list(_POLICIES)}"
        elif key == "imagePullSecrets" and not isinstance(value, list):
            yield here, "imagePullSecrets is not a list", "write a list, for example [{name: my-secret}]"
        elif key in _MAPS_OF_TEXT and isinstance(value, Mapping):
            for name, given in value.items():
                if given is not None and given is not UNKNOWN and not isinstance(given, str):
                    got = f"{key} accepts only strings, and this is {given!r}"
                    yield (*here, str(name)), got, f"write '{scalar_text(given)}'"
        elif isinstance(value, Mapping):
            yield from _faults_by_name(value, here)
