"""The base of facts."""

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic import Field as PydanticField
from pydantic.alias_generators import to_camel

NULLS_ALLOWED: dict[str, Any] = {"x-null": "a fact nobody gave"}
"""What a model says of itself that takes null for "not known"."""


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
