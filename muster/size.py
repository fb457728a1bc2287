"""Amounts of memory and storage with their unit, because a bare number is how `hugepages-2Mi: 256` happens."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from muster.whole_number import whole_number

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

_MIB_PER_UNIT = {"Mi": 1, "MiB": 1, "Gi": 1024, "GiB": 1024, "Ti": 1024 * 1024, "TiB": 1024 * 1024}
_DECIMAL_UNITS = {"M": "MiB", "MB": "MiB", "G": "GiB", "GB": "GiB", "T": "TiB", "TB": "TiB"}
_AS_IN = "write a size, as in 10256MiB"
"""A number without a unit gets none: 5128 huge pages are not 5128GiB."""

_FORM = re.compile(r"([0-9]{1,9})\s*([A-Za-z]*)")
_DECIMAL = re.compile(r"([0-9]{1,9}\.[0-9]{1,9})\s*([A-Za-z]*)")


@dataclass(frozen=True, slots=True, order=True)
class Size:
    """A whole number of mebibytes. Written ``4800GiB``, ``10256MiB`` or in Kubernetes' form ``5120Mi``."""

    mib: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads ``4800GiB`` and the like.

        Raises:
            ValueError: no unit, a decimal unit (GB: EBS, FSx and Kubernetes count in binary ones), or no number.
        """
        if part := _DECIMAL.fullmatch(text.strip()):
            raise ValueError(f"'{text}' is not a whole number; {_in_whole_units(*part.groups())}")
        match = _FORM.fullmatch(text.strip())
        if not match:
            raise ValueError(f"'{text}' is not a size; write a whole number and a unit, as in 300GiB")
        number, unit = match.groups()
        if unit in _MIB_PER_UNIT and (amount := whole_number(number)) is not None:
            return cls(amount * _MIB_PER_UNIT[unit])
        if not unit:
            raise ValueError(f"{number} has no unit; {_AS_IN}")
        if decimal := _DECIMAL_UNITS.get(unit.upper()):
            remedy = f"write {number}{decimal} (sizes are binary, as in EBS and Kubernetes)"
        else:
            meant = next((each for each in _MIB_PER_UNIT if each.lower() == unit.lower()), None)
            remedy = f"write {number}{meant}" if meant else _AS_IN
        raise ValueError(f"'{unit}' is not a supported unit; {remedy}")

    @property
    def gib(self) -> int:
        """Whole gibibytes, as EBS and FSx take them.

        Raises:
            ValueError: the amount is not a whole number of GiB.
        """
        if self.mib % 1024:
            raise ValueError(f"{self} is not a whole number of GiB")
        return self.mib // 1024

    @property
    def kubernetes(self) -> str:
        """The amount as a Kubernetes quantity in mebibytes: ``10256Mi``."""
        return f"{self.mib}Mi"

    def __str__(self) -> str:
        return f"{self.mib // 1024}GiB" if self.mib % 1024 == 0 else f"{self.mib}MiB"

    def neighbours(self, step: int) -> tuple[Self, Self]:
        """The nearest multiples of `step` mebibytes, below and above."""
        below = self.mib - self.mib % step
        return type(self)(below), type(self)(below + step)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> "CoreSchema":
        from pydantic_core import PydanticCustomError, core_schema  # noqa: PLC0415  (`muster hardware` needs no pydantic)

        def validate(value: Any) -> "Size":
            if isinstance(value, Size):
                return value
            if isinstance(value, bool) or not isinstance(value, str | int):
                raise PydanticCustomError("size_type", "a size is text with a unit, as in 300GiB")
            try:
                return cls.parse(str(value))
            except ValueError as fault:
                raise PydanticCustomError("size", "{fault}", {"fault": str(fault)}) from None

        return core_schema.no_info_plain_validator_function(
            validate, serialization=core_schema.plain_serializer_function_ser_schema(str)
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: Any, _handler: Any) -> dict[str, Any]:
        return {"type": "string", "pattern": r"^[0-9]+\s*(Mi|MiB|Gi|GiB|Ti|TiB)$", "examples": ["300GiB"]}


def _in_whole_units(number: str, unit: str) -> str:
    """What to write instead of a decimal number. Services sell 4800 GiB as 4.8 TiB."""
    smaller = {"T": "GiB", "G": "MiB"}.get(unit[:1].upper())
    whole, _, part = number.rstrip("0").partition(".")
    if smaller is None or part[3:]:
        return "write a whole number and a unit, as in 300GiB"
    return f"write {whole_number(whole + part.ljust(3, '0'))}{smaller}"


def whole_gib(size: Size) -> Size:
    """The size, as EBS and FSx take it.

    Raises:
        ValueError: not a whole number of GiB.
    """
    if size.mib % 1024:
        near = " or ".join(str(each) for each in size.neighbours(1024) if each.mib)  # no disk has 0GiB
        raise ValueError(f"{size} is not a whole number of GiB; write {near}")
    return size
