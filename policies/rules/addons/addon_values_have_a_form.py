"""Values of an add-on against what its chart can take."""

from collections.abc import Iterator, Mapping

from addons.workload import Workload
from muster.fleet.resources import Addon, Fleet
from muster.kubernetes_quantity import Quantity
from muster.scheduling.taints import Toleration
from muster.unknown import UNKNOWN, has_unknown
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
    remedy = "compare them with the chart's own; `muster addons render STACK --charts ...` prints what Helm says"
    try:
        made = known.workloads(addon.values)
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
                    Quantity.parse(amount)
                except (AttributeError, TypeError, ValueError):
                    return f"resources.{kind}.{resource} ('{amount}')"
    return ""
