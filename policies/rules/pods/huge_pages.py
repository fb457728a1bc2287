"""Huge pages that pods request."""

from base64 import b64decode
from collections.abc import Iterator

from muster.blueprint.node import HUGE_PAGES_RESOURCE
from muster.blueprint.user_data import huge_pages_in
from muster.fleet.resources import Fleet, NodeGroup, PodOwner
from muster.hardware.huge_pages import PAGE
from muster.kubernetes_quantity import CPU, Quantity, format_with_resource, is_huge_pages
from muster.plain_data import value_at
from policies.engine.finding_text import or_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.launch_templates import template_of
from policies.lookups.pods import containers, each_pod, nodes_for
from policies.lookups.scheduling import NodeKind


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
            requested = {key for kind in ("limits", "requests") for key in value_at(each, "resources", kind) or ()}
            pages = sorted(resource for resource in requested if is_huge_pages(resource))
            if pages and not requested & {CPU, "memory"}:
                yield rule.finding(
                    owner.place,
                    got=f"{path} asks {pages[0]}, and neither CPU nor memory",
                    remedy="ask for memory, too, as in memory: 32000Mi",
                )


@rule(
    "huge-pages-whole",
    title="Pods ask for whole huge pages, with a unit",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="A number without a unit is bytes: 256 is no part of a page, and the API server refuses the pod, hours after "
    "the job was queued.",
    source="Kubernetes, Manage HugePages; aws-neuron/aws-neuron-sdk#109",
    remedy="Write the amount with its unit, as in 5120Mi.",
    facts=("rules.md#43", "hardware.md#R8", "pains.md#20"),
)
def huge_pages_whole(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for template in owner.templates:
        for path, container in containers(template):
            for kind in ("limits", "requests"):
                requested = value_at(container, "resources", kind)
                for resource, written in requested.items() if isinstance(requested, dict) else ():
                    page = _bytes(resource.partition("-")[2]) if is_huge_pages(resource) else None
                    amount = _bytes(written)
                    if page and amount is not None and amount % page:
                        yield rule.finding(
                            owner.place,
                            got=f"{path} says {resource}: {written} under {kind}, {_counted(amount, page)}",
                            remedy=_remedy(resource, amount, page),
                        )


def _bytes(written: object) -> int | None:
    try:
        return Quantity.parse(written).whole
    except ValueError:
        return None


def _counted(amount: int, page: int) -> str:
    return f"{amount} bytes: not a multiple of the page's {page}"


def _remedy(resource: str, amount: int, page: int) -> str:
    mib = page // 2**20
    if amount >= page:
        return f"write a multiple of {mib}Mi, as in {amount // page * mib}Mi"
    return f"write {resource}: {max(amount // mib, 1) * mib}Mi if MiB are meant, {amount * mib}Mi if pages are"


@rule(
    "huge-pages-within-node",
    title="A pod asks for no more huge pages than its nodes set aside",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="Pages are set aside when a node boots, and are as many as its user data says: a pod that asks for more waits "
    "for ever. What the EKS guide says of its images (5128 pages) today's images do not do.",
    source="EKS user guide, Run machine learning training with EFA; awslabs/amazon-eks-ami#2367",
    remedy="Set more pages aside in user data, or ask for fewer.",
    facts=("rules.md#43", "hardware.md#R8", "pains.md#20"),
)
def huge_pages_within_node(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for template, asks, missing in each_pod(owner):
        if missing:
            yield rule.unjudged(owner.place, missing)
        requested = asks.get(HUGE_PAGES_RESOURCE, 0)
        if not requested:
            continue
        nodes = nodes_for(template, fleet)
        pages = {spot.name: _set_aside(spot, fleet) for spot in nodes}
        known = {name: number * PAGE.mib * 2**20 for name, number in pages.items() if number is not None}
        if any(number >= requested for number in known.values()):
            continue
        if len(known) < len(pages) or not pages:
            names = [name for name in pages if name not in known] or [template.path]
            yield rule.unjudged(owner.place, f"how many huge pages the nodes of {or_list(names)} have")
            continue
        most = max(known, key=lambda name: known[name])
        yield rule.finding(
            owner.place,
            got=f"{template.path} asks {format_with_resource(HUGE_PAGES_RESOURCE, requested)}; "
            f"nodes of {most} set {format_with_resource(HUGE_PAGES_RESOURCE, known[most])} aside",
            remedy=f"ask for {format_with_resource(HUGE_PAGES_RESOURCE, known[most])} at most, or set more aside in "
            "user data"
            if known[most]
            else "set pages aside in user data (vm.nr_hugepages)",
        )


def _set_aside(spot: NodeKind, fleet: Fleet) -> int | None:
    """Pages that the user data of a node sets aside; None where it cannot be read, or says nothing. On HyperPod a
    lifecycle script does, which is not read."""
    template = template_of(spot.group, fleet)[0] if isinstance(spot.group, NodeGroup) else None
    if template is None or not isinstance(template.user_data, str):
        return None
    try:
        return huge_pages_in(b64decode(template.user_data, validate=True).decode())
    except ValueError:
        return None
