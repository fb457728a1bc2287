"""The base of facts."""

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict
from pydantic import Field as PydanticField
from pydantic.alias_generators import to_camel

NULLS_ALLOWED: dict[str, Any] = {"x-null": "a fact nobody gave"}
"""What a model says of itself that takes null for "not known"."""


def _in_utc(said: datetime) -> datetime:
    try:
        return said.astimezone(UTC) if said.tzinfo else said.replace(tzinfo=UTC)
    except OverflowError:
        raise ValueError(f"{said.isoformat()} is before the year 1, or after 9999, in UTC") from None


Moment = Annotated[datetime, AfterValidator(_in_utc)]
"""When something begins, ends or was said, in UTC, as AWS's own days are: a person may write it with any offset, and
without one it is UTC, whatever the machine's own zone."""


class Fact(BaseModel):
    """The base of facts: camelCase keys, as AWS's own answers have them; nothing unknown."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=False,
        json_schema_extra=NULLS_ALLOWED,
    )


def a_fact(doc: str) -> Any:
    """A field that is None where nobody gave it."""
    return PydanticField(default=None, description=doc)


EXISTS = "Whether AWS knows it: false where it says that there is none, for this account in this Region."
