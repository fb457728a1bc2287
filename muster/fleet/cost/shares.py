"""Groups that are on the same reservations, by whichever name, and what these hold together.

A reservation may be named by its id and by a group of reservations that it is in: it is counted once all the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from muster.fleet.blueprint import Group
from muster.fleet.cost.held import Held, groups_on
from muster.fleet.cost.members import Member, members_of
from muster.fleet.description.capacity import Reservation, ReservationGroup
from muster.fleet.facts import Facts


@dataclass(frozen=True, slots=True)
class Named:
    """What groups name, and the reservations behind it."""

    held: Held
    members: Sequence[Member]


@dataclass(frozen=True, slots=True)
class Share:
    """Groups of one instance type on reservations that no other group of the type is on."""

    named: tuple[Named, ...]

    @property
    def instance(self) -> str:
        """The type of its groups."""
        return self.named[0].held.instance

    @property
    def name(self) -> str:
        """What its groups name, each once."""
        return ", ".join(each.held.name for each in self.named)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Its groups."""
        return tuple(group for each in self.named for group in each.held.groups)

    @property
    def members(self) -> dict[str, Member]:
        """Its reservations by id."""
        return {member.id: member for each in self.named for member in each.members}

    def counts(self) -> dict[str, int]:
        """How many instances of the type each reservation holds: as AWS says, else as the description does.

        What is declared of a group of reservations is of all of them: what is known of some is taken off, and the rest
        is the others', whichever of them it is in; of our own, where some are another's.
        """
        members = self.members
        counts = {id_: each.known for id_, each in members.items() if each.known is not None}
        for each in sorted(self.named, key=lambda one: len(one.members)):
            untold = [member.id for member in each.members if member.id not in counts]
            rest = each.held.count - sum(counts.get(member.id, 0) for member in each.members)
            for id_ in sorted(untold, key=lambda one: not members[one].ours):
                counts[id_], rest = max(rest, 0), 0
        return counts


def shares(groups: Sequence[Group], facts: Facts | None, moment: datetime) -> Iterable[Share]:
    """Every group on reservations is in one share, and so is every reservation for each type that is on it."""
    found: list[Share] = []
    for held in groups_on(groups, Reservation, ReservationGroup):
        own = Named(held, members_of(held, facts, moment))
        touched = [each for each in found if each.instance == held.instance and _meet(each, own)]
        joined = tuple(one for each in touched for one in each.named)
        if touched:
            at = found.index(touched[0])
            found[at] = Share((*joined, own))
            found = [each for each in found if each not in touched]
        else:
            found.append(Share((own,)))
    return found


def _meet(share: Share, own: Named) -> bool:
    return not share.members.keys().isdisjoint(each.id for each in own.members)
