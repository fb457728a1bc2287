"""The network of a description: the subnets of a request, by zones that the request does not have."""

from collections.abc import Mapping
from string import ascii_lowercase
from typing import Any

from muster.config.identifiers import PLACEHOLDER, SecurityGroupId, SubnetId
from muster.finding import KeyPath
from muster.plain_data import as_list, value_at
from muster.sources.draft import Draft, is_valid

_SPANNED = 2
"""The zones of a cluster whose groups are not in one zone."""


class Network:
    """The subnets so far. A description names a zone for each, so the zones are placeholders: a, b, ..."""

    def __init__(self, draft: Draft, raw: Mapping[str, Any], region: str) -> None:
        """Creates the network.

        Args:
            draft: the description.
            raw: the file with its placeholders: two equal ones are one subnet.
            region: the Region of the zones.
        """
        self._draft, self._raw, self._region = draft, raw, region
        self._zones: dict[str, str] = {}
        self._private: dict[str, str] = {}

    def add_cluster(self, network: Any, path: KeyPath) -> None:
        """Adds the subnets of the cluster: those in two zones, as Muster's clusters have them."""
        for index, subnet in enumerate(_listed(network, "Subnets")):
            at = (*path, "Subnets", index)
            if index < _SPANNED:
                self._zone(subnet, at)
                self._draft.take(at)
            else:
                self._draft.leave(at, "a cluster is in at most two zones; a group may be in another one")

    def zone_of(self, network: Any, path: KeyPath) -> str | None:
        """The zone of a group; None if it is in all zones of the cluster."""
        subnets = _listed(network, "Subnets")
        ours = list(self._zones)[:_SPANNED]
        same = [self._same(each, (*path, "Subnets", index)) for index, each in enumerate(subnets)]
        if not subnets or sorted(same) == sorted(ours):
            self._draft.take((*path, "Subnets"))
            return None
        for index in range(1, len(subnets)):
            self._draft.leave((*path, "Subnets", index), "a group is in one zone, or in the zones of the cluster")
        self._draft.take((*path, "Subnets", 0))
        return self._zone(subnets[0], (*path, "Subnets", 0))

    @property
    def first_zone(self) -> str:
        """The zone of the first subnet."""
        return next(iter(self._private), f"{self._region}a")

    def security_groups(self, network: Any, path: KeyPath) -> list[str]:
        """The security groups that are known. Muster's nodes have that of the EKS cluster and one of its own, so the
        others are left out."""
        found = []
        for index, group in enumerate(_listed(network, "SecurityGroupIds")):
            at = (*path, "SecurityGroupIds", index)
            if is_valid(SecurityGroupId, group) and PLACEHOLDER not in str(group):
                found.append(group)
                self._draft.take(at)
            else:
                self._draft.leave(at, "its id is not known; nodes have the EKS cluster's group and one of Muster's")
        return list(dict.fromkeys(found))

    def described(self) -> dict[str, Any]:
        """The value of `network.existing`."""
        if not self._private:
            self._private[self.first_zone] = f"subnet-{PLACEHOLDER}-private-a"
        self._draft.placeholder("network", "existing", "vpc")
        for zone in self._private:
            self._draft.placeholder("network", "existing", "private", zone)
        return {"vpc": f"vpc-{PLACEHOLDER}", "private": self._private}

    def _same(self, value: Any, path: KeyPath) -> str:
        """What two equal subnets share: their id, or their placeholder in the file."""
        if isinstance(value, str):
            return value
        here: Any = self._raw
        for step in path:
            here = here.get(step) if isinstance(here, Mapping) else _item(here, step)
        return str(here)

    def _zone(self, value: Any, path: KeyPath) -> str:
        same = self._same(value, path)
        if same not in self._zones:
            letter = ascii_lowercase[len(self._zones) % len(ascii_lowercase)]
            zone = f"{self._region}{letter}"
            self._zones[same] = zone
            self._private[zone] = (
                value if self._draft.accepted(SubnetId, value, path) else f"subnet-{PLACEHOLDER}-private-{letter}"
            )
        return self._zones[same]


def _listed(network: Any, key: str) -> list[Any]:
    found = value_at(network, key) if isinstance(network, Mapping) else None
    return found if isinstance(found, list) else as_list(found)


def _item(value: Any, step: str | int) -> Any:
    return value[step] if isinstance(value, list) and isinstance(step, int) and step < len(value) else None
