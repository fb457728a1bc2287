"""Which of the things that a stack names an account is asked about. Pure."""

from muster.account.topic import Wanted
from muster.fleet.named import Kind
from muster.fleet.naming import named


def ids(wanted: Wanted, *kinds: Kind) -> tuple[str, ...]:
    """The ids of a kind that the stack names, without those that are still to be filled in."""
    every = named(wanted.blueprint.described)
    return tuple(each.id for each in every if each.kind in kinds and not each.blank)


def by_id(name: str, values: tuple[str, ...]) -> list[dict[str, object]]:
    """EC2's `Filters`: with them an id that AWS does not know is left out of the answer, where a list of ids makes the
    whole call fail."""
    return [{"Name": name, "Values": list(values)}]
