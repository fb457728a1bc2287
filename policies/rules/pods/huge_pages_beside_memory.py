"""Huge pages, and what must be asked beside them."""

from collections.abc import Iterator

from muster.fleet.amounts import is_huge_pages
from muster.fleet.resources import Fleet, PodOwner
from policies.reading.pods import each_pod
from policies.rule import Rule, Verdict, rule


@rule(
    "huge-pages-beside-memory",
    title="Who asks for huge pages asks for CPU or memory, too",
    judges=PodOwner,
    why="Kubernetes refuses a pod with huge pages alone ('HugePages require cpu or memory').",
    source="Kubernetes pkg/apis/core/validation, Manage HugePages",
    remedy="Ask for memory beside the huge pages.",
    facts=("hardware.md#R8",),
)
def huge_pages_beside_memory(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for template, asks, missing in each_pod(owner):
        if missing:
            yield rule.unjudged(owner.place, missing)
        pages = sorted(resource for resource in asks if is_huge_pages(resource))
        if pages and not asks.keys() & {"cpu", "memory"}:
            yield rule.finding(
                owner.place,
                got=f"{template.path} asks {pages[0]}, and neither CPU nor memory",
                remedy="ask for memory, too, as in memory: 32000Mi",
            )
