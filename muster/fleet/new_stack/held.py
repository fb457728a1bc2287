"""What holds instances: a reservation, a Capacity Block or a training plan, as far as a stack needs to know it."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Kind(StrEnum):
    """By the key that a description has for it."""

    RESERVATION = "reservation"
    CAPACITY_BLOCK = "capacity-block"
    TRAINING_PLAN = "training-plan"

    @property
    def words(self) -> str:
        """For people: ``Capacity Block``."""
        return {"reservation": "reservation", "capacity-block": "Capacity Block", "training-plan": "training plan"}[
            self
        ]


class Source(StrEnum):
    """Who says what is held; for people, before a colon."""

    AWS = "as AWS says"
    YOU = "as you said"
    """On a terminal, where AWS does not say it."""
    NOBODY = "assumed"
    """Nobody was asked: it is taken for granted."""


@dataclass(frozen=True, slots=True)
class Held:
    """Instances of one type in one zone, which are somebody's already."""

    kind: Kind
    id: str
    """A reservation's id, a training plan's ARN."""
    instance: str
    """EC2's name of the type, of training plans too."""
    zone: str
    count: int
    available: int | None = None
    """How many of them nobody uses now, None where nobody says."""
    zone_id: str | None = None
    starts: date | None = None
    ends: date | None = None
    begun: bool = False
    """A Capacity Block: whether it runs today."""
    placement_group: str | None = None
    """A reservation: the group that it was made in, by name."""
    owner: str | None = None
    """The account whose it is, where that is another one than asks."""
    source: Source = Source.AWS
    """Who says all this."""
    typed: frozenset[str] = frozenset()
    """The options that say some of it where AWS is not asked: ``--zone``."""

    def why(self, option: str) -> str:
        """Where a value comes from that AWS did not say."""
        return f"as given with {option}" if option in self.typed else self.source.value

    @property
    def name(self) -> str:
        """As comments call it: ``cr-0123456789abcdef0``, ``training plan p5-plan``."""
        return f"training plan {self.id.rpartition('/')[2]}" if self.kind is Kind.TRAINING_PLAN else self.id

    @property
    def place(self) -> str:
        """``us-west-2a (usw2-az2)``."""
        return f"{self.zone} ({self.zone_id})" if self.zone_id else self.zone
