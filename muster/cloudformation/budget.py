"""What the functions of a template may do before Muster refuses it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class TooMany(ValueError):
    """A template that is more than CloudFormation creates or Muster reads: what it has."""


@dataclass(slots=True)
class Budget:
    """One for all templates of a file or a program. A template of CloudFormation has at most 1 MiB and 500 resources;
    its functions can multiply both."""

    steps: int = 200_000
    characters: int = 8 * 2**20

    def spend(self, characters: int = 0, steps: int = 1) -> None:
        """Accounts for something before it is made.

        Raises:
            TooMany: nothing is left.
        """
        self.steps -= steps
        self.characters -= characters
        if self.steps < 0 or self.characters < 0:
            raise TooMany("its loops and functions make more values or text than Muster reads")

    def spend_on(self, value: Any) -> None:
        """Accounts for a value written out: one value may stand in it many times.

        Raises:
            TooMany: nothing is left.
        """
        rest = [value]
        while rest:
            each = rest.pop()
            self.spend(len(each) if isinstance(each, str) else 0)
            if isinstance(each, Mapping):
                rest += each.values()
            elif isinstance(each, list):
                rest += each
