"""Writes the description of the cluster that another tool's file creates, whatever its format: from the fleet that
rules judge."""

import re
from dataclasses import replace
from datetime import timedelta
from string import ascii_lowercase
from typing import Any

from muster.clock import today
from muster.config.placeholders import DOCUMENTATION_NETWORK, PLACEHOLDER
from muster.finding import KeyPath
from muster.fleet.resources import (
    CapacityReservation,
    ComputeResource,
    ControlPlane,
    Fleet,
    HeadNode,
    HyperPodCluster,
    InstanceGroup,
    LaunchTemplate,
    LoginPool,
    LustreFileSystem,
    NodeGroup,
    ParallelCluster,
    Queue,
    SlurmHyperPodCluster,
)
from muster.fleet.resources.fleet import AnyGroup, may_train
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.default_types import EKS_SYSTEM_NODES
from muster.hardware.hyperpod_types import ML
from muster.plain_data import as_list, value_at
from muster.policies.views.fleet import fleet_of
from muster.secret_texts import without_marked
from muster.sources import node_roles
from muster.sources.boot_settings import boot_settings
from muster.sources.brought_addons import addons_of
from muster.sources.left_out import configuration_of, gaps_of, name_of, place_of, remove_refused, rest_of, writable
from muster.sources.parallelcluster.described import Block, Kept, complete
from muster.sources.source import DEFAULT_REGION, CannotBeRead, ImportedDescription, InputFile, LeftOut, Source
from muster.unknown import UNKNOWN, if_known
from muster.versions import EKS_ADDONS, EKS_CALENDAR, HYPERPOD_KUBERNETES, PARALLELCLUSTER

_BLOCK_DAYS = 14
"""The length of a Capacity Block whose dates are placeholders. It starts today, because its nodes run."""
_SMALLEST = 1200
"""GiB: the smallest file system of FSx, as a placeholder."""
_SPOT = {"capacity": {"spot": {"interruptions-accepted": True}}}


def describe(file: InputFile, source: Source, region: str | None = None) -> ImportedDescription:
    """The description of a file's cluster. A value that is not known has a placeholder, or the key's default.

    Args:
        file: the file.
        source: its resources.
        region: the Region, instead of the one that the file has.

    Raises:
        CannotBeRead: there is no cluster that a description can have.
    """
    # A marked value is in no file that Muster writes.
    known = tuple(replace(each, inputs=without_marked(each.inputs)) for each in source.registrations)
    source = replace(source, registrations=known, region=region or source.region)
    writer = _Writer(source)
    made = writer.write()
    left = {*made.left_out, *rest_of(file, source, writer.kept), *gaps_of(source, writer.kept)}
    return replace(made, left_out=tuple(sorted(left)))


class _Writer:
    """The description so far."""

    def __init__(self, source: Source) -> None:
        self._source, self._region = source, source.region or DEFAULT_REGION
        self._fleet: Fleet = fleet_of(source.registrations, region=self._region)
        self._inputs = {each.ref: each.inputs for each in source.registrations}
        self._ids = {str(each.ref): each.id for each in source.registrations if isinstance(each.id, str)}
        self._placeholders: list[str] = []
        self._left: list[LeftOut] = []
        self._configuration = configuration_of(source)
        self._zones = self._zones_of_subnets()
        self._places: dict[str, KeyPath] = {}
        self.kept: Kept = []  # of a ParallelCluster configuration

    def write(self) -> ImportedDescription:
        """The whole description, valid by its schema."""
        cluster = self._cluster()
        cluster.setdefault("storage", self._storage() or None)
        cluster = writable(cluster)
        refused, faults = remove_refused(cluster)
        instead = {"kubernetes": HYPERPOD_KUBERNETES[1], "api": {"public": [DOCUMENTATION_NETWORK]}}
        absent = {str(path[0]) for path, _ in faults if path}.intersection(instead) - cluster.keys()
        if absent:
            # A required value that the schema refuses gets a placeholder.
            self._placeholders += absent
            cluster |= {key: instead[key] for key in absent}
            more, faults = remove_refused(cluster)
            refused |= more
        groups = cluster.get("groups") or cluster.get("queues")
        if faults or not groups:
            wrong = [f"{each.where}: {each.got}" for each in (*(fault for _, fault in faults), *refused.values())]
            without = [f"{each.path}: {each.why}" for each in self._left]
            reasons = [*wrong, *without] if groups else [*without, *wrong]
            raise CannotBeRead(f"the cluster cannot be described: {[*reasons, 'the file has no group of nodes'][0]}")
        gone = [LeftOut(each.where, place_of(self._source, ""), each.got) for each in refused.values()]
        assumed = (
            each for each in dict.fromkeys(self._placeholders) if value_at(cluster, *each.split(".")) is not None
        )
        left = (*self._left, *gone)
        return ImportedDescription(cluster["backend"], self._source.region, cluster, left, tuple(assumed))

    def _cluster(self) -> dict[str, Any]:
        fleet = self._fleet
        for slurm_pod in fleet.of(SlurmHyperPodCluster):
            return self._hyperpod_slurm(slurm_pod)
        for pod in fleet.of(HyperPodCluster):
            return self._hyperpod(pod)
        for slurm in fleet.of(ParallelCluster):
            return self._parallelcluster(slurm)
        planes = fleet.of(ControlPlane)
        if planes or len(fleet.of(NodeGroup)):
            return self._eks(next(iter(planes), None))
        raise CannotBeRead("the file has no cluster and no groups of nodes that a description can have")

    def _assumed(self, path: str, value: Any) -> Any:
        """A placeholder for a value that the file does not have."""
        self._placeholders.append(path)
        return value

    def _known_or(self, path: str, value: Any, otherwise: Any) -> Any:
        return value if isinstance(value, type(otherwise)) else self._assumed(path, otherwise)

    def _leave(self, thing: Any, why: str) -> None:
        """Leaves out a whole thing of the file."""
        place = thing.place
        label = " ".join(filter(None, (self._source.label(place.resource), place.part)))
        self._left.append(LeftOut(label, place_of(self._source, place.resource, place.inside), why))

    # The network.

    def _zones_of_subnets(self) -> dict[str, str]:
        """The name of each subnet (its reference as text) -> its zone, or the next letter if the file has none."""
        named: list[str] = [*self._fleet.subnets]
        planes, pods, pools = self._fleet.of(ControlPlane), self._fleet.of(HyperPodCluster), self._fleet.of(LoginPool)
        for each in (*planes, *pods, *self._fleet.groups, *pools):
            named += [] if each.subnets is UNKNOWN else [str(one) for one in each.subnets]
        named += [head.subnet for head in self._fleet.of(HeadNode) if isinstance(head.subnet, str)]
        found: dict[str, str] = {}
        for name in named:
            known = self._fleet.subnets.get(name)
            if known and known.zone and known.zone.startswith(self._region):
                found[name] = known.zone
        letters = [zone for each in ascii_lowercase if (zone := f"{self._region}{each}") not in found.values()]
        given = {"public": 0, "private": 0}
        for name in dict.fromkeys(named):
            if name not in found:
                # A public and a private subnet are in one zone.
                tier = self._tier(name)
                found[name] = letters[given[tier] % len(letters)]
                given[tier] += 1
        return {name: found[name] for name in dict.fromkeys(named)}

    def _tier(self, subnet: str) -> str:
        known, head = self._fleet.subnets.get(subnet), value_at(self._configuration, "HeadNode", "Networking")
        of_head = value_at(head, "ElasticIp") is True and value_at(head, "SubnetId") == subnet
        return "public" if of_head or (known and known.map_public_ip) else "private"

    def _zone(self, subnets: Any) -> str | None:
        """The zone of a group; None if it has several, or its subnets are not known."""
        found = set() if subnets is UNKNOWN else {self._zones.get(str(each)) for each in subnets}
        return found.pop() if len(found) == 1 else None

    @property
    def _first_zone(self) -> str:
        return next(iter(self._zones.values()), f"{self._region}a")

    def _network(self) -> dict[str, Any]:
        """A new network if the file creates one for a control plane that it creates; otherwise the existing one."""
        created = [each for each in self._fleet.subnets.values() if each.created]
        if self._fleet.of(ControlPlane) and (created or not self._zones):
            zones = list(dict.fromkeys(self._zones.values())) or [f"{self._region}{each}" for each in "ab"]
            if not created or not all(each.zone for each in created):
                self._assumed("network.create.zones", zones)
            blocks = (each.inputs.get("cidrBlock") for each in self._source.registrations if each.type.endswith(":Vpc"))
            return {"create": {"cidr": next((each for each in blocks if isinstance(each, str)), None), "zones": zones}}
        found: dict[str, dict[str, Any]] = {"private": {}, "public": {}}
        for subnet, zone in (self._zones or {"": self._first_zone}).items():
            known, tier = self._fleet.subnets.get(subnet), self._tier(subnet)
            path, id_ = f"network.existing.{tier}.{zone}", self._ids.get(subnet, subnet)
            if not id_.startswith("subnet-"):
                id_ = self._assumed(path, f"subnet-{PLACEHOLDER}-{tier}-{zone[-1]}")
            elif known is None or not known.zone:
                self._assumed(path, id_)
            found[tier][zone] = [*as_list(found[tier][zone]), id_] if zone in found[tier] else id_
        if not found["private"]:
            path = f"network.existing.private.{self._first_zone}"
            placeholder = f"subnet-{PLACEHOLDER}-private-{self._first_zone[-1]}"
            found["private"] = {self._first_zone: self._assumed(path, placeholder)}
        vpcs = (str(each.inputs.get("vpcId")) for each in self._source.registrations)
        vpc = next((each for each in vpcs if each.startswith("vpc-")), None)
        vpc = vpc or self._assumed("network.existing.vpc", f"vpc-{PLACEHOLDER}")
        return {"existing": {"vpc": vpc, **{tier: each for tier, each in found.items() if each}}}

    def _subnets(self, group: NodeGroup | InstanceGroup | Queue) -> dict[str, Any]:
        """The subnets of a group, if they are not the first of their zones."""
        named = sorted(map(str, if_known(lambda: group.subnets, ())))
        first = {(self._tier(each), zone): each for each, zone in reversed(self._zones.items())}
        ids = [self._ids.get(each, each) for each in named]
        others = any(first[self._tier(each), self._zones[each]] != each for each in named)
        return {"subnets": ids} if others and all(each.startswith("subnet-") for each in ids) else {}

    # Groups of nodes, whichever service runs them.

    def _group(self, group: AnyGroup, path: str) -> dict[str, Any] | None:
        """What groups of all backends have; None for a group whose type Muster does not know, which is left out."""
        template = self._template(group)
        types = if_known(lambda: group.instance_types, ())
        if not types and template and isinstance(template.instance, str):
            types = (template.instance,)
        if not types:
            self._leave(group, "its instance type is not known")
            return None
        instance = types[0].removeprefix(ML)
        try:
            hardware(instance)
        except UnknownInstance:
            self._leave(group, f"Muster does not know the instance type {instance}")
            return None
        alike = isinstance(group, ComputeResource)
        if len(types) > 1 and not alike:
            self._leave(group, f"a group has one instance type: {instance}, without {', '.join(types[1:])}")
        zone, trains = self._zone(group.subnets), may_train(instance)
        if zone is None and trains:
            zone = self._assumed(f"{path}.zone", self._first_zone)
        purpose = "training" if trains else "system"
        others = {"alternatives": [*types[1:]]} if alike and types[1:] else {}
        return {"for": purpose, "instance": instance, **others, "nodes": self._nodes(group, path), "zone": zone}

    def _template(self, group: AnyGroup) -> LaunchTemplate | None:
        return self._fleet.find(LaunchTemplate, group.template) if isinstance(group, NodeGroup) else None

    def _nodes(self, group: AnyGroup, path: str) -> Any:
        counts = (group.nodes_min, group.nodes_start, group.nodes_max)
        if any(not isinstance(each, int) for each in counts):
            return self._assumed(f"{path}.nodes", 1)
        least, start, most = (each for each in counts if isinstance(each, int))
        if isinstance(group, InstanceGroup):
            return {"count": start, "minimum": min(group.minimum, start)} if isinstance(group.minimum, int) else start
        most = max(most, start, least, 1)
        if least == most:
            return most
        if isinstance(group, ComputeResource):
            return {"min": least, "max": most}
        return {"min": least, "start": max(least, start), "max": most, "scaled-by": "you"}

    def _held(self, group: AnyGroup, path: str, reservation: Any = None) -> dict[str, Any]:
        """The zone and the number of instances of capacity: those of a reservation that the file makes, if any."""
        made = self._fleet.find(CapacityReservation, reservation)
        counts = [each for each in (group.nodes_min, group.nodes_max, 1) if isinstance(each, int)]
        zone = made.zone if made and isinstance(made.zone, str) else self._zone(group.subnets)
        count = made.count if made and isinstance(made.count, int) else None
        return {
            "zone": zone or self._assumed(f"{path}.zone", self._first_zone),
            "count": count or self._assumed(f"{path}.count", max(counts)),
        }

    def _capacity(self, group: NodeGroup | ComputeResource, path: str) -> dict[str, Any]:
        """The capacity of instances that the account launches: nothing for on-demand ones."""
        template = self._template(group)
        own = if_known(lambda: group.target)
        target = own or (template.target if template else None)
        kinds = {group.capacity_type, template.market_type if template else None}
        block = bool(kinds & {"CAPACITY_BLOCK", "capacity-block"})
        if not block and (target is None or not target.has_target):
            return _SPOT if kinds & {"SPOT", "spot"} else {}
        kind = "reservation" if target and target.reservation is not None else "reservation-group"
        kind = "capacity-block" if block else kind
        path = f"{path}.capacity.{kind}"
        if kind == "reservation-group":
            arn = f"arn:aws:resource-groups:{self._region}:111122223333:group/{PLACEHOLDER}"
            made = {"arn": self._known_or(f"{path}.arn", target.group if target else None, arn)}
        else:
            made = {"id": self._known_or(f"{path}.id", target.reservation if target else None, f"cr-{PLACEHOLDER}")}
        made |= self._held(group, path, target.reservation if target else None)
        if block:
            begin = today()
            made["starts"] = self._assumed(f"{path}.starts", begin.isoformat())
            made["ends"] = self._assumed(f"{path}.ends", (begin + timedelta(days=_BLOCK_DAYS)).isoformat())
            made |= {"active": True} if isinstance(group, NodeGroup) else {}
        else:
            made["provided-by"] = self._assumed(f"{path}.provided-by", "aws")
        return {"capacity": {kind: made}}

    def _plan(self, group: InstanceGroup, path: str) -> dict[str, Any]:
        """The capacity of an instance group of HyperPod."""
        if isinstance(group.training_plan, str):
            held = self._held(group, f"{path}.capacity.training-plan")
            return {"capacity": {"training-plan": {"arn": group.training_plan, **held}}}
        return _SPOT if group.spot is True else {}

    # Backends.

    def _eks(self, plane: ControlPlane | None) -> dict[str, Any]:
        newest = next(each for each in sorted(EKS_CALENDAR, reverse=True) if each in EKS_ADDONS)
        version = self._known_or("kubernetes", plane.kubernetes if plane else None, newest)
        cluster: dict[str, Any] = {"backend": "eks", "kubernetes": version, **self._plane(plane, "")}
        cluster |= {"network": self._network(), "iam": node_roles.of_eks(self._fleet, plane)}
        groups: dict[str, Any] = {}
        for each in self._fleet.of(NodeGroup):
            if each.pool is not None:
                self._leave(each, "Karpenter creates its nodes: write a group with provisioned-by: karpenter")
                continue
            name = name_of(each, groups, 24)
            if made := self._group(each, f"groups.{name}"):
                of_boot, left = boot_settings(each, self._template(each), self._inputs)
                own = node_roles.of_group(self._fleet, each, self._leave) | {"self-managed": not each.managed or None}
                own |= self._subnets(each) | self._capacity(each, f"groups.{name}")
                groups[name] = made | own | of_boot
                for part in left:
                    self._leave(each, part)
        if not self._fleet.of(NodeGroup):
            groups["system"] = {"for": "system", "instance": EKS_SYSTEM_NODES, "nodes": 1}
            self._assumed("groups.system", groups["system"])
        return {**cluster, "groups": groups, "addons": addons_of(self._fleet, self._inputs, self._leave) or None}

    def _plane(self, plane: ControlPlane | None, name: str) -> dict[str, Any]:
        """The control plane: a new one, or the existing one of this name."""
        if plane is None:
            path = "control-plane.existing"
            existing = {
                "name": name or self._assumed(f"{path}.name", f"eks-{PLACEHOLDER}"),
                "security-group": self._assumed(f"{path}.security-group", f"sg-{PLACEHOLDER}"),
                "authentication": self._assumed(f"{path}.authentication", "api-and-config-map"),
            }
            return {"control-plane": {"existing": existing}}
        networks = [*if_known(lambda: plane.public_networks, ())]
        private = plane.endpoint_public is False
        api = "private" if private else {"public": networks or self._assumed("api.public", [DOCUMENTATION_NETWORK])}
        return {"name": plane.name, "control-plane": "create", "api": api}

    def _hyperpod(self, pod: HyperPodCluster) -> dict[str, Any]:
        arn = pod.orchestrator if isinstance(pod.orchestrator, str) else ""
        plane = next(iter(self._fleet.of(ControlPlane)), None)
        version = self._known_or("kubernetes", plane.kubernetes if plane else None, HYPERPOD_KUBERNETES[1])
        groups: dict[str, Any] = {}
        for each in self._fleet.of(InstanceGroup):
            name = name_of(each, groups, 24)
            if made := self._group(each, f"groups.{name}"):
                groups[name] = made | self._plan(each, f"groups.{name}")
        return {
            "backend": "hyperpod",
            "kubernetes": version,
            **self._plane(plane, arn.rpartition("/")[2]),
            "network": self._network(),
            "groups": groups,
            "hyperpod": {"name": pod.name},
            "addons": addons_of(self._fleet, self._inputs, self._leave) or None,
        }

    def _hyperpod_slurm(self, pod: SlurmHyperPodCluster) -> dict[str, Any]:
        service: dict[str, Any] = {"controller": None, "login": None}
        groups: dict[str, Any] = {}
        for each in self._fleet.of(InstanceGroup):
            key = {"Controller": "controller", "Login": "login"}.get(str(each.node_type))
            name = name_of(each, groups, 24)
            made = self._group(each, f"groups.{name}")
            if made and key:
                nodes = {"nodes": made["nodes"]} if key == "login" else {}
                service[key] = {"name": name, "instance": made["instance"], **nodes}
            elif made:
                first = None if each.partitions is UNKNOWN else next(iter(each.partitions), None)
                made["partition"] = self._known_or(f"groups.{name}.partition", first, PLACEHOLDER)
                groups[name] = made | self._plan(each, f"groups.{name}")
        if service["controller"] is None:
            self._leave(pod, "no instance group is the controller (SlurmConfig.NodeType): Muster adds one")
        common = {"backend": "hyperpod-slurm", "name": pod.name, "network": self._network()}
        return {**common, **service, "groups": groups}

    def _parallelcluster(self, slurm: ParallelCluster) -> dict[str, Any]:
        head = next(iter(self._fleet.of(HeadNode)), None)
        queues: dict[str, Any] = {}
        names: set[str] = set()
        for queue in self._fleet.of(Queue):
            name = name_of(queue, queues, 25)
            groups: dict[str, Any] = {}
            for each in self._fleet.of(ComputeResource):
                own = name_of(each, names, 25)
                path = f"queues.{name}.groups.{own}"
                if each.queue == queue.ref and (made := self._group(each, path)):
                    names.add(own)
                    groups[own] = made | self._capacity(each, path) | {"zone": None, "efa": each.efa}
                    self._places[path] = each.place.inside
            if groups:
                zones = [] if queue.subnets is UNKNOWN else [self._zones[str(each)] for each in queue.subnets]
                zones = [*dict.fromkeys(zones)] or [self._assumed(f"queues.{name}.zones", self._first_zone)]
                queues[name] = (self._subnets(queue) or {"zones": zones}) | {"groups": groups}
                self._places[f"queues.{name}"] = queue.place.inside
        cluster = {
            "backend": "parallelcluster",
            "version": PARALLELCLUSTER,
            "os": slurm.os,
            "image": slurm.image,
            "network": self._network(),
            "head": {"instance": head.instance if head else None},
            "queues": queues,
            "storage": self._storage(),
        }
        if self._configuration is not None:
            complete(cluster, Block(self._configuration, kept=self.kept), self._places, self._zones, self._assumed)
        return cluster

    def _storage(self) -> dict[str, Any]:
        """The file systems of FSx for Lustre that the file creates."""
        found: dict[str, Any] = {}
        for each in self._fleet.of(LustreFileSystem):
            name = name_of(each, found, 20)
            self._places[f"storage.{name}"] = each.place.inside
            path, throughput = f"storage.{name}.lustre", each.throughput
            size = self._known_or(f"{path}.size", each.size, _SMALLEST)
            made = {
                "size": f"{size}GiB",
                "type": _dashed(each.deployment),
                "disk": _dashed(each.disk),
                "compression": _dashed(each.compression),
                "throughput": self._assumed(f"{path}.throughput", 125) if throughput is UNKNOWN else throughput,
                "efa": each.efa is True or None,
                "backup-days": each.backup_days if each.backup_days not in (0, UNKNOWN) else None,
                "zone": self._zone(each.subnets),
            }
            found[name] = {"lustre": made}
        return found


def _dashed(value: Any) -> Any:
    """An API's word as a word of descriptions: ``PERSISTENT_2``, ``InstanceStress``."""
    if not isinstance(value, str):
        return None
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", value).lower().replace("_", "-")
