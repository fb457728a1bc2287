"""Amounts of memory and storage with their unit, because a bare number is how `hugepages-2Mi: 256` happens."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from muster.whole_number import whole_number

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

_MIB_PER_UNIT = {"Mi": 1, "MiB": 1, "Gi": 1024, "GiB": 1024, "Ti": 1024 * 1024, "TiB": 1024 * 1024}
_FORM = re.compile(r"([0-9]{1,9})\s*([A-Za-z]*)")


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
        match = _FORM.fullmatch(text.strip())
        if match and match[2] in _MIB_PER_UNIT and (amount := whole_number(match[1])) is not None:
            return cls(amount * _MIB_PER_UNIT[match[2]])
        what = f"{text} has no unit" if match and not match[2] else f"'{text}' is not a size"
        raise ValueError(f"{what}; write a whole number and a binary unit, as in 300GiB or 10256MiB")

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


def whole_gib(size: Size) -> Size:
    """The size, as EBS and FSx take it.

    Raises:
        ValueError: not a whole number of GiB.
    """
    if size.mib % 1024:
        near = " or ".join(str(each) for each in size.neighbours(1024) if each.mib)  # no disk has 0GiB
        raise ValueError(f"{size} is not a whole number of GiB; write {near}")
    return size


def whole_gib_within(least: Size, most: Size, what: str) -> Callable[[Size], Size]:
    """A check of the size of something that EC2 makes in whole GiB: ``a root volume``."""

    def checked(size: Size) -> Size:
        if not least <= size <= most:
            raise ValueError(f"{what} cannot be {size}; write {least} to {most}")
        return whole_gib(size)

    return checked
