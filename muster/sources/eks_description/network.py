"""The network of a description: a new VPC, or existing subnets by zone."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from muster.fleet.registration import EXISTING
from muster.fleet.resources import ControlPlane
from muster.fleet.resources.ref import NAT_GATEWAY, SUBNET, VPC, Ref
from muster.hardware.zones import region_of
from muster.sources.eks_description.parts import Parts, placeholder_id
from muster.unknown import UNKNOWN

PRIVATE, PUBLIC = "private", "public"
_ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"
_ID = re.compile(r"subnet-([0-9a-f]{8}|[0-9a-f]{17}|fill-me-in[a-z0-9-]*)")
_VPC_ID = re.compile(r"vpc-([0-9a-f]{8}|[0-9a-f]{17}|fill-me-in[a-z0-9-]*)")
_LETTERS = "abcdefghij"
WITHOUT_NAT = (
    "a created network has a NAT gateway, because nodes in private subnets reach AWS through it: for a network without "
    "one, write your subnets under network.existing"
)


class DescribedNetwork:
    """The network, and the zones of its subnets in the description."""

    def __init__(self, parts: Parts, planes: Iterable[ControlPlane]) -> None:
        """Finds the subnets of the cluster and their zones."""
        self._parts = parts
        self._zones: dict[str, str] = {}
        """The name of a subnet (its reference as text) -> its zone, or a placeholder for it."""
        self._is_placeholder: set[str] = set()
        self._tiers: dict[str, str] = {}
        planes = list(planes)
        listed = self._subnets(planes)
        # Without a control plane, the file adds nodes to an existing cluster, which has its network.
        self.created = bool(planes) and (any(self._is_created(each) for each in listed) or not listed)
        known = [zone for each in listed if (zone := self._zone(each))]
        free = [each for each in _LETTERS if f"{parts.region}{each}" not in known]
        letters = {tier: iter(free) for tier in (PRIVATE, PUBLIC)}
        for each in listed:
            tier = self._tier(each)
            self._tiers[str(each)] = tier
            zone = self._zone(each)
            if zone is None:
                zone = f"{parts.region}{next(letters[tier], 'a')}"
                self._is_placeholder.add(str(each))
            self._zones[str(each)] = zone
        self._listed = listed

    def _subnets(self, planes: Iterable[ControlPlane]) -> list[Ref | str]:
        """The registered subnets, and those that the cluster and its groups name by id."""
        registered: list[Ref | str] = [each.ref for each in self._parts.registered.values() if each.type == SUBNET]
        named: list[Ref | str] = []
        for thing in (*planes, *self._parts.fleet.groups):
            found = thing.subnets
            named += [] if found is UNKNOWN else [each for each in found if isinstance(each, str)]
        return [*registered, *sorted({str(each) for each in named} - {str(each) for each in registered})]

    def _is_created(self, subnet: Ref | str) -> bool:
        found = self._registration(subnet)
        return found is not None and not found.options.get(EXISTING)

    def _registration(self, subnet: Ref | str) -> Any:
        return self._parts.registered.get(self._parts.urn_of(subnet)) if isinstance(subnet, Ref) else None

    def _zone(self, subnet: Ref | str) -> str | None:
        known = self._parts.fleet.subnets.get(str(subnet))
        zone = known.zone if known else None
        try:
            return zone if zone and region_of(zone) == self._parts.region else None
        except ValueError:
            return None

    def _tier(self, subnet: Ref | str) -> str:
        found = self._registration(subnet)
        hinted = self._parts.hints.tiers.get(found.urn) if found else None
        known = self._parts.fleet.subnets.get(str(subnet))
        return hinted or (PUBLIC if known and known.map_public_ip else PRIVATE)

    def tier_of(self, subnets: Iterable[Any]) -> str:
        """The tier of a group's subnets."""
        found = {self._tiers.get(str(each), PRIVATE) for each in subnets}
        return PUBLIC if found == {PUBLIC} else PRIVATE

    def zones_of(self, subnets: Iterable[Any]) -> list[str]:
        """The zones of a group's subnets, sorted."""
        return sorted({self._zones[str(each)] for each in subnets if str(each) in self._zones})

    def is_placeholder(self, subnets: Iterable[Any]) -> bool:
        """Whether a zone of them is a placeholder."""
        return any(str(each) in self._is_placeholder for each in subnets)

    @property
    def zones(self) -> list[str]:
        """The zones in their order in the description."""
        first = [self._zones[str(each)] for each in self._listed if self._tiers[str(each)] == PRIVATE]
        return list(dict.fromkeys([*first, *self._zones.values()])) or [f"{self._parts.region}{x}" for x in "ab"]

    def describe(self) -> Mapping[str, Any]:
        """The value of `network`."""
        return {"create": self._new()} if self.created else {"existing": self._existing()}

    def _new(self) -> dict[str, Any]:
        vpcs = [each for each in self._parts.registered.values() if each.type == VPC]
        found: dict[str, Any] = {}
        if vpcs and isinstance(vpcs[0].inputs.get("cidrBlock"), str):
            found["cidr"] = vpcs[0].inputs["cidrBlock"]
        found["zones"] = self.zones
        if self._is_placeholder or not self._listed:
            self._parts.placeholders.append("network.create.zones")
        gateways = sum(each.type == NAT_GATEWAY for each in self._parts.registered.values())
        if vpcs and not gateways and not self._parts.hints.lists_keys:
            self._parts.leave_out(vpcs[0].urn, "", WITHOUT_NAT)
        found["nat"] = "per-zone" if gateways > 1 else "one"
        self._leave_out_more_subnets()
        services = [
            str(each.inputs.get("serviceName", ""))
            for each in self._parts.registered.values()
            if each.type == _ENDPOINT
        ]
        # A file that states nothing about endpoints gets Muster's default.
        sees_endpoints = bool(services) or self._parts.hints.has_endpoints
        if sees_endpoints and not any(".ecr." in each for each in services):
            found["registry-endpoints"] = False
        ids = {
            self._zones[str(each)]: known.zone_id
            for each in self._listed
            if (known := self._parts.fleet.subnets.get(str(each))) and known.zone_id
        }
        return {**found, **({"zone-ids": ids} if ids else {})}

    def _leave_out_more_subnets(self) -> None:
        """One line for the subnets that a tier has in a zone beside its first."""
        seen: set[tuple[str, str]] = set()
        more: list[Ref | str] = []
        for each in self._listed:
            key = self._tiers[str(each)], self._zones[str(each)]
            if key in seen and str(each) not in self._is_placeholder:
                more.append(each)
            seen.add(key)
        if more:
            found = self._registration(more[0])
            number = f" (and {len(more) - 1} more like it)" if len(more) > 1 else ""
            why = f"a created network has one private and one public subnet for each zone{number}"
            self._parts.leave_out(found.urn if found is not None else "", "", why)

    def _existing(self) -> dict[str, Any]:
        tiers: dict[str, dict[str, str]] = {PRIVATE: {}, PUBLIC: {}}
        for each in self._listed:
            tier, zone = self._tiers[str(each)], self._zones[str(each)]
            found = self._registration(each)
            id_ = str(found.id) if found is not None else str(each)
            path = f"network.existing.{tier}.{zone}"
            if zone in tiers[tier]:
                urn = found.urn if found is not None else ""
                self._parts.leave_out(urn, "", f"a description has one {tier} subnet for each zone, and {id_} is more")
                continue
            if not _ID.fullmatch(id_):
                id_ = self._parts.placeholder(path, placeholder_id("subnet", f"{tier}-{zone[-1]}"))
            elif str(each) in self._is_placeholder:
                self._parts.placeholders.append(path)
            tiers[tier][zone] = id_
        if not tiers[PRIVATE]:
            zone = self.zones[0]
            path = f"network.existing.private.{zone}"
            tiers[PRIVATE][zone] = self._parts.placeholder(path, placeholder_id("subnet", f"private-{zone[-1]}"))
        vpc = self._vpc()
        return {"vpc": vpc, **{tier: each for tier, each in tiers.items() if each}}

    def _vpc(self) -> str:
        candidates = [each.inputs.get("vpcId") for each in self._parts.registered.values()]
        for each in candidates:
            if isinstance(each, str) and _VPC_ID.fullmatch(each):
                return each
        return str(self._parts.placeholder("network.existing.vpc", placeholder_id("vpc")))
