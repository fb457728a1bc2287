"""What every block of the outputs has in common, and what is said of outputs that are none of Muster's."""

import reprlib
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

CONTRACT = 1

SECRETS = frozenset({"kubeconfig"})
"""Outputs that are exported as secrets."""


class NotTheContract(ValueError):
    """Outputs are not of this contract; the message says whose, and what is missing or of another form."""


class Output(BaseModel):
    """The base of every block: unknown keys of a newer writer are passed over."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True
    )


class Stack(Output):
    """What a stack with a cluster exports, whichever service runs it."""

    other_backends: ClassVar[Mapping[str, str]]
    """Backends of other forms -> what such a stack is, and what reads it."""

    @classmethod
    def read(cls, outputs: Mapping[str, Any], stack: str = "") -> Self:
        """Reads a stack's outputs, with or without the kubeconfig.

        Args:
            outputs: name -> value, as `pulumi stack output --json` prints them.
            stack: what errors call the stack.

        Raises:
            NotTheContract: they are not of this contract; the message names everything missing or of another form.
        """
        whose = f"stack '{stack}'" if stack else "the stack"
        given = {name: value for name, value in outputs.items() if value is not None}
        if not given:
            raise NotTheContract(f"{whose} has no outputs: it is not deployed yet, or was destroyed")
        if "addonsOf" in given:
            raise NotTheContract(f"{whose} has no cluster, only add-ons for one: read stack '{given['addonsOf']}'")
        if "contract" not in given:
            raise NotTheContract(f"{whose} has no output 'contract': it is no stack of Muster's")
        if given["contract"] != CONTRACT:
            number = given["contract"]
            raise NotTheContract(
                # Numbers come as floats from the engine.
                f"{whose} exports contract {f'{number:g}' if isinstance(number, float) else repr(number)}; "
                f"this reader knows contract {CONTRACT}: "
                "use the muster package of the version that deployed it"
            )
        if given.get("backend") in cls.other_backends:
            raise NotTheContract(f"{whose} {cls.other_backends[given['backend']]}")
        try:
            return cls.model_validate(given)
        except ValidationError as fault:
            raise NotTheContract("\n".join((f"{whose} does not export contract {CONTRACT}:", *_words(fault)))) from None


def _words(fault: ValidationError) -> Iterator[str]:
    """A line for each output that is missing or of another form, by its path."""
    for each in fault.errors(include_url=False):
        path = ".".join(str(step) for step in each["loc"])
        if each["type"] == "missing":
            yield f"  {path} is missing"
        elif each["loc"][0] in SECRETS:
            yield f"  {path} is of another form"
        else:
            yield f"  {path} is {reprlib.repr(each['input'])}: {each['msg'][:1].lower()}{each['msg'][1:]}"
