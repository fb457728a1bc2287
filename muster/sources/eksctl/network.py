"""The VPC of a cluster and its subnets, eksctl's own or the given ones; and the EKS cluster.

From pkg/vpc/vpc.go (`SetSubnets`, `SelectNodeGroupSubnets`) and pkg/cfn/builder (vpc_ipv4.go; nodegroup.go,
`AssignSubnets`; cluster.go, `addResourcesForControlPlane`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Any

from muster.fleet.resources.ref import ADDRESS, CLUSTER, INTERNET_GATEWAY, NAT_GATEWAY, SECURITY_GROUP, SUBNET, VPC
from muster.hardware.offerings import zones_of_region, zones_offering
from muster.hardware.zones import ZONE_NAME
from muster.plain_data import as_list, drop_none
from muster.sources.eksctl.group import Group
from muster.sources.eksctl.resources import (
    CONTROL_PLANE,
    FROM_AND_TO_ITSELF,
    SHARED_NODES,
    TO_EVERYWHERE,
    Resources,
    block,
    first,
    is_given,
    is_on,
    items,
)
from muster.unknown import UNKNOWN

DEFAULT_CIDR = "192.168.0.0/16"
_SPLITS = ((2, 3), (8, 3), (16, 4))
"""The largest number of subnets -> the bits by which their prefix is longer than the VPC's (`getSubnetNetworkSize`)."""
PRIVATE, PUBLIC = "private", "public"


@dataclass(frozen=True, slots=True)
class SubnetOfFile:
    """One subnet."""

    alias: str
    """Its key below `vpc.subnets`, or its zone."""
    id: str
    """Its id, or a name for it in this program."""
    written: Any
    """The id as the file has it, which may be a placeholder; None for a new subnet."""
    urn: str
    zone_written: Any
    """The zone as the file has it, which may be a placeholder."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The subnets of a node group or a control plane."""

    ids: Any
    """A list, or unknown."""
    urns: tuple[str, ...] = ()
    """The candidates, if it is unknown which of them."""


class Network:
    """The network of a cluster."""

    def __init__(self, resources: Resources) -> None:
        """Adds the VPC and its subnets."""
        self._resources = resources
        self._vpc = block(resources.config, "vpc")
        given = block(self._vpc, "subnets")
        self.created = not is_given(self._vpc.get("id")) and not is_given(self._vpc.get("subnets"))
        self.vpc: Any = UNKNOWN if self.created else self._vpc.get("id", UNKNOWN)
        self.tiers: dict[str, tuple[SubnetOfFile, ...] | None] = {PRIVATE: None, PUBLIC: None}
        if self.created:
            self._create()
        elif given:
            for tier in self.tiers:
                subnets = given.get(tier)
                self.tiers[tier] = None if subnets is UNKNOWN else self._existing(tier, subnets or {})

    @property
    def of_control_plane(self) -> Chosen:
        """The subnets of the control plane (`ControlPlaneSubnetRefs`): all, or only the private ones."""
        given = self._vpc.get("controlPlaneSubnetIDs")
        if is_given(given):
            return Chosen(given)
        only_private = is_on(block(self._resources.config, "autoModeConfig").get("enabled")) or is_on(
            self._vpc.get("controlPlaneOnPrivateSubnets")
        )
        tiers = [self.tiers[PRIVATE]] if only_private else list(self.tiers.values())
        if any(each is None for each in tiers) or is_given(self._resources.config.get("outpost")):
            return Chosen(UNKNOWN)
        listed = [subnet for each in tiers for subnet in each or ()]
        return Chosen([each.id for each in listed] or UNKNOWN)

    def of_group(self, group: Group) -> Chosen:
        """The subnets of a node group. With an unknown type, the zones that offer all its types are unknown."""
        private = group.get("privateNetworking", False)
        chosen = self._of_group(group, private)
        if chosen.ids is not UNKNOWN or private is UNKNOWN or not is_on(group.efa):
            return chosen
        # Which one is not in the file; but with EFA it is one, of this tier.
        name = f"{PRIVATE if private else PUBLIC} subnet of {group.name}"
        inputs = {"availabilityZone": UNKNOWN, "mapPublicIpOnLaunch": not private}
        self._resources.add(SUBNET, name, inputs, group.path, id_=name, existing=True)
        return Chosen([name])

    def _of_group(self, group: Group, private: Any) -> Chosen:
        if UNKNOWN in (private, group.get("subnets"), group.get("availabilityZones")) or items(
            group.values, "localZones"
        ):
            return Chosen(UNKNOWN)
        own = self.tiers[PRIVATE if private else PUBLIC]
        zones, named = items(group.values, "availabilityZones"), items(group.values, "subnets")
        if named:
            # A placeholder for an id is the same text where `vpc.subnets` has it.
            written = self._resources.written((*group.path, "subnets"))
            found = [self._named(each, raw, bool(private)) for each, raw in zip(named, written, strict=False)]
            chosen = [each for each in found if each is not None]
        elif zones:
            if own is None:
                return Chosen(UNKNOWN)
            raw = self._resources.written((*group.path, "availabilityZones"))
            chosen = [subnet.id for zone in raw for subnet in own if subnet.zone_written == zone]
            if not chosen:  # their zones are known only to AWS, or eksctl refuses the zone
                return Chosen(UNKNOWN, tuple(each.urn for each in own))
        else:
            return self._offering(own, group.types)
        return Chosen(chosen[:1] if is_on(group.efa) else chosen)

    def _offering(self, own: tuple[SubnetOfFile, ...] | None, types: list[Any]) -> Chosen:
        """All subnets of the tier in zones that offer the types (`FilterBasedOnAvailability`). Which zones these are is
        certain only if all zones of the Region do."""
        if own is None:
            return Chosen(UNKNOWN)
        region = block(self._resources.config, "metadata").get("region")
        if len(own) == 1 or (isinstance(region, str) and all(_everywhere(each, region) for each in types)):
            return Chosen([each.id for each in own] or UNKNOWN)
        return Chosen(UNKNOWN, tuple(each.urn for each in own))

    def _named(self, name: Any, raw: Any, private: bool) -> Any:  # noqa: FBT001 - a tier of two
        """The subnet that an entry of `subnets` names: by its key, or by its id."""
        order = (PRIVATE, PUBLIC) if private else (PUBLIC, PRIVATE)
        listed = [each for tier in order for each in self.tiers[tier] or ()]
        return next((each.id for each in listed if raw in (each.alias, each.written)), name)

    def _existing(self, tier: str, given: Mapping[str, Any]) -> tuple[SubnetOfFile, ...]:
        found = []
        for alias, spec in given.items():
            path = ("vpc", "subnets", tier, alias)
            values = block(given, alias) if spec is not UNKNOWN else {}
            zone = first(values.get("az"), alias if ZONE_NAME.fullmatch(alias) else UNKNOWN)
            id_ = values.get("id", UNKNOWN)
            name = id_ if isinstance(id_, str) else f"{tier} {alias}"
            written = self._resources.written((*path, "id"))
            zone_written = first(self._resources.written((*path, "az")), alias)
            # Nodes with several interfaces get no public address in a public subnet, whatever it assigns.
            inputs = {"availabilityZone": zone, "mapPublicIpOnLaunch": True if tier == PUBLIC else UNKNOWN}
            urn = self._resources.add(SUBNET, name, inputs, path, id_=name, existing=True)
            found.append(SubnetOfFile(alias, name, written, urn, zone_written))
        return tuple(found)

    def _create(self) -> None:
        """A VPC with a public and a private subnet in each zone, and NAT (`SetSubnets`, `singleNAT`, `haNAT`). If
        `availabilityZones` is not set, eksctl chooses the zones at random."""
        resources, path = self._resources, ("vpc",)
        cidr = first(self._vpc.get("cidr"), DEFAULT_CIDR)
        self.vpc = f"VPC of {resources.name}"
        resources.add(VPC, "VPC", {"cidrBlock": cidr}, path, id_=self.vpc)
        resources.add(INTERNET_GATEWAY, "InternetGateway", {"vpcId": self.vpc}, path)
        zones = items(resources.config, "availabilityZones")
        if zones:
            blocks = _blocks(cidr, 2 * len(zones))
            for tier, begin in ((PUBLIC, 0), (PRIVATE, len(zones))):
                self.tiers[tier] = tuple(
                    self._new(tier, zone, index, blocks[begin + index] if blocks else UNKNOWN)
                    for index, zone in enumerate(zones)
                )
        mode = block(self._vpc, "nat").get("gateway", "Single")
        public = self.tiers[PUBLIC] or ()
        if mode is not UNKNOWN and mode != "Disable":
            for each in public if mode == "HighlyAvailable" else public[:1] or (None,):
                name = f"NAT {each.alias}" if each else "NAT"
                resources.add(ADDRESS, name, {"domain": "vpc"}, path)
                resources.add(NAT_GATEWAY, name, {"subnetId": each.id if each else UNKNOWN}, path)

    def _new(self, tier: str, zone: Any, index: int, cidr: Any) -> SubnetOfFile:
        alias = zone if isinstance(zone, str) else f"zone {index + 1}"
        name = f"{tier} {alias}"
        inputs = {
            "vpcId": self.vpc,
            "availabilityZone": zone,
            "cidrBlock": cidr,
            "mapPublicIpOnLaunch": tier == PUBLIC,
        }
        path = ("availabilityZones", index)
        urn = self._resources.add(SUBNET, name, inputs, path, id_=f"subnet {name}")
        return SubnetOfFile(alias, f"subnet {name}", None, urn, self._resources.written(path))


def _everywhere(instance: Any, region: str) -> bool:
    """Whether all zones of a Region offer a type."""
    offering = zones_offering(instance, region) if isinstance(instance, str) else None
    return bool(offering) and offering == zones_of_region(region)


def _blocks(cidr: Any, number: int) -> list[str]:
    """The subnets of a VPC in their order; none if the CIDR is unknown, or one that eksctl refuses."""
    longer = next((bits for most, bits in _SPLITS if number <= most), None)
    try:
        network = IPv4Network(cidr, strict=False) if isinstance(cidr, str) else None
        if network is None or longer is None:
            return []
        return [str(each) for each in network.subnets(prefixlen_diff=longer)]
    except ValueError:
        return []


def add_control_plane(resources: Resources, network: Network) -> str:
    """Adds the cluster and returns its URN."""
    config = resources.config
    vpc, private = block(config, "vpc"), block(config, "privateCluster").get("enabled", False)
    endpoints = block(vpc, "clusterEndpoints")

    def endpoint(key: str, *, default: bool) -> Any:
        """A fully private cluster has only the private one."""
        return UNKNOWN if private is UNKNOWN else not default if private else endpoints.get(key, default)

    connection = drop_none(
        {
            "subnetIds": network.of_control_plane.ids,
            "securityGroupIds": _security_groups(resources, network, vpc),
            "endpointPublicAccess": endpoint("publicAccess", default=True),
            "endpointPrivateAccess": endpoint("privateAccess", default=False),
            "publicAccessCidrs": vpc.get("publicAccessCIDRs"),
        }
    )
    inputs = {
        "name": resources.name,
        "version": block(config, "metadata").get("version", UNKNOWN),
        "vpcConfig": connection,
        "roleArn": block(config, "iam").get("serviceRoleARN"),
        "accessConfig": {
            "authenticationMode": block(config, "accessConfig").get("authenticationMode", "API_AND_CONFIG_MAP")
        },
    }
    outputs = {"vpcConfig": {**connection, "clusterSecurityGroupId": resources.cluster_group}}
    return resources.add(CLUSTER, resources.name, inputs, ("metadata",), id_=resources.name, outputs=outputs)


def _security_groups(resources: Resources, network: Network, vpc: Mapping[str, Any]) -> list[Any]:
    """The groups of the control plane. eksctl also creates the group that all self-managed nodes share."""
    path = ("vpc",) if "vpc" in resources.config else ("metadata",)
    made = {"vpcId": network.vpc, "egress": TO_EVERYWHERE}
    if vpc.get("sharedNodeSecurityGroup") is None and is_given(resources.config.get("nodeGroups")):
        shared = {**made, "ingress": FROM_AND_TO_ITSELF}
        resources.add(SECURITY_GROUP, "shared nodes", shared, path, id_=SHARED_NODES)
    given = first(vpc.get("securityGroup"), vpc.get("controlPlaneSecurityGroupIDs"))
    if given is not None:
        return as_list(given)
    resources.add(SECURITY_GROUP, "control plane", made, path, id_=CONTROL_PLANE)
    return [CONTROL_PLANE]
