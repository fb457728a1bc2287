"""A place whose charts are fetched once, however often they are rendered."""

from dataclasses import dataclass, field
from pathlib import Path

from addons.addon import Addon
from addons.charts.place import Found, Place


@dataclass(frozen=True, slots=True)
class Kept:
    """Another place, and what it gave."""

    place: Place
    folder: Path
    """For what must be fetched; whoever made it removes it."""
    found: dict[tuple[str, str], Found] = field(default_factory=dict)

    def find(self, addon: Addon, version: str, scratch: Path) -> Found:  # noqa: ARG002  # it outlives that folder
        """See `Place`."""
        key = addon.name, version
        if key not in self.found:
            folder = self.folder / str(len(self.found))
            folder.mkdir(exist_ok=True)
            self.found[key] = self.place.find(addon, version, folder)
        return self.found[key]
