"""A topic: a stack's queries about one kind of resource, and the facts from the answers. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import jmespath
from pydantic import ValidationError

from muster.account.query import Answer, Inquiry
from muster.blueprint.account_references import find_references
from muster.blueprint.cluster import ClusterBlueprint
from muster.fleet.facts import Fact, Facts
from muster.fleet.resource_references import ResourceKind


@dataclass(frozen=True, slots=True)
class PreflightRequest:
    """A stack about which an account is queried."""

    blueprint: ClusterBlueprint
    observed: datetime
    """The moment of the queries."""

    @property
    def region(self) -> str:
        """The stack's."""
        return self.blueprint.region


@dataclass(frozen=True, slots=True)
class Topic:
    """One kind of resource about which an account is queried."""

    name: str
    """``reservations``."""
    about: str
    """The subject of its queries, in one sentence. The reference prints it."""
    inquire: Callable[[PreflightRequest], Inquiry[Facts]]
    """Returns only facts of this topic, without those that have no answer."""
    of: frozenset[str]
    """Its sections of facts, by their names in the file."""


def referenced_ids(wanted: PreflightRequest, *kinds: ResourceKind) -> tuple[str, ...]:
    """The ids of a kind in the stack, without placeholders."""
    every = find_references(wanted.blueprint.described)
    return tuple(each.id for each in every if each.kind in kinds and not each.blank)


MAX_FILTER_VALUES = 200
"""The maximum number of values of one filter (EC2 API, Filter)."""


def id_filter(name: str, values: tuple[str, ...]) -> list[dict[str, object]]:
    """EC2's `Filters`: an unknown id is then missing in the answer, while a list of ids would make the whole call
    fail."""
    return [{"Name": name, "Values": list(values)}]


def index_by_id(answer: Answer, key: str, id_: str) -> dict[str, Mapping[str, Any]] | None:
    """The entries of AWS's list, by id; None without an answer.

    Args:
        answer: the answer to a query that needs the list and its ids.
        key: the key of the list, such as Subnets.
        id_: the key of an entry's id, such as SubnetId.
    """
    return None if answer.result is None else {each[id_]: each for each in answer.result[key]}


F = TypeVar("F", bound=Fact)


def read_fact(kind: type[F], entry: Any, rows: Mapping[str, str], **more: Any) -> F:
    """Facts about one resource. A value that Muster does not know, such as a newer state, is left out, so the
    rules that need it are not evaluated.

    Args:
        kind: the kind of facts.
        entry: AWS's description of the resource.
        rows: key of a fact -> the JMESPath expression that reads it.
        more: further facts by their keys.
    """
    values = {**{key: jmespath.search(each, entry) for key, each in rows.items()}, **more}
    try:
        return kind.model_validate(values)
    except ValidationError as fault:
        strange = {each["loc"][0] for each in fault.errors()}
        return kind.model_validate({key: value for key, value in values.items() if key not in strange})


MAX_ONE_BY_ONE = 40
"""If there are more, all of them are unknown: an incomplete list or sum would look complete."""
