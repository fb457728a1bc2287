"""The network of a description: the subnets of the file, by zones that the file does not have."""

from collections.abc import Mapping
from typing import Any

from muster.finding import KeyPath
from muster.plain_data import as_list, value_at
from muster.sources.described_parts import Subnets
from muster.sources.draft import Draft
from muster.unknown import UNKNOWN

_SUBNET = ("HeadNode", "Networking", "SubnetId")
_ADDRESS = ("HeadNode", "Networking", "ElasticIp")


class Network(Subnets):
    """The subnets of the queues and of the head node."""

    def __init__(self, draft: Draft, raw: Mapping[str, Any], document: Mapping[str, Any], region: str) -> None:
        """Creates the network.

        Args:
            draft: the description.
            raw: the file with its placeholders.
            document: the file with unknown values for them.
            region: the Region of the zones.
        """
        super().__init__(draft, raw, region)
        self._document = document
        self._public: dict[str, str] = {}
        self._public_same = ""

    def zone_of_queue(self, path: KeyPath, queue: Mapping[str, Any]) -> str:
        """The zone of a queue's first subnet. A description's queue has one zone, so others are left out."""
        at = (*path, "Networking", "SubnetIds")
        given = as_list(value_at(queue, "Networking", "SubnetIds"))
        for index in range(1, len(given)):
            self._draft.leave((*at, index), "a queue is in one zone, because its groups have one instance type each")
        self._draft.take((*at, 0))
        first = given[0] if given else UNKNOWN
        return self._zone(first, (*at, 0))

    def head(self) -> dict[str, Any]:
        """The keys of the head node: `subnets` and `zone`. It is in a public subnet if it has an Elastic IP."""
        network = value_at(self._document, "HeadNode", "Networking")
        network = network if isinstance(network, Mapping) else {}
        elastic, subnet = network.get("ElasticIp"), network.get("SubnetId")
        self._draft.take(_SUBNET)
        queues = value_at(self._document, "Scheduling", "SlurmQueues")
        for index, queue in enumerate(queues if isinstance(queues, list) else []):
            if isinstance(queue, Mapping):
                self.zone_of_queue(("Scheduling", "SlurmQueues", index), queue)
        same = self._same(subnet, _SUBNET)
        none = elastic in (None, False) or (isinstance(elastic, str) and elastic.lower() == "false")
        if none or same in self._zones:
            if none:
                self._draft.take(_ADDRESS)
            else:
                self._draft.leave(_ADDRESS, "the head node shares the private subnet of a queue")
            first = next(iter(self._private), None)
            zone = self._zone(subnet, _SUBNET)
            if zone == first:
                return {"subnets": "private"}
            self._draft.placeholder("head", "zone")
            return {"subnets": "private", "zone": zone}
        if elastic is True or (isinstance(elastic, str) and elastic.lower() == "true"):
            self._draft.take(_ADDRESS)
        else:
            self._draft.leave(_ADDRESS, "ParallelCluster allocates the address itself")
        zone = self.first_zone
        self._public[zone] = self._id(subnet, _SUBNET, "public", zone)
        self._public_same = same
        self._draft.placeholder("network", "existing", "public", zone)
        return {"subnets": "public"}

    def login_pool(self, path: KeyPath, pool: Mapping[str, Any], name: str) -> dict[str, Any]:
        """The keys of a pool of login nodes: `subnets` and `zone`. A subnet that is that of a public head node is
        public; any other is taken for private, because the file does not have the difference."""
        at = (*path, "Networking", "SubnetIds")
        given = as_list(value_at(pool, "Networking", "SubnetIds"))
        for index in range(1, len(given)):
            self._draft.leave((*at, index), "a pool of login nodes is in one subnet")
        self._draft.take((*at, 0))
        first = given[0] if given else UNKNOWN
        same = self._same(first, (*at, 0))
        self._draft.placeholder("login-nodes", name, "zone")
        if same and same == self._public_same:
            return {"subnets": "public", "zone": next(iter(self._public))}
        return {"subnets": "private", "zone": self._zone(first, (*at, 0))}

    def described(self) -> dict[str, Any]:
        """The value of `network.existing`."""
        public = {"public": self._public} if self._public else {}
        return {**super().described(), **public}
