"""What a new stack is made of where nobody was asked: placeholders, and what is taken for granted."""

from datetime import date, timedelta

from muster.fleet.description.identifiers import PLACEHOLDER
from muster.fleet.new_stack.held import Held, Kind, Source
from muster.fleet.new_stack.networks import AnyNetwork, ExistingNetwork, NewNetwork

_DAYS = 14


def assumed_held(kind: Kind, id: str, instance: str, zone: str, count: int, as_of: date, typed: frozenset[str]) -> Held:
    """What holds instances, by its id and what was said of it. A block starts tomorrow, for want of anything better."""
    block = kind is Kind.CAPACITY_BLOCK
    starts = as_of + timedelta(days=1)
    return Held(
        kind=kind,
        id=id,
        instance=instance,
        zone=zone,
        count=count,
        starts=starts if block else None,
        ends=starts + timedelta(days=_DAYS) if block else None,
        source=Source.NOBODY,
        typed=typed,
    )


def assumed_network(zone: str, vpc: str | None, *, new: bool, two_zones: bool) -> AnyNetwork:
    """A VPC to be filled in, or to be made; in two zones for EKS."""
    other = f"{zone[:-1]}{'b' if zone.endswith('a') else 'a'}"
    zones = (zone, other) if two_zones else (zone,)
    if new:
        return NewNetwork("10.0.0.0/16", zones, "asked for with --new-vpc", why_zones="assumed: AWS was not asked")
    subnets = {each: f"subnet-{PLACEHOLDER}-private-{each[-1]}" for each in zones}
    return ExistingNetwork(
        vpc or f"vpc-{PLACEHOLDER}",
        subnets,
        why="fill in a VPC of yours, or write create: {zones: [...]} in place of existing" if vpc is None else "",
    )
