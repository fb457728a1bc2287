"""The cost of a cluster: its lines, what is paid in advance, what is not counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from muster import backends
from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.kubernetes import Blueprint
from muster.config.description.storage import ExistingLustre, Lustre
from muster.extras.cost.cluster import instance_lines, shared_lines, volume_lines
from muster.extras.cost.lines import HOURS_A_MONTH, Basis, Line, Money, Pricing, Span
from muster.extras.cost.prices import Price, Prices
from muster.extras.cost.reservations import Prepaid, PrepaidKind, prepaid

ALWAYS = (
    "data transfer by the GB: between zones, to the internet, through NAT gateways and endpoints",
    "S3, ECR, CloudWatch, KMS: storage, requests and logs",
    "savings plans, your own discounts, credits, support, taxes",
)
"""Left out for every stack."""

OF_ADDONS = "this stack has nothing that AWS bills by the hour: its add-ons run on another stack's cluster"


def left_out(blueprint: ClusterBlueprint) -> tuple[str, ...]:
    """Costs that are not counted, one line each."""
    own = backends.of(blueprint).cost.load().not_counted(blueprint)
    return (*_existing(blueprint), *own, *_of_storage(blueprint), *ALWAYS)


def _existing(blueprint: ClusterBlueprint) -> Iterator[str]:
    if isinstance(blueprint, Blueprint) and blueprint.control_plane.existing:
        name = blueprint.control_plane.name or "the cluster"
        yield f"the existing EKS cluster {name}, which is billed independently of this stack"
    if blueprint.network.cidr is None:
        yield "the existing network, with its NAT gateways and endpoints"
    for each in blueprint.storage:
        if isinstance(each.described, ExistingLustre):
            yield f"the existing file system '{each.name}', which is billed independently of this stack"


def _of_storage(blueprint: ClusterBlueprint) -> Iterator[str]:
    if any(isinstance(each.described, Lustre) and each.described.backup_days for each in blueprint.storage):
        yield "backups of file systems, which depend on the changed data"


@dataclass(frozen=True, slots=True)
class Cost:
    """A cluster's cost. Amounts are sums of the lines with a known price: a minimum, if some prices are unknown."""

    region: str
    as_of: date
    lines: tuple[Line, ...]
    prepaid: tuple[Prepaid, ...]
    left_out: tuple[str, ...]

    @property
    def monthly(self) -> Money | None:
        """All lines together; None if there are lines, but none of them has a price."""
        return _total(self.lines)

    @property
    def committed(self) -> Money | None:
        """The part that is billed regardless of running nodes; None if no price is known."""
        return _total([line for line in self.lines if line.basis is Basis.COMMITTED])

    @property
    def unknown(self) -> tuple[Line, ...]:
        """The lines without a price."""
        return tuple(line for line in self.lines if line.unknown)

    @property
    def near(self) -> tuple[Line, ...]:
        """The lines with the price of a similar item."""
        return tuple(line for line in self.lines if line.each and line.each.near)

    @property
    def prices(self) -> tuple[Price, ...]:
        """Every price in use, each once, in the order of the lines."""
        own = [line.each for line in self.lines] + [each.each for each in self.prepaid]
        return tuple(dict.fromkeys(each for each in own if each))


def _total(lines: Sequence[Line]) -> Money | None:
    known = [money for line in lines if (money := line.monthly) is not None]
    return Money.total(known) if known or not lines else None


def cost_of(blueprint: ClusterBlueprint, prices: Prices, as_of: date) -> Cost:
    """The cost of a cluster.

    Args:
        blueprint: the cluster.
        prices: the source of prices.
        as_of: the date, which determines extended support.
    """
    pricing = Pricing(prices, blueprint.region)
    lines = (
        *shared_lines(blueprint, pricing, as_of),
        *instance_lines(blueprint, pricing),
        *volume_lines(blueprint, pricing),
    )
    paid = tuple(prepaid(blueprint, pricing))
    return Cost(blueprint.region, as_of, lines, paid, left_out(blueprint))


__all__ = [
    "HOURS_A_MONTH",
    "Basis",
    "Cost",
    "Line",
    "Money",
    "Prepaid",
    "PrepaidKind",
    "Span",
    "cost_of",
]
