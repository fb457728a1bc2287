"""What somebody wants of a reference job beside its name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ask:
    """How a job is wanted; empty: the one group that fits, with the nodes it starts with."""

    group: str | None = None
    """The group of the workers, needed where several fit."""
    nodes: int | None = None
    """How many workers, one a node."""
    beyond_the_group: bool = False
    """More workers than the group may ever have are made all the same: a rehearsal lets the scheduler answer."""


PLAIN = Ask()
"""Nothing in particular."""
