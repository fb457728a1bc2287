"""Groups of random clusters whose nodes Karpenter creates."""

from typing import Any

from hypothesis import strategies as st

from muster.addons.catalogue import CATALOGUE
from muster.blueprint.dra import DRIVERS
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import InterfaceType, slots
from tests.strategies.readings import Kind, kind_of, layout_of, most_of

ONLY_NODE_GROUPS = ("self-managed", "updates", "node-repair")


def some_by_karpenter(draw: st.DrawFn, groups: dict[str, Any]) -> bool:
    """Perhaps gives Karpenter the nodes of some groups; whether it creates any."""
    able = [name for name, group in groups.items() if may_be_karpenters(group)]
    chosen = [name for name in able if draw(st.booleans())]
    pages: dict[str, str] = {}
    for name in chosen:
        group = groups[name]
        for key in ONLY_NODE_GROUPS:
            group.pop(key, None)
        if "key-pair" in group.get("session", ""):
            group["session"] = "ssm"
        group["nodes"] = draw(st.sampled_from([most_of(group), {"min": 0, "start": 0, "max": most_of(group)}]))
        group["provisioned-by"] = "karpenter"
        # Karpenter knows the huge pages of a type, not of a group.
        group["huge-pages"] = pages.setdefault(group["instance"], group.get("huge-pages", "2GiB"))
    return bool(chosen)


def karpenters_addons(addons: dict[str, Any]) -> dict[str, Any]:
    """The add-ons with Karpenter, and with device plugins in place of DRA drivers."""
    plugins = {addon.serves: name for name, addon in CATALOGUE.items() if addon.serves and name not in DRIVERS}
    return {
        **{plugins[DRIVERS[name]] if name in DRIVERS else name: each for name, each in addons.items()},
        "karpenter": {},
    }


def may_be_karpenters(group: dict[str, Any]) -> bool:
    """Whether Karpenter can create the nodes of a group."""
    laid = slots(hardware(group["instance"]), layout_of(group))
    return (
        group["for"] != "system"
        and kind_of(group) is not Kind.RESERVATION_GROUP
        and not any(slot.type is InterfaceType.EFA for slot in laid)
        and hardware(group["instance"]).memory_mib > 8192
    )
