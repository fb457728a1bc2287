"""What reservations cost: billed whole to who pays for them, and what runs beside them on demand.

A reservation costs what its instances cost on demand, used or not, while it is provisioned. One that is shared: whoever
runs an instance in it pays for that, its owner for what is unused, or the account that the owner has it billed to
(`UnusedReservationBillingOwnerId`). EC2 user guide, "Capacity Reservation pricing and billing", "Billing assignment for
shared Amazon EC2 Capacity Reservations".
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from muster.fleet.blueprint import ClusterBlueprint
from muster.fleet.cost.amounts import Span
from muster.fleet.cost.held import nodes_of
from muster.fleet.cost.line import Basis, Line, Pricing
from muster.fleet.cost.members import Member
from muster.fleet.cost.shares import Share, shares
from muster.fleet.prices import Item, Kind


def reserved(blueprint: ClusterBlueprint, pricing: Pricing, moment: datetime) -> Iterator[Line]:
    """Each reservation, or all that some groups share, on one line; and nodes that these do not hold on another.

    The law: a node is counted once, and what is reserved by us is counted whole: together they are
    ``max(nodes, reserved)``.
    """
    for share in shares(blueprint.groups, blueprint.facts, moment):
        counts, item = share.counts(), Item(Kind.INSTANCE, share.instance)
        ours = [each for each in share.members.values() if each.ours and counts[each.id]]
        paid = sum(counts[each.id] for each in ours)
        names = ", ".join(group.name for group in share.groups)
        if paid:
            note = f"{share.name}: billed whole, used or not, until it ends or you cancel it{_to_come(ours)}"
            count = Span.fixed(paid)
            yield pricing.line(share.instance, item, count, group=names, basis=Basis.COMMITTED, note=note)
        beside = sum(map(nodes_of, share.groups), Span.fixed(0)).beyond(paid)
        if beside.most or not paid:
            yield pricing.line(share.instance, item, beside, group=names, note=_why(share, paid))


def _to_come(ours: Sequence[Member]) -> str:
    return "".join(f"; {each.id} is billed from {each.begins}" for each in ours if each.begins)


def _why(share: Share, paid: int) -> str:
    """Why nodes are on demand."""
    members = share.members.values()
    theirs = sorted({str(each.payer) for each in members if not each.ours and not each.why})
    if theirs:
        return f"{share.name}: account {' and '.join(theirs)} pays for what is unused, you for what you run"
    if paid:
        return f"beyond the {paid} of {share.name}, which is full then: EC2 starts none in it"
    what = "nothing any more" if all(each.over for each in members) else f"no {share.instance}"
    why = ", ".join(sorted({each.why for each in members if each.why}))
    return f"{share.name} holds {what} ({why}): on demand, where EC2 starts it at all"
