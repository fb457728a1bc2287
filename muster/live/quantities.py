"""Kubernetes' quantities as numbers: ``191450m``, ``1811Gi``, ``32``."""

import re
from fractions import Fraction

_FORM = re.compile(r"([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)(?:[eE]([+-]?\d+)|(n|u|m|k|[KMGTPE]i?)?)")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {f"{letter}i": 1024**power for power, letter in enumerate("KMGTPE", 1)}
_MIB = 2**20


def number(quantity: str | float) -> Fraction:
    """A quantity in its own unit: cores, bytes, devices.

    Raises:
        ValueError: it is none.
    """
    match = _FORM.fullmatch(str(quantity).strip())
    if not match:
        raise ValueError(f"'{quantity}' is not a Kubernetes quantity")
    digits, exponent, unit = match.groups()
    scale = Fraction(_BINARY[unit]) if unit in _BINARY else Fraction(10) ** int(exponent or _DECIMAL.get(unit or "", 0))
    return Fraction(digits) * scale


def whole(quantity: str | float) -> int:
    """Devices, pods."""
    return int(number(quantity))


def millicores(quantity: str | float) -> int:
    """CPU."""
    return int(number(quantity) * 1000)


def mib(quantity: str | float) -> int:
    """Memory, huge pages."""
    return int(number(quantity) / _MIB)
