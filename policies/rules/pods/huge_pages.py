"""Huge pages that pods request."""

from base64 import b64decode
from collections.abc import Iterator

from muster.blueprint.node import HUGE_PAGES_RESOURCE
from muster.blueprint.user_data import huge_pages_in
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Fleet, NodeGroup, PodOwner
from muster.hardware.huge_pages import PAGE
from muster.kubernetes_quantity import Quantity, format_with_resource, is_huge_pages
from muster.plain_data import value_at
from muster.policies.engine.finding_text import or_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.pod_placement import NodeKind
from muster.policies.lookups.pods import containers, each_pod, nodes_for
from muster.unknown import if_known


@rule(
    "huge-pages-within-node",
    title="Pods request whole huge pages, with a unit, and at most as many as their nodes allocate",
    judges=PodOwner,
    backends=ON_KUBERNETES,
    why="A number without a unit is in bytes. 256 bytes are not a whole page, and the API server rejects the pod, "
    "hours after the job was queued. A node allocates huge pages when it boots, in the number that its user data sets; "
    "a pod that requests more never starts. The EKS guide states that EKS's images allocate 5128 pages, but current "
    "images do not.",
    source=(
        "https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/",
        "https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html",
        "https://github.com/aws-neuron/aws-neuron-sdk/issues/109",
        "https://github.com/awslabs/amazon-eks-ami/issues/2367",
    ),
    remedy="Write the amount with its unit, for example 5120Mi, and allocate as much in user data.",
    facts=("rules.md#43", "hardware.md#R8", "pains.md#20"),
)
def huge_pages_within_node(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _whole(owner, fleet, rule)
    yield from _within_node(owner, fleet, rule)


def _whole(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Whether amounts are whole pages."""
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
                            got=f"{path} sets {resource}: {written} under {kind}, {_counted(amount, page)}",
                            remedy=_remedy(resource, amount, page),
                        )


def _bytes(written: object) -> int | None:
    try:
        return Quantity.parse(written).whole
    except ValueError:
        return None


def _counted(amount: int, page: int) -> str:
    return f"which is {amount} bytes and not a multiple of the page size, {page}"


def _remedy(resource: str, amount: int, page: int) -> str:
    mib = page // 2**20
    if amount >= page:
        return f"write a multiple of {mib}Mi, for example {amount // page * mib}Mi"
    return f"write {resource}: {max(amount // mib, 1) * mib}Mi if you mean MiB, or {amount * mib}Mi if you mean pages"


def _within_node(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Whether a node has as many."""
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
            yield rule.unjudged(owner.place, f"the number of huge pages on the nodes of {or_list(names)}")
            continue
        most = max(known, key=lambda name: known[name])
        yield rule.finding(
            owner.place,
            got=f"{template.path} requests {format_with_resource(HUGE_PAGES_RESOURCE, requested)}, but "
            f"nodes of {most} allocate {format_with_resource(HUGE_PAGES_RESOURCE, known[most])}",
            remedy=f"request at most {format_with_resource(HUGE_PAGES_RESOURCE, known[most])}, or allocate more in "
            "user data (vm.nr_hugepages)"
            if known[most]
            else "allocate pages in user data (vm.nr_hugepages)",
        )


def _set_aside(spot: NodeKind, fleet: Fleet) -> int | None:
    """The number of pages that the user data of a node allocates; None if it cannot be read, or does not set it. On
    HyperPod a lifecycle script allocates them, which the rules do not read."""
    template = if_known(lambda: template_of(spot.group, fleet)) if isinstance(spot.group, NodeGroup) else None
    if template is None or not isinstance(template.user_data, str):
        return None
    try:
        return huge_pages_in(b64decode(template.user_data, validate=True).decode())
    except ValueError:
        return None
