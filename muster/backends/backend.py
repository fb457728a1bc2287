"""What Muster knows of a backend: one record, whose parts are imported when they are used."""

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from muster.blueprint.cluster import ClusterBlueprint
    from muster.config.description.cluster import AnyCluster
    from muster.config.description.cross_field import Check
    from muster.config.description.foreign_keys import ForeignKeys

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lazy(Generic[T]):
    """An object by its place, `package.module:name`. Its module is imported by `load`, not before: so a record names
    parts that load pulumi, and a command loads the models of one backend alone."""

    place: str

    def load(self) -> T:
        """The object itself.

        Raises:
            ImportError, AttributeError: there is none at that place (a test loads every one).
        """
        found: T = resolve_name(self.place)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """A service that runs clusters."""

    name: str
    """The value of the key `backend`."""
    other_names: frozenset[str] = frozenset()
    """What people write for `backend` and mean this one, in lower case."""
    own_keys: frozenset[str] = frozenset()
    """Keys of the description that no other backend has: they show which backend a description without a valid
    `backend` is meant for."""
    own_group_keys: frozenset[str] = frozenset()
    """Keys of a group, likewise."""
    description: Lazy[type["AnyCluster"]]
    """The pydantic model of `muster:cluster`."""
    foreign_keys: Lazy["ForeignKeys"]
    """Keys that only other backends have, and what to write here instead."""
    cross_field_checks: Lazy[tuple["Check", ...]]
    """Checks of a document that read several keys."""
    derive: Lazy[Callable[..., "ClusterBlueprint"]]
    """Description, stack, region, facts, facts file -> blueprint. The blueprint makes the fleet that rules judge."""
    register: Lazy[Callable[[Any], dict[str, Any]]]
    """Registers the resources of a blueprint with Pulumi; returns the stack's outputs."""
