"""What the description of every cluster has, whichever backend runs it."""

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from muster.config.description.base import Change, StrictModel, field
from muster.finding import KeyPath

if TYPE_CHECKING:
    from muster.config.description.instance_group import InstanceGroup
    from muster.config.description.network import Network
    from muster.config.description.node_group import Group
    from muster.config.description.slurm_nodes import ComputeResource
    from muster.config.description.storage import Registry, Storage


class Suppression(StrictModel):
    """A finding the user has looked at and takes the blame for."""

    rule: str = field("The rule's id.", Change.NOTHING)
    at: str = field("The place the finding is at: groups.workers, or a path below it.", Change.NOTHING)
    reason: str = field("Why it is all right here.", Change.NOTHING, min_length=10)
    until: date = field('The day after which the finding counts again, in quotes: "2026-12-31".', Change.NOTHING)


class AnyCluster(StrictModel):
    """A cluster on any backend. Each backend's own model declares these fields, with its own texts and costs."""

    def group_path(self, name: str) -> KeyPath:
        """Where a group is in the description."""
        return ("groups", name)

    if TYPE_CHECKING:

        @property
        def backend(self) -> str:
            """Which service runs the cluster."""

        @property
        def name(self) -> str | None:
            """Its name; the stack's without it."""

        @property
        def network(self) -> Network:
            """The network."""

        @property
        def groups(self) -> Mapping[str, Group | InstanceGroup | ComputeResource]:
            """Groups of nodes by name."""

        @property
        def storage(self) -> Mapping[str, Storage]:
            """Shared file systems by name."""

        @property
        def registry(self) -> Registry | None:
            """A container registry for training images."""

        @property
        def tags(self) -> Mapping[str, str]:
            """AWS tags."""

        @property
        def suppress(self) -> tuple[Suppression, ...]:
            """Findings taken as known."""
