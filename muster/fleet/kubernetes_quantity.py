"""Kubernetes' quantities, as people write them in manifests: `500m`, `32000Mi`, `1e3`, `0.5`.

Not `muster.fleet.quantity.Size`, which is what a description is written in and refuses most of these on purpose.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Self

_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}

_FORM = re.compile(r"(?P<number>[+-]?(?:\d+\.?\d*|\.\d+))(?P<suffix>[a-zA-Z]*|[eE][+-]?\d+)", re.ASCII)
_LONGEST = 64
"""Longer ones Kubernetes may read, people do not write."""

_FURTHEST = 40
"""Powers of ten. What is larger than 64 bits hold is as good as all of it, what is smaller than a nano is one."""

MOST = 2**63 - 1
"""What Kubernetes counts up to."""

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
            raise ValueError(f"{_shown(written)} is not an amount; {_AS_IN}")  # noqa: TRY004 (wrong input all the same)
        if isinstance(written, int) and abs(written) > MOST:
            return cls((MOST if written > 0 else -MOST) * _NANO)
        match = _FORM.fullmatch(str(written)) if len(str(written)) <= _LONGEST else None
        if not match:
            raise ValueError(f"{_shown(written)} is not an amount; {_AS_IN}")
        return cls(_nano(Fraction(match["number"]), match["suffix"]))

    @property
    def milli(self) -> int:
        """Thousandths, rounded up: how the scheduler counts CPU."""
        return -(-self.nano // 10**6)

    @property
    def whole(self) -> int:
        """Whole ones, rounded up: how the scheduler counts everything else."""
        return -(-self.nano // _NANO)


_AS_IN = "write a number with one of Kubernetes' units, as in 500m, 2, 32000Mi"


def _shown(written: Any) -> str:
    text = repr(written) if isinstance(written, str) else str(written)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _nano(number: Fraction, suffix: str) -> int:
    unit: Fraction
    if suffix in _BINARY:
        unit = Fraction(1024) ** _BINARY[suffix]
    else:
        power = _DECIMAL[suffix] if suffix in _DECIMAL else _exponent(suffix)
        unit = Fraction(10) ** max(-_FURTHEST, min(_FURTHEST, power))
    amount = number * unit
    # Away from zero: whoever asks for a little gets a little.
    size = min(MOST * _NANO, ceil(abs(amount) * _NANO))
    return size if amount >= 0 else -size


def _exponent(suffix: str) -> int:
    if suffix[1:].lstrip("+-").isdecimal():
        return int(suffix[1:])
    known = [*filter(None, _DECIMAL), *_BINARY]
    # "GB" and "gib" are meant for a unit that differs in capitals or in the B.
    meant = next((unit for unit in reversed(known) if unit.lower() == suffix.lower().removesuffix("b")), None)
    remedy = f"write {meant}" if meant else f"the units are {', '.join(known)}"
    raise ValueError(f"'{suffix}' is not one of Kubernetes' units; {remedy}")
