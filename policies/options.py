"""What of a rule a configuration may set, beside its level."""

from pydantic import BaseModel, ConfigDict


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class Options(BaseModel):
    """The base of a rule's options: every one has a default, a type and a description, and none is guessed.

    Keys in kebab-case, as in a description. A rule reads its own as ``rule.settings``.
    """

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        alias_generator=_kebab,
        validate_by_name=True,
        validate_by_alias=True,
    )


class NoOptions(Options):
    """Those of a rule that has none."""
