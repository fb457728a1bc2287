"""Huge pages that pods request."""

from base64 import b64decode
from collections.abc import Iterator

from muster.blueprint.node import HUGE_PAGES_RESOURCE
from muster.blueprint.user_data import huge_pages_in
from muster.fleet.resources import Fleet, NodeGroup, PodOwner, PodTemplate
from muster.hardware.huge_pages import PAGE
from muster.kubernetes_quantity import Quantity, format_with_resource, is_huge_pages
from muster.plain_data import value_at
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.pod_placement import NodeKind
from muster.policies.lookups.pods import containers, known_nodes_for, requests_of
from muster.unknown import NotKnown, if_known


def huge_pages_within_node(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(template: PodTemplate) -> Iterator[Verdict]:
        yield from _whole(owner, template, rule)
        yield from _within_node(owner, template, fleet, rule)

    yield from rule.each(owner.templates, judge, owner.place)


def _whole(owner: PodOwner, template: PodTemplate, rule: Rule) -> Iterator[Verdict]:
    """Whether amounts are whole pages."""
    for path, container in containers(template):
        for kind in ("limits", "requests"):
            requested = value_at(container, "resources", kind)
            for resource, written in requested.items() if isinstance(requested, dict) else ():
                page = _bytes(resource.partition("-")[2]) if is_huge_pages(resource) else None
                amount = _bytes(written)
                if page and amount is not None and amount % page:
                    got = f"{path} sets {resource}: {written} under {kind}, not a multiple of {page} bytes"
                    yield rule.finding(owner, got=got, change=_remedy(resource, amount, page))


def _bytes(written: object) -> int | None:
    try:
        return Quantity.parse(written).whole
    except ValueError:
        return None


def _remedy(resource: str, amount: int, page: int) -> str:
    mib = page // 2**20
    if amount >= page:
        return f"write a multiple of {mib}Mi, for example {amount // page * mib}Mi"
    return f"write {resource}: {max(amount // mib, 1) * mib}Mi if you mean MiB, or {amount * mib}Mi if you mean pages"


def _within_node(owner: PodOwner, template: PodTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Whether a node has as many."""
    requested = requests_of(template).get(HUGE_PAGES_RESOURCE, 0)
    if not requested:
        return
    nodes = known_nodes_for(template, fleet)
    if any(if_known(lambda: _set_aside(spot, fleet), 0) >= requested for spot in nodes):
        return
    there = {spot.name: _set_aside(spot, fleet) for spot in nodes}
    most = max(there, key=lambda name: there[name])
    asked, has = (format_with_resource(HUGE_PAGES_RESOURCE, each) for each in (requested, there[most]))
    got = f"{template.path} requests {asked}, but nodes of {most} allocate {has}"
    allocate = "allocate as many in user data (vm.nr_hugepages)"
    yield rule.finding(owner, got=got, change=(f"request at most {has}", allocate) if there[most] else allocate)


def _set_aside(spot: NodeKind, fleet: Fleet) -> int:
    """The bytes of huge pages that the user data of a node allocates.

    Raises:
        NotKnown: it cannot be read, or does not set them. On HyperPod a lifecycle script allocates them, which the
            rules do not read.
    """
    template = template_of(spot.group, fleet) if isinstance(spot.group, NodeGroup) else None
    written = template.user_data if template else None
    try:
        pages = huge_pages_in(b64decode(written, validate=True).decode()) if isinstance(written, str) else None
    except ValueError:
        pages = None
    if pages is None:
        raise NotKnown(f"the number of huge pages on the nodes of {spot.name}")
    return pages * PAGE.mib * 2**20
