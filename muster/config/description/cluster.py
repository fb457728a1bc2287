"""What the description of a cluster has on every backend."""

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from muster.config.description.base import Change, StrictModel, key
from muster.finding import KeyPath

if TYPE_CHECKING:
    from muster.config.description.group import Group
    from muster.config.description.network import Network
    from muster.config.description.storage import Registry, Storage


class Suppression(StrictModel):
    """A finding that you have reviewed and accept."""

    rule: str = key("Id of the rule.", Change.NOTHING)
    at: str = key("Place of the finding: groups.workers, or a path below it.", Change.NOTHING)
    reason: str = key("Why the finding is acceptable here. At least 10 characters.", Change.NOTHING, min_length=10)
    until: date = key(
        'Last day of the suppression, in quotes: "2026-12-31". After it, Muster reports the finding again.',
        Change.NOTHING,
    )


class AnyCluster(StrictModel):
    """A cluster on any backend. The model of each backend declares these fields, with its own texts and costs."""

    def group_path(self, name: str) -> KeyPath:
        """Where a group is in the description."""
        return ("groups", name)

    if TYPE_CHECKING:

        @property
        def backend(self) -> str:
            """Which service runs the cluster."""

        @property
        def name(self) -> str | None:
            """Its name. Default: the name of the stack."""

        @property
        def network(self) -> Network:
            """The network."""

        @property
        def groups(self) -> Mapping[str, Group]:
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
            """Findings that the user accepts."""
