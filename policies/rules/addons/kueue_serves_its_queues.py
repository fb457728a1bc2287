"""Kueue's version against the API of the queues that Muster makes in it."""

from collections.abc import Iterator

from addons.catalogue.kueue import ADDON
from muster.fleet.resources import Addon, Fleet
from policies.reading.catalogued import catalogued
from policies.reading.versions import numbers
from policies.rule import Rule, Verdict, rule

_SINCE = (0, 15)
"""kueue.x-k8s.io/v1beta2 and config.kueue.x-k8s.io/v1beta2 (kubernetes-sigs/kueue CHANGELOG-0.15)."""


@rule(
    "kueue-serves-its-queues",
    title="Kueue is of a version that serves the API of its queues",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Muster writes Kueue's configuration and queues as v1beta2, which 0.15 brought: an older one does not start "
    "with that configuration, and the API server refuses the queues after the release is there.",
    source="kubernetes-sigs/kueue, CHANGELOG/CHANGELOG-0.15.md",
    remedy="Take Kueue 0.15 or newer.",
    facts=("addons.md#add-ons",),
)
def kueue_serves_its_queues(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if catalogued(addon) is not ADDON:
        return
    version = numbers(addon.version)
    if version is None:
        yield rule.unjudged(addon.place, "the version of kueue")
    elif version < _SINCE:
        got = f"kueue {addon.version}, which does not know kueue.x-k8s.io/v1beta2"
        yield rule.finding(addon.place, at="version", got=got, remedy="take 0.15 or newer, or leave the version out")
