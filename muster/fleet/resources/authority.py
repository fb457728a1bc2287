"""What AWS's own package says of a ParallelCluster configuration, as rules see it: a fact like others, gathered before
they are asked (`muster.authority`)."""

from dataclasses import dataclass

from muster.fleet.resources.place import Place, Ref


@dataclass(frozen=True, slots=True)
class Said:
    """One of its messages."""

    by: str
    """The schema, or a validator's class."""
    level: str
    """``ERROR`` or ``WARNING``."""
    text: str
    key: str
    """The place in the configuration: ``Scheduling.SlurmQueues[0].Name``."""
    at: str
    """The field of the description that it comes from."""
    failed: bool = False
    """Whether the validator could not judge."""


@dataclass(frozen=True, slots=True)
class AuthorityReport:
    """All it says of one cluster."""

    ref: Ref
    place: Place
    said: tuple[Said, ...] = ()
    missing: str | None = None
    """Why it could not be asked."""
