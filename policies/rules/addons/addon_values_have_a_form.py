"""Values of an add-on against what its chart can take."""

from collections.abc import Iterator

from addons.workload import Workload
from muster.fleet.resources import Addon, Fleet
from muster.unknown import UNKNOWN
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
    try:
        made = known.workloads(addon.values)
        wrong = [each.name for each in made if not _has_amounts(each)]
    except (AttributeError, KeyError, TypeError, ValueError):
        wrong = [""]
    if wrong:
        whose = f" ({wrong[0]}: its placement or its requests)" if wrong[0] else ""
        got = f"values that {addon.ref.name} cannot take{whose}"
        remedy = "compare them with the chart's own; `muster addons render STACK --charts ...` prints what Helm says"
        yield rule.finding(addon.place, at="values", got=got, remedy=remedy)


def _has_amounts(workload: Workload) -> bool:
    """Whether its requests can be read, and its placement has the form of a pod's."""
    try:
        workload.requests  # noqa: B018  (it reads them)
    except (AttributeError, TypeError, ValueError):
        return False
    placement = workload.placement
    return (
        isinstance(placement.tolerations, list)
        and all(isinstance(each, dict) for each in placement.tolerations)
        and isinstance(placement.affinity, dict)
        and isinstance(placement.node_selector, dict)
    )
