"""What a stack exports."""

from dataclasses import dataclass, field
from typing import Any

from muster.fleet.resources.place import Place, Ref

STACK_OUTPUT = "muster:stack:Output"
"""Not a Pulumi type: one output of a stack, by its name."""


@dataclass(frozen=True, slots=True)
class Output:
    """One output of a stack. Whoever may read the stack's state reads it, unless it is a secret."""

    ref: Ref
    value: Any = field(hash=False)
    """Plain data; anything in it may be unknown."""
    secret: bool
    place: Place = field(compare=False)
