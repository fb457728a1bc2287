"""The add-ons of a file that a description has."""

from collections.abc import Callable, Mapping
from typing import Any

from muster.addons.addon import Chart
from muster.addons.addon import EksAddon as EksSource
from muster.addons.catalogue import CATALOGUE
from muster.fleet.resources import Addon, EksAddon, Fleet, Ref
from muster.unknown import stored
from muster.versions import EKS_ADDONS


def addons_of(
    fleet: Fleet, inputs: Mapping[Ref, Mapping[str, Any]], leave: Callable[[Any, str], None]
) -> dict[str, Any]:
    """The names of add-ons that Muster's catalogue has, and the EKS add-ons that it lacks, or with values.

    Args:
        fleet: what the file makes.
        inputs: the inputs of its resources.
        leave: notes an add-on that a description does not have, with the reason.
    """
    names = {each.source.name: name for name, each in CATALOGUE.items() if isinstance(each.source, EksSource | Chart)}
    always = set(next(iter(EKS_ADDONS.values())))
    found: dict[str, Any] = {}
    listed: list[EksAddon | Addon] = [*fleet.of(EksAddon), *fleet.of(Addon)]
    for each in listed:
        given = inputs.get(each.ref, {}).get("addonName") if isinstance(each, EksAddon) else each.chart
        known = [one for one in (each.ref.name, names.get(str(given))) if one in CATALOGUE]
        if known:
            found[str(known[0])] = {}
        elif isinstance(each, EksAddon) and isinstance(given, str):
            values = dict(stored(each, "values", {}))
            if values or given not in always:
                found.setdefault("eks-addons", {})[given] = {"values": values} if values else {}
        elif isinstance(given, str):
            leave(each, f"Muster's catalogue has no add-on {given}: add it under charts")
    return dict(sorted(found.items()))
