"""What of a rule a configuration may set, beside its level."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, model_validator


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class Options(BaseModel):
    """The base of a rule's options: every one has a default, a type and a description, and none is guessed.

    Keys in kebab-case, as in a description. A rule reads its own as ``Notice.of(rule.settings).days``.
    """

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        alias_generator=_kebab,
        validate_by_name=True,
        validate_by_alias=True,
    )

    @classmethod
    def of(cls, settings: "Options") -> Self:
        """A rule's settings as what they are: its own options.

        Raises:
            TypeError: they are another rule's, which is a bug.
        """
        if not isinstance(settings, cls):
            raise TypeError(f"{type(settings).__name__} where {cls.__name__} belongs")
        return settings

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, value: Any) -> Any:
        """A document has lists and no tuples; strict as they are, options would refuse them."""
        return {key: _frozen(each) for key, each in value.items()} if isinstance(value, dict) else value


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


class NoOptions(Options):
    """Those of a rule that has none."""
