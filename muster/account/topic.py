"""A topic: which questions a stack has about one kind of thing, and what the answers come to. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from muster.account.ask import Inquiry
from muster.fleet.facts import Facts
from muster.fleet.kept_facts import Step
from muster.fleet.slurm_blueprint import AnyBlueprint


@dataclass(frozen=True, slots=True)
class Said:
    """A line for people: what AWS says of one thing."""

    about: str
    """``reservation cr-0123456789abcdef0``."""
    words: str
    """``active, p5.48xlarge, 4 of 4 free, us-west-2a (usw2-az2)``."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What a topic comes to."""

    facts: Facts = field(default_factory=Facts)
    """Only what it asked for; what was not answered is not in it."""
    said: tuple[Said, ...] = ()
    open: frozenset[Step] | None = None
    """What it asked for and was not told, where it knows: ``("permissions", "ec2:RunInstances")``. None: of all that it
    speaks of what is not in the facts, where a question was not answered; else nothing."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked about."""

    blueprint: AnyBlueprint
    observed: datetime
    """When AWS is asked."""
    allowed_accounts: tuple[str, ...] = ()
    """`aws:allowedAccountIds` of the stack file."""

    @property
    def region(self) -> str:
        """The stack's."""
        return self.blueprint.region


@dataclass(frozen=True, slots=True)
class Topic:
    """One kind of thing that an account is asked about."""

    name: str
    """``reservations``."""
    inquire: Callable[[Wanted], Inquiry[Learned]]
    of: frozenset[str]
    """The sections of facts that it speaks of, as their file names them."""
    rights: Mapping[str, str] = field(default_factory=dict)
    """IAM action -> the resource it is asked for, ``*`` where IAM knows none: for any stack. A test holds that these
    are exactly what its questions take."""
    leads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Operation -> the operations that its answer may lead to, in later rounds: ``ec2.DescribeSubnets``."""
