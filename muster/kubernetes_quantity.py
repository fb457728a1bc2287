"""Kubernetes' quantities: read from manifests, counted as the scheduler counts, written as Kubernetes writes them."""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Self

from muster.message_text import show_value
from muster.whole_number import whole_number

_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}

_FORM = re.compile(r"(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+))(?P<suffix>[a-zA-Z]*|[eE][+-]?\d+)", re.ASCII)
_LONGEST = 64
"""The longest text that is read. Kubernetes may accept longer ones; users do not write them."""

_FURTHEST = 40
"""The largest power of ten that is computed. A quantity above 64 bits is cut to `MOST`; one below a nano becomes
one."""

MOST = 2**63 - 1
"""The largest amount that Kubernetes represents."""

_NANO = 10**9


@dataclass(frozen=True, slots=True, order=True)
class Quantity:
    """An amount, exact to a billionth."""

    nano: int

    @classmethod
    def parse(cls, written: Any) -> Self:
        """Reads an amount, after `ParseQuantity` of k8s.io/apimachinery: rounded up to a nano, cut off at 64 bits.

        Numbers are read as if they were quoted, as the API server does.

        Raises:
            ValueError: it is none.
        """
        if isinstance(written, bool) or not isinstance(written, str | int | float):
            raise ValueError(f"{show_value(written)} is not an amount; {_AS_IN}")  # noqa: TRY004 (it is still wrong input)
        if isinstance(written, int) and abs(written) > MOST:
            return cls((MOST if written > 0 else -MOST) * _NANO)
        match = _FORM.fullmatch(str(written)) if len(str(written)) <= _LONGEST else None
        if not match:
            raise ValueError(f"{show_value(written)} is not an amount; {_AS_IN}")
        return cls(_nano(Fraction(match["number"]), match["suffix"]))

    @property
    def milli(self) -> int:
        """Thousandths, rounded up: how the scheduler counts CPU."""
        return -(-self.nano // 10**6)

    @property
    def whole(self) -> int:
        """Whole ones, rounded up: how the scheduler counts everything else."""
        return -(-self.nano // _NANO)


_AS_IN = "write a number with a unit of Kubernetes, as in 500m, 2, 32000Mi"


def _nano(number: Fraction, suffix: str) -> int:
    unit: Fraction
    if suffix in _BINARY:
        unit = Fraction(1024) ** _BINARY[suffix]
    else:
        power = _DECIMAL[suffix] if suffix in _DECIMAL else _exponent(suffix)
        unit = Fraction(10) ** max(-_FURTHEST, min(_FURTHEST, power))
    amount = number * unit
    # Away from zero: a small request does not become 0.
    size = min(MOST * _NANO, ceil(abs(amount) * _NANO))
    return size if amount >= 0 else -size


def _exponent(suffix: str) -> int:
    if (exponent := whole_number(suffix[1:])) is not None:
        return exponent
    units = ", ".join((*filter(None, _DECIMAL), *_BINARY))
    raise ValueError(f"'{suffix}' is not a unit of Kubernetes; the units are {units}")


CPU = "cpu"
MIB = 2**20

BUILT_IN = frozenset({CPU, "memory", "ephemeral-storage", "pods"})
"""What every node has."""

_BYTES = frozenset({"memory", "ephemeral-storage", "storage"})

_Units = tuple[tuple[str, int], ...]

_OF_CPU: _Units = (("", 1000), ("m", 1))
_OF_BYTES: _Units = (("Gi", 2**30), ("Mi", MIB), ("Ki", 2**10), ("", 1))
_OF_PIECES: _Units = (("", 1),)
"""Units with their sizes, the coarsest first."""


def base_units(resource: str, quantity: Quantity) -> int:
    """A quantity in the resource's base unit; a part of one is one."""
    return quantity.milli if resource == CPU else quantity.whole


def format_amount(resource: str, number: int) -> str:
    """An amount as a Kubernetes quantity, exact: ``8``, ``7910m``, ``4Gi``, ``32000Mi``.

    Bytes are in the coarsest unit of which they are a whole number.
    """
    return format_amounts(resource, number)[0]


def format_amounts(resource: str, *numbers: int) -> tuple[str, ...]:
    """Amounts in one unit: ``8000m`` beside ``7910m``, never ``8``."""
    units = _OF_CPU if resource == CPU else _OF_BYTES if is_bytes(resource) else _OF_PIECES
    unit, size = next(each for each in units if not any(number % each[1] for number in numbers))
    return tuple(f"{number // size}{unit}" if number else "0" for number in numbers)


def format_with_resource(resource: str, number: int) -> str:
    """An amount with its resource: ``8 nvidia.com/gpu``, ``32000Mi of memory``."""
    of = "of " if resource == CPU or is_bytes(resource) else ""
    return f"{format_amount(resource, number)} {of}{resource}"


def is_bytes(resource: str) -> bool:
    """Whether its base unit is the byte."""
    return resource in _BYTES or is_huge_pages(resource)


def is_huge_pages(resource: str) -> bool:
    """Whether it is huge pages, of whatever size."""
    return resource.startswith("hugepages-")


def is_device(resource: str) -> bool:
    """Whether it comes in pieces that a device plugin offers: GPUs, EFA interfaces, Neuron cores."""
    return resource not in BUILT_IN and not is_bytes(resource)
