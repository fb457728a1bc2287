"""The network of a description: the subnets of the file, by zones that the file does not have."""

from collections.abc import Mapping
from string import ascii_lowercase
from typing import Any

from muster.config.identifiers import PLACEHOLDER, SubnetId
from muster.finding import KeyPath
from muster.plain_data import as_list, value_at
from muster.sources.draft import Draft, is_valid
from muster.unknown import UNKNOWN

_SUBNET = ("HeadNode", "Networking", "SubnetId")
_ADDRESS = ("HeadNode", "Networking", "ElasticIp")


class Network:
    """The subnets so far. A description names a zone for each, so the zones are placeholders: a, b, ..."""

    def __init__(self, draft: Draft, raw: Mapping[str, Any], document: Mapping[str, Any], region: str) -> None:
        """Creates the network.

        Args:
            draft: the description.
            raw: the file with its placeholders: two equal ones are one subnet.
            document: the file with unknown values for them.
            region: the Region of the zones.
        """
        self._draft, self._raw, self._document, self._region = draft, raw, document, region
        self._private: dict[str, str] = {}
        self._public: dict[str, str] = {}
        self._zones: dict[str, str] = {}
        self._public_same = ""

    def zone_of_queue(self, path: KeyPath, queue: Mapping[str, Any]) -> str:
        """The zone of a queue's first subnet. A description's queue has one zone, so others are left out."""
        at = (*path, "Networking", "SubnetIds")
        given = as_list(value_at(queue, "Networking", "SubnetIds"))
        for index in range(1, len(given)):
            self._draft.leave((*at, index), "a queue is in one zone, because its groups have one instance type each")
        self._draft.take((*at, 0))
        first = given[0] if given else UNKNOWN
        return self._zone(self._same(at, first), first)

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
        same = self._same(_SUBNET, subnet)
        none = elastic in (None, False) or (isinstance(elastic, str) and elastic.lower() == "false")
        if none or same in self._zones:
            if none:
                self._draft.take(_ADDRESS)
            else:
                self._draft.leave(_ADDRESS, "the head node shares the private subnet of a queue")
            first = next(iter(self._private), None)
            zone = self._zone(same, subnet)
            if zone == first:
                return {"subnets": "private"}
            self._draft.placeholder("head", "zone")
            return {"subnets": "private", "zone": zone}
        if elastic is True or (isinstance(elastic, str) and elastic.lower() == "true"):
            self._draft.take(_ADDRESS)
        else:
            self._draft.leave(_ADDRESS, "ParallelCluster allocates the address itself")
        zone = next(iter(self._private), f"{self._region}a")
        self._public[zone] = self._id(subnet, "public", zone)
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
        same = self._same(at, first)
        self._draft.placeholder("login-nodes", name, "zone")
        if same and same == self._public_same:
            return {"subnets": "public", "zone": next(iter(self._public))}
        return {"subnets": "private", "zone": self._zone(same, first)}

    def described(self) -> dict[str, Any]:
        """The value of `network.existing`."""
        self._draft.placeholder("network", "existing", "vpc")
        for zone in self._private:
            self._draft.placeholder("network", "existing", "private", zone)
        public = {"public": self._public} if self._public else {}
        return {"vpc": f"vpc-{PLACEHOLDER}", "private": self._private, **public}

    def _same(self, path: KeyPath, value: Any) -> str:
        """What two equal subnets share: their id, or their placeholder in the file."""
        if isinstance(value, str):
            return value
        here: Any = self._raw
        for step in path:
            here = here.get(step) if isinstance(here, Mapping) else _item(here, step)
        return str(as_list(here)[0]) if as_list(here) else ""

    def _zone(self, same: str, value: Any) -> str:
        if same not in self._zones:
            zone = f"{self._region}{ascii_lowercase[len(self._zones) % len(ascii_lowercase)]}"
            self._zones[same] = zone
            self._private[zone] = self._id(value, "private", zone)
        return self._zones[same]

    def _id(self, value: Any, tier: str, zone: str) -> str:
        return value if is_valid(SubnetId, value) else f"subnet-{PLACEHOLDER}-{tier}-{zone[-1]}"


def _item(value: Any, step: str | int) -> Any:
    return value[step] if isinstance(value, list) and isinstance(step, int) and step < len(value) else None
