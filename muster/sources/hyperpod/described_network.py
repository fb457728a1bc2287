"""The network of a description: the subnets of a request, by zones that the request does not have."""

from collections.abc import Mapping
from typing import Any

from muster.config.identifiers import PLACEHOLDER, SecurityGroupId
from muster.finding import KeyPath
from muster.plain_data import as_list, value_at
from muster.sources.described_parts import Subnets
from muster.sources.draft import is_valid

_SPANNED = 2
"""The zones of a cluster whose groups are not in one zone."""


class Network(Subnets):
    """The subnets of the cluster and of its groups."""

    def add_cluster(self, subnets: Any, path: KeyPath) -> None:
        """Adds the subnets of the cluster: those in two zones, as Muster's clusters have them."""
        for index, subnet in enumerate(as_list(subnets)):
            at = (*path, index)
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


def _listed(network: Any, key: str) -> list[Any]:
    return as_list(value_at(network, key)) if isinstance(network, Mapping) else []
