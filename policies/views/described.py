"""What a program of Muster's own registers, with what its description knows of it: its places, facts and purposes."""

from dataclasses import replace

from muster.fleet.description import AddonsOf
from muster.fleet.resources import Addon, Fleet
from muster.fleet.stack_file import StackFile
from policies.views.fleet import described_by


def as_described(opened: StackFile, derived: Fleet, seen: Fleet) -> Fleet:
    """The registered fleet of a stack, as rules find it at the places of its file.

    Args:
        opened: the stack.
        derived: what it describes.
        seen: what its program registers.
    """
    return addons_on(derived, seen) if isinstance(opened.described, AddonsOf) else described_by(seen, derived)


def addons_on(derived: Fleet, seen: Fleet) -> Fleet:
    """What a stack of add-ons registers, on the cluster that it only describes."""
    described = {each.ref: each for each in derived.of(Addon)}
    theirs = tuple(each for each in derived.objects if not isinstance(each, Addon) or each.installed_by)
    own = tuple(_of_description(each, described.get(each.ref)) for each in seen.of(Addon))
    return replace(derived, objects=(*theirs, *own, *seen.witnessed), unreadable=seen.unreadable)


def _of_description(seen: Addon, twin: Addon | None) -> Addon:
    return replace(seen, place=twin.place, apart=twin.apart) if twin else seen
