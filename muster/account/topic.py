"""A topic: a stack's queries about one kind of resource, and the facts from the answers. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from pydantic import ValidationError

from muster.account.query import Answer, Inquiry
from muster.blueprint.cluster import ClusterBlueprint
from muster.config.account_references import find_references
from muster.fleet.facts import Fact, Facts
from muster.fleet.facts_merge import FactPath
from muster.fleet.resource_references import ResourceKind


@dataclass(frozen=True, slots=True)
class TopicLine:
    """A printed line about one resource."""

    about: str
    """``reservation cr-0123456789abcdef0``."""
    words: str
    """``active, p5.48xlarge, 4 of 4 free, us-west-2a (usw2-az2)``."""


@dataclass(frozen=True, slots=True)
class TopicResult:
    """The result of a topic."""

    facts: Facts = field(default_factory=Facts)
    """Only facts of this topic, without those that have no answer."""
    lines: tuple[TopicLine, ...] = ()
    open: frozenset[FactPath] | None = None
    """The paths of facts without an answer, if the topic knows them: ``("permissions", "ec2:RunInstances")``. None
    means all its sections that are not in the facts, if a query has no answer; else no paths."""


@dataclass(frozen=True, slots=True)
class PreflightRequest:
    """A stack about which an account is queried."""

    blueprint: ClusterBlueprint
    observed: datetime
    """The moment of the queries."""
    allowed_accounts: tuple[str, ...] = ()
    """The value of `aws:allowedAccountIds` in the stack file."""

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
    inquire: Callable[[PreflightRequest], Inquiry[TopicResult]]
    of: frozenset[str]
    """Its sections of facts, by their names in the file."""
    rights: Mapping[str, str] = field(default_factory=dict)
    """IAM action -> the resource for any stack, ``*`` if IAM has no resource type. A test compares them with the
    topic's queries."""
    leads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Operation -> the operations that may follow from its answer, in later rounds: ``ec2.DescribeSubnets``."""


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
    """The entries of AWS's list, by id. None without an answer, or if AWS leaves out the list or an id in it, which its
    API models allow: an entry that is missing from such a list may exist.

    Args:
        answer: the answer to a query for a list.
        key: the key of the list, such as Subnets.
        id_: the key of an entry's id, such as SubnetId.
    """
    entries = None if answer.result is None else answer.result.get(key)
    if entries is None or not all(id_ in each for each in entries):
        return None
    return {str(each[id_]): each for each in entries}


F = TypeVar("F", bound=Fact)


def parse_fact(kind: type[F], values: Mapping[str, Any]) -> F:
    """Facts of a kind, by their keys. A value that Muster does not know, such as a newer state, is left out, so the
    rules that need it are not evaluated."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as fault:
        strange = {each["loc"][0] for each in fault.errors()}
        return kind.model_validate({key: value for key, value in values.items() if key not in strange})


MAX_ONE_BY_ONE = 40
"""If there are more, all of them are unknown: an incomplete list or sum would look complete."""


def describe_one_by_one(number: int, known: Sequence[str] | None) -> str:
    """The text for the entries of a list that are queried one by one; `known` is None unless all answers are there."""
    if number > MAX_ONE_BY_ONE:
        return f"unknown: there are {number}, but Muster queries at most {MAX_ONE_BY_ONE} one by one"
    return f"unknown: AWS did not answer all {number} queries" if known is None else ", ".join(known) or "none"
