"""Huge pages that a pod asks for against those its nodes set aside."""

from base64 import b64decode
from collections.abc import Iterator

from muster.fleet.amounts import named
from muster.fleet.huge_pages import PAGE
from muster.fleet.node import HUGE_PAGES_RESOURCE
from muster.fleet.resources import Fleet, NodeGroup, PodOwner
from muster.fleet.user_data import huge_pages_in
from policies.reading.landing import Spot
from policies.reading.pods import each_pod, nodes_for
from policies.reading.templates import template_of
from policies.rule import Rule, Verdict, rule
from policies.words import choice


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
        asked = asks.get(HUGE_PAGES_RESOURCE, 0)
        if not asked:
            continue
        nodes = nodes_for(template, fleet)
        pages = {spot.name: _set_aside(spot, fleet) for spot in nodes}
        known = {name: number * PAGE.mib * 2**20 for name, number in pages.items() if number is not None}
        if any(number >= asked for number in known.values()):
            continue
        if len(known) < len(pages) or not pages:
            names = [name for name in pages if name not in known] or [template.path]
            yield rule.unjudged(owner.place, f"how many huge pages the nodes of {choice(names)} have")
            continue
        most = max(known, key=lambda name: known[name])
        yield rule.finding(
            owner.place,
            got=f"{template.path} asks {named(HUGE_PAGES_RESOURCE, asked)}; "
            f"nodes of {most} set {named(HUGE_PAGES_RESOURCE, known[most])} aside",
            remedy=f"ask for {named(HUGE_PAGES_RESOURCE, known[most])} at most, or set more aside in user data"
            if known[most]
            else "set pages aside in user data (vm.nr_hugepages)",
        )


def _set_aside(spot: Spot, fleet: Fleet) -> int | None:
    """Pages that the user data of a node sets aside; None where it cannot be read, or says nothing. On HyperPod a
    lifecycle script does, which is not read."""
    template = template_of(spot.group, fleet)[0] if isinstance(spot.group, NodeGroup) else None
    if template is None or not isinstance(template.user_data, str):
        return None
    try:
        return huge_pages_in(b64decode(template.user_data, validate=True).decode())
    except ValueError:
        return None
