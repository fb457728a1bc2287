"""Huge pages that pods ask for, as they are written."""

from collections.abc import Iterator

from muster.fleet.amounts import is_huge_pages
from muster.fleet.kubernetes_quantity import Quantity
from muster.fleet.resources import Fleet, PodOwner
from policies.reading.pods import containers
from policies.reading.unknowns import found_at
from policies.rule import Rule, Verdict, rule


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
                asked = found_at(container, "resources", kind)
                for resource, written in asked.items() if isinstance(asked, dict) else ():
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
