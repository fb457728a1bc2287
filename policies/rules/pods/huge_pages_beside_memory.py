"""Huge pages, and what must be asked beside them."""

from collections.abc import Iterator

from muster.fleet.amounts import CPU, is_huge_pages
from muster.fleet.resources import Fleet, PodOwner
from policies.reading.pods import containers, each_pod
from policies.reading.unknowns import found_at
from policies.rule import Rule, Verdict, rule


@rule(
    "huge-pages-beside-memory",
    title="Who asks for huge pages asks for CPU or memory, too",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="Kubernetes refuses a container with huge pages alone ('HugePages require cpu or memory'), whatever the "
    "containers beside it ask for.",
    source="Kubernetes pkg/apis/core/validation, validateContainerResourceRequirements; Manage HugePages",
    remedy="Ask for memory beside the huge pages, in the same container.",
    facts=("hardware.md#R8",),
)
def huge_pages_beside_memory(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for template, _, missing in each_pod(owner):
        if missing:
            yield rule.unjudged(owner.place, missing)
            continue
        for path, each in (*containers(template), (template.path, template.spec)):
            asked = {key for kind in ("limits", "requests") for key in found_at(each, "resources", kind) or ()}
            pages = sorted(resource for resource in asked if is_huge_pages(resource))
            if pages and not asked & {CPU, "memory"}:
                yield rule.finding(
                    owner.place,
                    got=f"{path} asks {pages[0]}, and neither CPU nor memory",
                    remedy="ask for memory, too, as in memory: 32000Mi",
                )
