"""A place where charts and manifests are."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from addons.addon import Addon


@dataclass(frozen=True, slots=True)
class Found:
    """A chart (an archive or a folder) or a manifest (a file)."""

    path: Path
    shown: str
    """Where it is, for people: the address it came from, or its path."""
    version: str | None = None
    """Of a manifest, where its name says it. A chart says it itself."""


class Place(Protocol):
    """A folder, a mirror, or the add-ons' own addresses."""

    def find(self, addon: Addon, version: str, scratch: Path) -> Found:
        """The add-on's chart or manifest.

        Args:
            addon: what for.
            version: which one is asked for.
            scratch: a folder for what must be fetched.

        Raises:
            NoChart: it is not there.
            ChartFault: that cannot be said.
        """
