"""Values of a template that are not plain data: those that only CloudFormation knows, and names of its resources. And
how many of them its functions may make before Muster refuses it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Inside:
    """A value that only CloudFormation will know."""

    name: str
    """Two of the same name are one value: ``pcluster.ComputeSubnet``."""
    shape: str = field(default="", compare=False)
    """The text of an `Fn::Sub` with such a value, with its variables as written."""

    def __str__(self) -> str:
        return self.name


class Named(str):
    """A text that stands for an id, a name or an ARN of a resource of the template, or that contains such texts."""

    __slots__ = ("parts", "resource")
    resource: str
    """The logical id of the resource, below its stacks; empty for a text with several parts."""
    parts: "tuple[Named, ...]"
    """The names in a text with several parts; empty for one name."""

    @classmethod
    def of(cls, text: str, resource: str) -> "Named":
        """The name of one resource."""
        made = cls(text)
        made.resource, made.parts = resource, ()
        return made

    @classmethod
    def with_parts(cls, text: str, parts: "Iterable[Named]") -> "Named":
        """A longer text with names of resources in it; the name itself if the text is nothing else."""
        names = tuple(one for each in parts for one in (each.parts or (each,)))
        whole = next((each for each in names if each == text), None)
        if whole is not None:
            return whole
        made = cls(text)
        made.resource, made.parts = "", names
        return made

    @property
    def resources(self) -> frozenset[str]:
        """The logical ids of all resources that the text names."""
        return frozenset(each.resource for each in (self.parts or (self,)))


def joined(text: str, values: Iterable[Any]) -> str:
    """A text that was made of values: it names the resources that they name."""
    names = [each for each in values if isinstance(each, Named)]
    return Named.with_parts(text, names) if names else text


def pieces(text: str, separator: str) -> list[str] | None:
    """The pieces of a text. None for the name of one resource, whose real text only CloudFormation knows."""
    if not separator:
        return None
    if not isinstance(text, Named):
        return text.split(separator)
    if not text.parts:
        return None
    listed = str.split(text, separator)
    return [joined(each, [one for one in text.parts if one in each]) for each in listed]


NO_VALUE: Final = object()
"""`AWS::NoValue`: removes the property or the item whose value it is."""


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
