"""What a cluster costs: its lines, what is paid in advance, what is not counted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time

from muster.fleet.blueprint import ClusterBlueprint
from muster.fleet.cost.amounts import Money
from muster.fleet.cost.disks import volumes
from muster.fleet.cost.instances import instances, prepaid
from muster.fleet.cost.left_out import left_out
from muster.fleet.cost.line import Basis, Line, Pricing
from muster.fleet.cost.prepaid import Prepaid
from muster.fleet.cost.surroundings import surroundings
from muster.fleet.prices import Item, Price, Prices


@dataclass(frozen=True, slots=True)
class Cost:
    """A cluster's cost. Amounts are of the lines whose price is known: where some are not, it is so much at least."""

    region: str
    as_of: date
    moment: datetime
    """From when on what is left of blocks is counted."""
    lines: tuple[Line, ...]
    prepaid: tuple[Prepaid, ...]
    left_out: tuple[str, ...]

    @property
    def monthly(self) -> Money | None:
        """All lines together; None where there are some and none of them has a price."""
        return _total(self.lines)

    @property
    def committed(self) -> Money | None:
        """What of it is billed whether the cluster runs or not; None likewise."""
        return _total([line for line in self.lines if line.basis is Basis.COMMITTED])

    @property
    def unknown(self) -> tuple[Line, ...]:
        """The lines without a price."""
        return tuple(line for line in self.lines if line.unknown)

    @property
    def near(self) -> tuple[Line, ...]:
        """The lines with a price that only stands in for theirs."""
        return tuple(line for line in self.lines if line.each and line.each.near)

    @property
    def prices(self) -> tuple[Price, ...]:
        """Every price that is used, each once, in the order of the lines."""
        own = [line.each for line in self.lines] + [each.each for each in self.prepaid]
        return tuple(dict.fromkeys(each for each in own if each))


def _total(lines: Sequence[Line]) -> Money | None:
    known = [money for line in lines if (money := line.monthly) is not None]
    return Money.total(known) if known or not lines else None


def start_of(day: date) -> datetime:
    """The beginning of a day in UTC."""
    return datetime.combine(day, time.min, UTC)


def cost_of(blueprint: ClusterBlueprint, prices: Prices, as_of: date, moment: datetime | None = None) -> Cost:
    """What a cluster costs.

    Args:
        blueprint: the cluster.
        prices: who knows prices.
        as_of: the day: it decides on extended support.
        moment: decides how much is left of blocks, and which reservations are over; the beginning of the day without.
    """
    moment = moment or start_of(as_of)
    pricing = Pricing(prices, blueprint.region)
    lines = (
        *surroundings(blueprint, pricing, as_of),
        *instances(blueprint, pricing, moment),
        *volumes(blueprint, pricing),
    )
    paid = tuple(prepaid(blueprint, pricing, moment))
    return Cost(blueprint.region, as_of, moment, lines, paid, left_out(blueprint))


@dataclass(slots=True)
class _Noting:
    """Prices that notes what it is asked, and knows nothing."""

    items: dict[Item, None] = field(default_factory=dict)

    def price(self, item: Item, region: str) -> Price | None:
        """Nothing."""
        assert region
        self.items[item] = None
        return None


def wanted(blueprint: ClusterBlueprint, as_of: date) -> tuple[Item, ...]:
    """What a cluster's cost needs prices of, each once."""
    noting = _Noting()
    cost_of(blueprint, noting, as_of)
    return tuple(noting.items)
