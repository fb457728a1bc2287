"""Add-ons of random clusters."""

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

from muster.addon_sheets import ADDONS, by_pulumi
from muster.addons.catalogue import CATALOGUE
from muster.blueprint.dra import DRIVERS
from muster.config.description.addons import Installer
from tests.addons.contexts import REQUIRED
from tests.strategies.readings import lacked_by

_INSTEAD = {"hyperpod-task-governance": "kueue"}
"""Add-on -> another that it brings along itself."""


def addons_for(draw: st.DrawFn, groups: Mapping[str, Any], kubernetes: str) -> dict[str, Any]:
    """The plugins of what the groups have, and perhaps some others, with all that those need."""
    lacking = {resource for group in groups.values() for resource in lacked_by(group)}
    needed = [_served(draw, name, kubernetes) for name, addon in CATALOGUE.items() if addon.serves in lacking]
    free = [
        name
        for name, addon in CATALOGUE.items()
        if addon.serves is None and name not in DRIVERS and _supports(name, kubernetes)
    ]
    others = draw(st.lists(st.sampled_from(free), max_size=3, unique=True))
    beside = [each for name in others for each in CATALOGUE[name].needs if each in CATALOGUE]
    out = {_INSTEAD[name] for name in others if name in _INSTEAD}
    names = [name for name in dict.fromkeys((*needed, *others, *beside)) if name not in out]
    return {**described(draw, names), **charts_on(draw, groups)}


def charts_on(draw: st.DrawFn, groups: Iterable[str]) -> dict[str, Any]:
    """Perhaps a chart of the description's own, whose service account has a role, on the nodes of some groups."""
    on = draw(st.none() | st.lists(st.sampled_from(sorted(groups)), min_size=1, unique=True))
    if on is None:
        return {}
    chart = {"repository": "https://charts.example.org", "chart": "sync", "version": "1.0.0", "namespace": "data"}
    roles = {"sync": {"policies": ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"]}}
    at = draw(st.sampled_from([{}, {"groups-at": ["agent", "server.pod"]}]))
    return {"charts": {"own": {**chart, "roles": roles, "groups": on, **at}}}


def described(draw: st.DrawFn, names: Iterable[str]) -> dict[str, Any]:
    """Add-ons with what they require, and perhaps with what installs them."""
    tool = draw(st.sampled_from([None, None, *Installer]))
    by = {"installed-by": tool.value} if tool else {}
    return {name: {**REQUIRED.get(name, {}), **({} if by_pulumi(name) else by)} for name in names}


def _served(draw: st.DrawFn, plugin: str, kubernetes: str) -> str:
    """The device plugin, or the DRA driver for its devices."""
    drivers = [name for name, resource in DRIVERS.items() if resource == CATALOGUE[plugin].serves]
    return draw(st.sampled_from([plugin, *(each for each in drivers if _supports(each, kubernetes))]))


def _supports(addon: str, kubernetes: str) -> bool:
    first, last = ADDONS[addon].kubernetes
    version = tuple(map(int, kubernetes.split(".")))
    return tuple(map(int, first.split("."))) <= version and (not last or version <= tuple(map(int, last.split("."))))
