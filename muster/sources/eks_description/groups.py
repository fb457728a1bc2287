"""The node groups of a description."""

import base64
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from muster.clock import today
from muster.config.description.node_group import Purpose
from muster.fleet.resources import LaunchTemplate, NodeGroup, PlacementGroup, Reference
from muster.fleet.resources.ref import Ref
from muster.hardware.ami import AMI_TYPES
from muster.hardware.catalogue import Accelerator, Hardware, UnknownInstance, hardware
from muster.hardware.default_types import EKS_SYSTEM_NODES
from muster.hardware.interfaces import Layout, slots
from muster.sources.eks_description.network import PUBLIC, DescribedNetwork
from muster.sources.eks_description.parts import Parts, placeholder_id
from muster.unknown import UNKNOWN
from muster.whole_number import whole_number

_GIB = "GiB"
_SMALLEST_ROOT = 20
_DEFAULT_ROOT = 100
_BLOCK_DAYS = 14
"""The length of a Capacity Block whose dates are placeholders. It starts today, because its nodes run."""
_ARRAY = re.compile(rb"RAID0|raid0|setup-local-disks")
_RESERVATION = re.compile(r"cr-([0-9a-f]{8}|[0-9a-f]{17}|fill-me-in[a-z0-9-]*)")
_RESOURCE_GROUP = re.compile(r"arn:aws[a-z-]*:resource-groups:[a-z0-9-]+:\d{12}:group/.+")
_OWN_LABELS = ("muster/", "alpha.eksctl.io/", "eks.amazonaws.com/")
_ROOTS = ("/dev/xvda", "/dev/sda1", "/dev/xvdb")


class GroupDescriber:
    """Describes one node group."""

    def __init__(self, parts: Parts, network: DescribedNetwork, group: NodeGroup, name: str) -> None:
        """Takes the group and its name in the description."""
        self._parts, self._network, self._group = parts, network, group
        self._path = f"groups.{name}"
        self._urn = group.place.resource
        template = parts.fleet.find(LaunchTemplate, group.template) if isinstance(group.template, Ref) else None
        self._template: LaunchTemplate | None = template
        self._template_urn = template.place.resource if template else ""
        self._subnets: tuple[Reference, ...] = () if group.subnets is UNKNOWN else group.subnets
        self._machine: Hardware | None = None

    def describe(self) -> dict[str, Any] | None:
        """The value below `groups`; None for a group whose instance type Muster does not know, which is left out."""
        instance = self._instance()
        if instance is None:
            return None
        self._machine = hardware(instance)
        layout, efa = self._layout()
        purpose = Purpose.TRAINING if efa or self._machine.accelerator is not Accelerator.NONE else Purpose.SYSTEM
        found: dict[str, Any] = {"for": purpose.value, "instance": instance, "nodes": self._nodes()}
        zone = self._zone(efa=efa)
        capacity = self._capacity(zone, efa=efa)
        if zone:
            found["zone"] = zone
        found["capacity"] = capacity
        if not self._group.managed:
            found["self-managed"] = True
        found |= {"image": self._image(), "subnets": self._tier()}
        if layout is not (Layout.AWS if purpose is Purpose.TRAINING else Layout.PLAIN):
            found["interfaces"] = layout.value
        found |= self._storage() | self._updates() | self._access()
        defaults = {"capacity": "on-demand", "image": "al2023", "subnets": "private"}
        return {key: each for key, each in found.items() if defaults.get(key) != each}

    def _instance(self) -> str | None:
        group, path = self._group, f"{self._path}.instance"
        types = () if group.instance_types is UNKNOWN else group.instance_types
        of_template = self._template.instance if self._template else None
        known = [*types, *([of_template] if isinstance(of_template, str) and not types else [])]
        for each in known:
            try:
                if not hardware(each).architecture.endswith("_mac"):
                    others = [one for one in known if one != each]
                    if others:
                        why = f"a group has one instance type: this one has {each}, not {', '.join(others)}"
                        self._parts.leave_out(self._urn, "instanceTypes", why)
                    return each
            except UnknownInstance:
                continue
        if known:
            self._parts.leave_out(self._urn, "", f"Muster does not know the instance type {known[0]}")
            return None
        if self._is_on_block:
            # A Capacity Block has one type, which no placeholder is likely to be.
            self._parts.leave_out(self._urn, "", "its instance type, which a Capacity Block needs, is not known")
            return None
        return str(self._parts.placeholder(path, EKS_SYSTEM_NODES))

    def _nodes(self) -> Any:
        group = self._group
        counts = (group.nodes_min, group.nodes_start, group.nodes_max)
        if any(each is UNKNOWN for each in counts):
            return self._parts.placeholder(f"{self._path}.nodes", 1)
        least, start, most = (each for each in counts if each is not UNKNOWN)
        most = max(most, start, least, 1)
        if least == start == most:
            return most
        by = "autoscaler" if self._urn in self._parts.hints.autoscaled else "you"
        return {"min": least, "start": max(least, start), "max": most, "scaled-by": by}

    def _layout(self) -> tuple[Layout, bool]:
        """The layout of the interfaces, and whether one has EFA."""
        assert self._machine is not None
        template = self._template
        if template is None or template.interfaces is UNKNOWN or not template.efa_interfaces:
            if template is not None and template.interfaces is UNKNOWN:
                self._parts.leave_out(template.place.resource, "networkInterfaces", "the file does not have them")
            return Layout.PLAIN, False
        given = {(nic.card, nic.device, nic.type) for nic in template.interfaces}
        for layout in (Layout.AWS, Layout.CLASSIC):
            if given == {(each.card, each.device, each.type.value) for each in slots(self._machine, layout)}:
                return layout, True
        primary = next((nic.type for nic in template.interfaces if (nic.card, nic.device) == (0, 0)), None)
        layout = Layout.CLASSIC if primary == "efa" and 0 in self._machine.efa_cards else Layout.AWS
        number = len(slots(self._machine, layout))
        why = f"Muster writes the interfaces of the layout {layout.value}: {number}, on the cards that take them"
        self._parts.leave_out(template.place.resource, "networkInterfaces", why)
        return layout, True

    def _zone(self, *, efa: bool) -> str | None:
        """The zone, if the group has one. A group with EFA or reserved capacity needs one."""
        zones, path = self._network.zones_of(self._subnets), f"{self._path}.zone"
        if len(zones) == 1:
            if self._network.is_placeholder(self._subnets):
                self._parts.placeholders.append(path)
            return zones[0]
        if zones and zones != sorted(self._network.zones[:2]):
            why = "a group is in one zone, or in the first two of the network"
            self._parts.leave_out(self._urn, "subnetIds", why)
        if not zones and efa:
            return str(self._parts.placeholder(path, self._network.zones[0]))
        return None

    def _capacity(self, zone: str | None, *, efa: bool) -> Any:
        group, template = self._group, self._template
        target = group.target or (template.target if template else None)
        reservation = target.reservation if target else None
        of_group = target.group if target else None
        if self._is_on_block:
            self._without_placement("Muster starts the nodes of a Capacity Block without a placement group")
            return {"capacity-block": self._block(reservation, zone)}
        if reservation is not None or of_group is not None:
            return self._reserved(reservation, of_group, zone, efa=efa)
        if group.capacity_type == "SPOT" or (template and template.market_type == "spot"):
            self._without_placement("without a reservation, Muster creates the placement group itself")
            return {"spot": {"interruptions-accepted": True}}
        self._without_placement("without a reservation, Muster creates the placement group itself")
        if target and target.preference == "none":
            self._parts.leave_out(
                self._template_urn, "capacityReservationSpecification", "a description has no key for it"
            )
        return "on-demand"

    @property
    def _is_on_block(self) -> bool:
        market = self._template.market_type if self._template else None
        return self._group.capacity_type == "CAPACITY_BLOCK" or market == "capacity-block"

    def _without_placement(self, why: str) -> None:
        if self._template and isinstance(self._template.placement_group, str):
            self._parts.leave_out(self._template_urn, "placement", why)

    def _count(self, path: str) -> int:
        most = self._group.nodes_max
        found: int = self._parts.placeholder(f"{path}.count", 1 if most is UNKNOWN else max(1, most))
        return found

    def _held_zone(self, path: str, zone: str | None) -> str:
        if zone is None:
            return str(self._parts.placeholder(f"{path}.zone", self._network.zones[0]))
        if self._network.is_placeholder(self._subnets):
            self._parts.placeholders.append(f"{path}.zone")
        return zone

    def _id(self, path: str, given: Any) -> str:
        if isinstance(given, str) and _RESERVATION.fullmatch(given):
            return given
        return str(self._parts.placeholder(f"{path}.id", placeholder_id("cr")))

    def _block(self, reservation: Any, zone: str | None) -> dict[str, Any]:
        path = f"{self._path}.capacity.capacity-block"
        begin = today()
        return {
            "id": self._id(path, reservation),
            "zone": self._held_zone(path, zone),
            "count": self._count(path),
            "starts": self._parts.placeholder(f"{path}.starts", begin.isoformat()),
            "ends": self._parts.placeholder(f"{path}.ends", (begin + timedelta(days=_BLOCK_DAYS)).isoformat()),
            "active": True,
        }

    def _reserved(self, reservation: Any, of_group: Any, zone: str | None, *, efa: bool) -> dict[str, Any]:
        kind = "reservation" if reservation is not None else "reservation-group"
        path = f"{self._path}.capacity.{kind}"
        if kind == "reservation":
            found: dict[str, Any] = {"id": self._id(path, reservation)}
        elif isinstance(of_group, str) and _RESOURCE_GROUP.fullmatch(of_group):
            found = {"arn": of_group}
        else:
            arn = f"arn:aws:resource-groups:{self._parts.region}:111122223333:group/fill-me-in"
            found = {"arn": self._parts.placeholder(f"{path}.arn", arn)}
        found |= {"zone": self._held_zone(path, zone), "count": self._count(path)}
        placement = self._template.placement_group if self._template else None
        if isinstance(placement, str):
            return {kind: {**found, "provided-by": "you", "placement-group": placement}}
        made = isinstance(placement, Ref) and self._parts.fleet.find(PlacementGroup, placement) is not None
        if efa and not made:
            return {kind: {**found, "provided-by": "aws"}}
        return {kind: {**found, "provided-by": "you", **({} if made else {"placement-group": "none"})}}

    def _tier(self) -> str:
        if not self._subnets and self._urn in self._parts.hints.group_tiers:
            tier = self._parts.hints.group_tiers[self._urn]
        else:
            tier = self._network.tier_of(self._subnets)
        return "public" if tier == PUBLIC else "private"

    def _image(self) -> Any:
        image, ami = (self._template.image if self._template else None), self._group.ami_type
        kind = AMI_TYPES.get(ami) if isinstance(ami, str) else None
        family = kind.system if kind and kind.system in ("al2023", "bottlerocket") else "al2023"
        if isinstance(image, str) and re.fullmatch(r"ami-([0-9a-f]{8}|[0-9a-f]{17}|fill-me-in[a-z0-9-]*)", image):
            return {"custom": {"id": image, "family": family} if family != "al2023" else {"id": image}}
        if isinstance(image, str) and "/bottlerocket/" in image:
            return "bottlerocket"
        if isinstance(ami, str) and ami != "CUSTOM" and (kind is None or kind.system != family):
            self._parts.leave_out(
                self._urn, "amiType", f"Muster's groups start EKS's image {family}, not {ami}: set image to change it"
            )
        return family

    def _storage(self) -> dict[str, Any]:
        """The root volume, and the array of NVMe disks."""
        found: dict[str, Any] = {}
        assert self._machine is not None
        if self._uses_disks() and self._machine.nvme_gb != 0:
            found["local-storage"] = "raid0"
        volume = self._volume()
        return {**found, **({"volume": volume} if volume else {})}

    def _uses_disks(self) -> bool:
        hinted = self._parts.hints.local_storage.get(self._urn)
        if hinted is not None:
            return hinted
        data = self._template.user_data if self._template else None
        try:
            decoded = base64.b64decode(data, validate=True) if isinstance(data, str) else b""
        except ValueError:
            return False
        return bool(_ARRAY.search(decoded))

    def _volume(self) -> dict[str, Any]:
        """The root volume; on Bottlerocket, the data volume."""
        listed = self._parts.inputs(self._template_urn).get("blockDeviceMappings")
        disks = [each for each in (listed if isinstance(listed, list) else []) if isinstance(each, Mapping)]
        # The last of these devices that is there: on Bottlerocket the data volume.
        roots = [each for name in _ROOTS for each in disks if each.get("deviceName") == name]
        root = roots[-1] if roots else None
        for each in disks:
            if each is not root and each not in roots and not self._parts.hints.lists_keys:
                why = "a description has one volume for each node"
                self._parts.leave_out(self._template_urn, "blockDeviceMappings", why)
        ebs = root.get("ebs") if root else None
        if not isinstance(ebs, Mapping):
            size = self._group.disk_size
            return self._sized(size, self._urn, "diskSize") if isinstance(size, int) else {}
        kind = ebs.get("volumeType", "gp3")
        if kind is not UNKNOWN and kind != "gp3":
            self._parts.leave_out(self._template_urn, "volumeType", f"root volumes are gp3, not {kind}")
        found = self._sized(ebs.get("volumeSize"), self._template_urn, "blockDeviceMappings")
        for key, least, most, usual in (("throughput", 125, 2000, 125), ("iops", 3000, 80000, 3000)):
            given = ebs.get(key)
            if isinstance(given, int) and least <= given <= most and given != usual and kind == "gp3":
                found[key] = given
            elif isinstance(given, int) and kind == "gp3" and not least <= given <= most:
                why = f"volumes have {key} from {least} to {most}, not {given}"
                self._parts.leave_out(self._template_urn, "blockDeviceMappings", why)
        return found

    def _sized(self, size: Any, urn: str, property_: str) -> dict[str, Any]:
        """The size of a volume in GiB; none for the default."""
        number = _DEFAULT_ROOT if size is UNKNOWN or size is None else whole_number(size)
        if number is None:
            return {}
        if number < _SMALLEST_ROOT:
            why = f"the root volume has {_SMALLEST_ROOT}{_GIB}, the least of a description, not {number}{_GIB}"
            self._parts.leave_out(urn, property_, why)
            number = _SMALLEST_ROOT
        return {} if number == _DEFAULT_ROOT else {"size": f"{number}{_GIB}"}

    def _updates(self) -> dict[str, Any]:
        group = self._group
        found: dict[str, Any] = {}
        if isinstance(group.max_unavailable, int) and group.max_unavailable > 1:
            found["updates"] = {"at-once": min(100, group.max_unavailable)}
        elif isinstance(group.max_unavailable_percentage, int):
            found["updates"] = {"percent-at-once": group.max_unavailable_percentage}
        assert self._machine is not None
        usual = self._machine.accelerator is not Accelerator.NONE
        if group.managed and isinstance(group.repair, bool) and group.repair != usual:
            found["node-repair"] = group.repair
        elif group.managed and group.repair is None and usual:
            found["node-repair"] = False
        return found

    def _access(self) -> dict[str, Any]:
        """The labels, the taints, the security groups and the key pair."""
        assert self._machine is not None
        found: dict[str, Any] = {}
        key = self._template.key_pair if self._template else None
        if isinstance(key, str):
            found["session"] = {"key-pair": key}
        elif key is UNKNOWN:
            self._parts.leave_out(self._template_urn, "keyName", "the file does not have the key pair's name")
        labels = () if self._group.labels is UNKNOWN else sorted(self._group.labels)
        own = {name: value for name, value in labels if not name.startswith(_OWN_LABELS)}
        if own:
            found["labels"] = own
        taints = () if self._group.taints is UNKNOWN else sorted(self._group.taints, key=lambda each: each.key)
        derived = self._machine.resource_name
        kept = {each.key: each.effect for each in taints if (each.key, each.effect) != (derived, "NoSchedule")}
        if kept:
            found["taints"] = kept
        for each in taints:
            if each.key in kept and each.value not in ("", "true"):
                why = f"Muster gives the taint {each.key} the value `true`, not {each.value!r}"
                self._parts.leave_out(self._urn, "taints", why)
        groups = self._own_groups()
        return {**found, **({"security-groups": groups} if groups else {})}

    def _own_groups(self) -> list[str]:
        """The security groups outside the file that are on the nodes."""
        if self._template is None:
            return []
        listed: set[Any] = set()
        interfaces = () if self._template.interfaces is UNKNOWN else self._template.interfaces
        for groups in (self._template.security_groups, *(each.security_groups for each in interfaces)):
            listed |= set() if groups is UNKNOWN else set(groups)
        form = re.compile(r"sg-([0-9a-f]{8}|[0-9a-f]{17}|fill-me-in[a-z0-9-]*)")
        joined = {each for each in listed if isinstance(each, str) and form.fullmatch(each)}
        return sorted(joined)
