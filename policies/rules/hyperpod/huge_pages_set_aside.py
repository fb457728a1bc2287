"""Huge pages that a description sets for instances on which Muster's lifecycle scripts do not run."""

from collections.abc import Iterator

from muster.edits import Remedy, remove, set_to
from muster.fleet.resources import Fleet, InstanceGroup, Ref
from muster.hardware.huge_pages import PAGE
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import display_name


def hyperpod_huge_pages_set_aside(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    pages, lifecycle = group.huge_pages, group.lifecycle
    if pages is None or not pages.mib:
        return
    change: Remedy = set_to("default", at="hyperpod.lifecycle")
    got = f"{display_name(group)} has lifecycle: none, so no script reserves its {pages} of huge pages"
    if lifecycle:
        if isinstance(lifecycle.source, Ref):
            return
        change = f"set vm.nr_hugepages to {pages.mib // PAGE.mib} in your scripts"
        got = f"{display_name(group)} runs your own scripts, which must reserve its {pages} of huge pages"
    yield rule.finding(group, "huge-pages", got=got, change=(change, remove()))
