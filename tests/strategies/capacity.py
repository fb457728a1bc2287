"""Capacity of random groups."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from muster.config.description.node_group import Purpose
from tests.factories import AS_OF
from tests.strategies.described import ACCOUNT, made_up
from tests.strategies.readings import NOT_HELD, Kind, kind_of, most_of


@dataclass(frozen=True)
class Held:
    """Where capacity is held, and which number goes into its made-up ids."""

    region: str
    zone: str
    number: int


def capacity_of(draw: st.DrawFn, kind: Kind, group: Mapping[str, Any], held: Held) -> dict[str, Any]:
    """The group's `capacity`, or nothing where it says nothing."""
    if kind in NOT_HELD:
        return not_held(draw, kind, group)
    nodes = most_of(group)
    if kind is Kind.RESERVATION:
        return {"capacity": {kind: {"id": made_up("cr", held.number), **_reserved(draw, held.zone, nodes)}}}
    if kind is Kind.RESERVATION_GROUP:
        source = draw(st.sampled_from([_existing_group, _new_group]))(held)
        return {"capacity": {kind: {**source, **_reserved(draw, held.zone, nodes)}}}
    return {"capacity": {kind: _block(draw, held, nodes)}}


def not_held(draw: st.DrawFn, kind: Kind, group: Mapping[str, Any]) -> dict[str, Any]:
    """The `capacity` of a group on demand or on spot, or nothing where it says nothing."""
    if kind is Kind.ON_DEMAND:
        return draw(st.sampled_from([{}, {"capacity": "on-demand"}, {"capacity": {"on-demand": {}}}]))
    accepted = {"spot": {"interruptions-accepted": True}}
    said = [accepted] if group["for"] == Purpose.TRAINING else ["spot", {"spot": {}}, accepted]
    return {"capacity": draw(st.sampled_from(said))}


def _reserved(draw: st.DrawFn, zone: str, nodes: int) -> dict[str, Any]:
    by = draw(st.sampled_from(("aws", "you")))
    spare = draw(st.integers(0, 3))
    made = {"zone": zone, "count": nodes + spare, "provided-by": by}
    if by == "you" and draw(st.booleans()):
        made["placement-group"] = draw(st.sampled_from(["pg-made-before", "none"]))
    return made


def _existing_group(held: Held) -> dict[str, Any]:
    return {"arn": f"arn:aws:resource-groups:{held.region}:{ACCOUNT}:group/reserved-{held.number}"}


def _new_group(held: Held) -> dict[str, Any]:
    """Of two reservations, the second shared by another account."""
    owners = (ACCOUNT, "998877665544")
    arn = "arn:aws:ec2:{}:{}:capacity-reservation/{}"
    ids = [made_up("cr", 100 * (held.number + 1) + index) for index in range(2)]
    return {"create": [arn.format(held.region, owner, id_) for owner, id_ in zip(owners, ids, strict=True)]}


EXTENDED = 16
"""Days of a Capacity Block that no offering has."""


def bought(number: int) -> dict[str, Any]:
    """An offering that was approved."""
    offering = made_up("cb", number)
    return {"offering": offering, "approved": {"offering": offering, "by": "head.of.research"}}


def _block(draw: st.DrawFn, held: Held, nodes: int) -> dict[str, Any]:
    """A Capacity Block: one to buy is of 1 to 14 days or whole weeks up to 182, and begins within eight weeks; one that
    exists may have begun, and may have been extended by days."""
    begun = draw(st.booleans())
    days = draw(st.sampled_from([1, 2, 14, EXTENDED, 21, 182]))
    ago = draw(st.integers(0, days - 1)) if begun else -draw(st.integers(1, 56))
    starts = AS_OF - timedelta(days=ago)
    source = {"id": made_up("cr", 50 + held.number)}
    if not begun and days != EXTENDED and draw(st.booleans()):
        source = {"buy": bought(held.number)}
    return {
        **source,
        "zone": held.zone,
        "count": nodes + draw(st.integers(0, 3)),
        "starts": starts.isoformat(),
        "ends": (starts + timedelta(days=days)).isoformat(),
        **({"active": True} if begun else draw(st.sampled_from([{}, {"active": False}]))),
    }


def sharing_with(workers: dict[str, Any]) -> dict[str, Any]:
    """A second group on the workers' reservation, which is then large enough for both."""
    if kind_of(workers) is not Kind.RESERVATION:
        return {}
    workers["capacity"]["reservation"]["count"] = 2 * most_of(workers)
    return {"sharing": deepcopy(workers)}
