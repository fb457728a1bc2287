"""Facts made of what AWS said. Pure."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from muster.fleet.facts import Fact

F = TypeVar("F", bound=Fact)


def told(kind: type[F], values: Mapping[str, Any]) -> F:
    """Facts of a kind, by their keys. A value that Muster has no word for, as a state that is newer, is not known: the
    rules that need it say so."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as fault:
        strange = {each["loc"][0] for each in fault.errors()}
        return kind.model_validate({key: value for key, value in values.items() if key not in strange})
