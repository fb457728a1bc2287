"""Parts that descriptions of HyperPod and of ParallelCluster have in common: subnets, names, tags and types."""

import re
from collections.abc import Container, Mapping
from string import ascii_lowercase
from typing import Any

from muster.blueprint.tags import MUSTER_TAGS
from muster.config.identifiers import PLACEHOLDER, SubnetId
from muster.finding import KeyPath
from muster.hardware.catalogue import Hardware, UnknownInstance, hardware
from muster.sources.draft import Draft, text


class Subnets:
    """The subnets so far. A description names a zone for each, so the zones are placeholders: a, b, ..."""

    def __init__(self, draft: Draft, raw: Mapping[str, Any], region: str) -> None:
        """Creates the subnets.

        Args:
            draft: the description.
            raw: the file with its placeholders: two equal ones are one subnet.
            region: the Region of the zones.
        """
        self._draft, self._raw, self._region = draft, raw, region
        self._zones: dict[str, str] = {}
        """What equal subnets share -> the zone."""
        self._private: dict[str, str] = {}

    @property
    def first_zone(self) -> str:
        """The zone of the first subnet."""
        return next(iter(self._private), f"{self._region}a")

    def described(self) -> dict[str, Any]:
        """The value of `network.existing`."""
        if not self._private:
            self._private[self.first_zone] = f"subnet-{PLACEHOLDER}-private-a"
        self._draft.placeholder("network", "existing", "vpc")
        for zone in self._private:
            self._draft.placeholder("network", "existing", "private", zone)
        return {"vpc": f"vpc-{PLACEHOLDER}", "private": self._private}

    def _zone(self, value: Any, path: KeyPath) -> str:
        """The zone of a private subnet."""
        same = self._same(value, path)
        if same not in self._zones:
            zone = f"{self._region}{ascii_lowercase[len(self._zones) % len(ascii_lowercase)]}"
            self._zones[same] = zone
            self._private[zone] = self._id(value, path, "private", zone)
        return self._zones[same]

    def _id(self, value: Any, path: KeyPath, tier: str, zone: str) -> str:
        good = self._draft.accepted(SubnetId, value, path)
        return str(value) if good else f"subnet-{PLACEHOLDER}-{tier}-{zone[-1]}"

    def _same(self, value: Any, path: KeyPath) -> str:
        """What two equal subnets share: their id, or their placeholder in the file, which may stand for the list."""
        if isinstance(value, str):
            return value
        here: Any = self._raw
        for step in path:
            if isinstance(here, Mapping):
                here = here.get(step)
            elif isinstance(here, list):
                here = here[step] if isinstance(step, int) and step < len(here) else None
        return "" if here is None else str(here)


def add_name(
    draft: Draft, given: Any, path: KeyPath, taken: Container[str], *, instead: str, longest: int, not_one: str = ""
) -> str:
    """A name that a description can have, and that nothing else has.

    Args:
        draft: the description.
        given: the name in the file.
        path: where it is in the file.
        taken: the other names.
        instead: the name if none is given.
        longest: the most characters of a name.
        not_one: a word that cannot be a name.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", (text(given) or instead).lower()).strip("-")
    name = (plain if plain[:1].isalpha() else f"{instead[0]}-{plain}")[:longest].strip("-")
    name = instead if name == not_one or not plain else name
    stem, number = name, 1
    while name in taken:
        number += 1
        name = f"{stem[: longest - 1 - len(str(number))]}-{number}"
    if name == given:
        draft.take(path)
    else:
        draft.leave(path, f"a name is unique, and has lower-case letters, digits and dashes: here {name}")
    return name


def add_tags(draft: Draft, document: Mapping[str, Any], *, without: Mapping[str, str]) -> None:
    """Adds the tags of a file.

    Args:
        draft: the description.
        document: the file.
        without: the key of a tag that the description does not have -> why.
    """
    made = {}
    listed = document.get("Tags")
    for index, entry in enumerate(listed if isinstance(listed, list) else []):
        path = ("Tags", index)
        key = text(entry.get("Key")) if isinstance(entry, Mapping) else None
        value = entry.get("Value") if isinstance(entry, Mapping) else None
        if key in MUSTER_TAGS:
            draft.take(path)
        elif key is not None and key in without:
            draft.leave(path, without[key])
        elif key is not None and isinstance(value, str | int | float):
            made[key] = str(value)
            draft.origin(("tags", key), path)
            draft.take(path)
        else:
            draft.leave(path, "its key or its value is not known")
    if made:
        draft.cluster["tags"] = made


def machine_of(instance: str | None) -> Hardware | None:
    """The hardware of a type; None for one that Muster does not know."""
    try:
        return hardware(instance) if instance else None
    except UnknownInstance:
        return None
