"""The network of a description: the subnets of a request, by zones that the request does not have."""

from collections.abc import Mapping
from typing import Any

from muster.config.identifiers import PLACEHOLDER, SecurityGroupId
from muster.finding import KeyPath
from muster.plain_data import as_list, value_at
from muster.sources.described_parts import Subnets
from muster.sources.draft import Draft, is_valid


class Network(Subnets):
    """The subnets of the cluster and of its groups."""

    def __init__(self, draft: Draft, raw: Mapping[str, Any], region: str, zones: int = 2) -> None:
        """Creates the network; arguments as of `Subnets`.

        Args:
            draft: the description.
            raw: the file with its placeholders.
            region: the Region of the zones.
            zones: the most zones of a cluster, for groups that are not in one zone: two on EKS, one with Slurm.
        """
        super().__init__(draft, raw, region)
        self._most = zones

    def add_cluster(self, subnets: Any, path: KeyPath) -> None:
        """Adds the subnets of the cluster: those in its first zones, as Muster's clusters have them."""
        for index, subnet in enumerate(as_list(subnets)):
            at = (*path, index)
            if index < self._most:
                self._zone(subnet, at)
                self._draft.take(at)
            else:
                many = "at most two zones" if self._most > 1 else "one zone"
                self._draft.leave(at, f"a cluster is in {many}; a group may be in another one")

    def zone_of(self, network: Any, path: KeyPath) -> str | None:
        """The zone of a group; None if it is in all zones of the cluster."""
        subnets = _listed(network, "Subnets")
        ours = list(self._zones)[: self._most]
        same = [self._same(each, (*path, "Subnets", index)) for index, each in enumerate(subnets)]
        if not subnets or sorted(same) == sorted(ours):
            self._draft.take((*path, "Subnets"))
            return None
        for index in range(1, len(subnets)):
            self._draft.leave((*path, "Subnets", index), "a group is in one zone, or in the zones of the cluster")
        self._draft.take((*path, "Subnets", 0))
        return self._zone(subnets[0], (*path, "Subnets", 0))

    def security_groups(self, network: Any, path: KeyPath) -> list[str]:
        """The security groups that are known. Nodes also have one of Muster's, so the others are left out."""
        found = []
        for index, group in enumerate(_listed(network, "SecurityGroupIds")):
            at = (*path, "SecurityGroupIds", index)
            if is_valid(SecurityGroupId, group) and PLACEHOLDER not in str(group):
                found.append(group)
                self._draft.take(at)
            else:
                self._draft.leave(at, "its id is not known; Muster adds its security group to the nodes")
        return list(dict.fromkeys(found))


def _listed(network: Any, key: str) -> list[Any]:
    return as_list(value_at(network, key)) if isinstance(network, Mapping) else []
