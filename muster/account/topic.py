"""A topic: which queries a stack has about one kind of resource, and the facts that the answers come to. Pure."""

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
    """A line for people about one resource."""

    about: str
    """``reservation cr-0123456789abcdef0``."""
    words: str
    """``active, p5.48xlarge, 4 of 4 free, us-west-2a (usw2-az2)``."""


@dataclass(frozen=True, slots=True)
class TopicResult:
    """What a topic comes to."""

    facts: Facts = field(default_factory=Facts)
    """Only facts of this topic; what has no answer is not in it."""
    lines: tuple[TopicLine, ...] = ()
    open: frozenset[FactPath] | None = None
    """The paths of facts without an answer, where the topic knows them: ``("permissions", "ec2:RunInstances")``. None:
    all its sections that are not in the facts, if a query has no answer; else nothing."""


@dataclass(frozen=True, slots=True)
class PreflightRequest:
    """A stack to query an account about."""

    blueprint: ClusterBlueprint
    observed: datetime
    """The moment of the queries."""
    allowed_accounts: tuple[str, ...] = ()
    """`aws:allowedAccountIds` of the stack file."""

    @property
    def region(self) -> str:
        """The stack's."""
        return self.blueprint.region


@dataclass(frozen=True, slots=True)
class Topic:
    """One kind of resource that an account is queried about."""

    name: str
    """``reservations``."""
    about: str
    """What it queries, in one sentence. `docs/preflight.md` prints it."""
    inquire: Callable[[PreflightRequest], Inquiry[TopicResult]]
    of: frozenset[str]
    """The sections of facts that it speaks of, as their file names them."""
    rights: Mapping[str, str] = field(default_factory=dict)
    """IAM action -> the resource for any stack, ``*`` where IAM has no resource type. A test compares them with the
    topic's queries."""
    leads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Operation -> the operations that its answer may lead to, in later rounds: ``ec2.DescribeSubnets``."""


def referenced_ids(wanted: PreflightRequest, *kinds: ResourceKind) -> tuple[str, ...]:
    """The ids of a kind that the stack names, without those that are still to be filled in."""
    every = find_references(wanted.blueprint.described)
    return tuple(each.id for each in every if each.kind in kinds and not each.blank)


MAX_FILTER_VALUES = 200
"""Of one filter (EC2 API, Filter)."""


def id_filter(name: str, values: tuple[str, ...]) -> list[dict[str, object]]:
    """EC2's `Filters`: with them an id that AWS does not know is left out of the answer, where a list of ids makes the
    whole call fail."""
    return [{"Name": name, "Values": list(values)}]


def index_by_id(answer: Answer, key: str, id_: str) -> dict[str, Mapping[str, Any]] | None:
    """The entries of AWS's list, by id. None without an answer, or where AWS leaves out the list or an id in it, which
    its API models allow: an entry that is missing from such a list may exist.

    Args:
        answer: the answer to a query that lists.
        key: the key of the list, as in Subnets.
        id_: the key of an entry's id, as in SubnetId.
    """
    entries = None if answer.result is None else answer.result.get(key)
    if entries is None or not all(id_ in each for each in entries):
        return None
    return {str(each[id_]): each for each in entries}


F = TypeVar("F", bound=Fact)


def parse_fact(kind: type[F], values: Mapping[str, Any]) -> F:
    """Facts of a kind, by their keys. A value that Muster does not know, such as a newer state, is left out: the rules
    that need it are not evaluated."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as fault:
        strange = {each["loc"][0] for each in fault.errors()}
        return kind.model_validate({key: value for key, value in values.items() if key not in strange})


MAX_ONE_BY_ONE = 40
"""Where there are more, nothing is known of them: a list, or a sum, that lacks some would be taken for all."""


def describe_one_by_one(number: int, known: Sequence[str] | None) -> str:
    """The text for the entries of a list that are queried one by one; `known` is None without all answers."""
    if number > MAX_ONE_BY_ONE:
        return f"{number}, and {MAX_ONE_BY_ONE} at most are asked about one by one: not known"
    return f"{number} to ask about, not all answered: not known" if known is None else ", ".join(known) or "none"
