"""The members of an answer that botocore's model does not require, each left out."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import botocore.session
from botocore.model import ListShape, MapShape, Shape, StructureShape

from tests.account.aws import Answers

Path = tuple[str, ...]
"""``("Subnets", "AvailabilityZone")``: of every entry of a list."""


@cache
def _model(service: str) -> Any:
    return botocore.session.Session().get_service_model(service)


def optional(operation: str, said: Mapping[str, Any]) -> set[Path]:
    """The members of an answer that the model of its operation does not require."""
    service, _, name = operation.partition(".")
    return set(_optional(said, _model(service).operation_model(name).output_shape, ()))


def _optional(value: Any, shape: Shape | None, path: Path) -> Iterator[Path]:
    if isinstance(shape, StructureShape) and isinstance(value, Mapping):
        for key, each in value.items():
            if key not in shape.required_members:
                yield (*path, key)
            yield from _optional(each, shape.members[key], (*path, key))
    elif isinstance(shape, ListShape):
        for each in value:
            yield from _optional(each, shape.member, path)
    elif isinstance(shape, MapShape):
        for each in value.values():
            yield from _optional(each, shape.value, path)


def without(said: Any, path: Path) -> Any:
    """The answer without that member, wherever it is."""
    if isinstance(said, Mapping):
        first, *rest = path
        left = {key: each for key, each in said.items() if key != first or rest}
        return {key: without(each, tuple(rest)) if key == first else each for key, each in left.items()}
    return [without(each, path) for each in said] if isinstance(said, list | tuple) else said


def leaving_out(answers: Mapping[str, Answers], operation: str, path: Path) -> dict[str, Answers]:
    """The same answers without a member of one operation's."""

    def say(asked: Mapping[str, Any]) -> Any:
        said = answers[operation]
        said = said(asked) if callable(said) else said
        return without(said, path) if isinstance(said, Mapping) else said

    return {**answers, operation: say}


Recorded = dict[str, list[Mapping[str, Any]]]
"""Operation -> its answers."""


def recording(answers: Mapping[str, Answers], into: Recorded) -> dict[str, Answers]:
    """The same answers, each kept where it is given."""

    def keeping(operation: str, answer: Answers) -> Callable[[Mapping[str, Any]], Any]:
        def say(asked: Mapping[str, Any]) -> Any:
            one = answer(asked) if callable(answer) else answer
            if isinstance(one, Mapping):
                into.setdefault(operation, []).append(one)
            return one

        return say

    return {key: keeping(key, each) for key, each in answers.items()}


def members(said: Mapping[str, list[Mapping[str, Any]]]) -> list[tuple[str, Path]]:
    """Every optional member of all answers, with its operation."""
    return sorted(
        {(operation, path) for operation, each in said.items() for one in each for path in optional(operation, one)}
    )
