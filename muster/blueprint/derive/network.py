"""The network: its subnets, existing or to be created, and their known properties."""

from collections.abc import Iterator, Mapping

from muster.blueprint.cluster import CreatedSubnet, Network
from muster.config.description.cluster import Cluster
from muster.config.description.group import Group
from muster.config.description.network import CreatedNetwork, ExistingNetwork, Nat
from muster.config.description.node_group import Tier
from muster.fleet.facts import Facts, SubnetFacts
from muster.fleet.resources import Place, Ref, Reference, SecurityGroup, Subnet
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import HTTPS, INGRESS, tcp
from muster.hardware.subnet_plan import plan_subnets, usable_addresses

VPC_REF = Ref(types.VPC, "network")

SPANNED_ZONES = 2
"""The number of zones of the control plane, and of groups that set no zone. (EKS needs two zones for the control plane,
and never accepts another one later.) The first zones of the list are used, so that a zone that is added at the end
moves nothing."""


def network(cluster: Cluster, facts: Facts | None) -> Network:
    """The network of a description."""
    described = cluster.network
    ids = {**described.zone_ids, **(facts.zone_ids if facts else {})}
    if described.existing:
        return _existing(described.existing, ids, facts)
    assert described.create is not None, "a network exists, or is created"
    return _created(described.create, ids)


def subnets_of(group: Group, network: Network) -> tuple[Reference, ...]:
    """A group's subnets, sorted: that of its one zone, or those of the first zones. A zone without a subnet gives
    none."""
    by_zone = network.of(group.subnets)
    zones = list(by_zone)[:SPANNED_ZONES] if group.only_zone is None else [group.only_zone]
    return in_order(tuple(by_zone[each] for each in zones if each in by_zone))


def in_order(references: tuple[Reference, ...]) -> tuple[Reference, ...]:
    """References in the order in which AWS's sets are compared."""
    return tuple(sorted(references, key=str))


def _existing(described: ExistingNetwork, ids: Mapping[str, str], facts: Facts | None) -> Network:
    private: dict[str, Reference] = dict(described.private)
    public: dict[str, Reference] = dict(described.public)
    subnets = tuple(_known(described, ids, facts))
    return Network(described.vpc, private, public, {each.id: each for each in subnets})


def _known(described: ExistingNetwork, ids: Mapping[str, str], facts: Facts | None) -> Iterator[Subnet]:
    """Every subnet of an existing network, with its facts."""
    for tier in Tier:
        for zone, subnet in getattr(described, tier.value).items():
            known = facts.subnets.get(subnet, SubnetFacts()) if facts else SubnetFacts()
            yield Subnet(
                id=subnet,
                declared_at=f"network.existing.{tier.value}.{zone}",
                declared_zone=zone,
                observed_zone=known.zone,
                zone_id=known.zone_id or ids.get(known.zone or zone),
                declared_zone_id=described.zone_ids.get(zone),
                public=tier is Tier.PUBLIC,
                map_public_ip=known.map_public_ip_on_launch,
                free_addresses=known.free_addresses,
            )


def _created(described: CreatedNetwork, ids: Mapping[str, str]) -> Network:
    plan = plan_subnets(described.cidr, described.zones)
    made = [
        CreatedSubnet(Ref(types.SUBNET, f"{tier.value}-{zone}"), zone, getattr(plan[zone], tier.value), tier)
        for tier in Tier
        for zone in described.zones
    ]
    by_tier: dict[Tier, dict[str, Reference]] = {
        tier: {each.zone: each.ref for each in made if each.tier is tier} for tier in Tier
    }
    return Network(
        vpc=VPC_REF,
        private=by_tier[Tier.PRIVATE],
        public=by_tier[Tier.PUBLIC],
        subnets={str(each.ref): _new(each, ids, described.zone_ids.get(each.zone)) for each in made},
        cidr=described.cidr,
        created=tuple(made),
        nat_zones=described.zones if described.nat is Nat.PER_ZONE else described.zones[:1],
        registry_endpoints=SecurityGroup(
            Ref(types.SECURITY_GROUP, "endpoints"),
            place=Place("network.create"),
            allows=frozenset({tcp(INGRESS, HTTPS, HTTPS, described.cidr)}),
        )
        if described.registry_endpoints
        else None,
    )


def _new(subnet: CreatedSubnet, ids: Mapping[str, str], stated: str | None) -> Subnet:
    return Subnet(
        id=str(subnet.ref),
        declared_at="network.create.zones",
        declared_zone=subnet.zone,
        zone_id=ids.get(subnet.zone),
        declared_zone_id=stated,
        public=subnet.tier is Tier.PUBLIC,
        map_public_ip=subnet.tier is Tier.PUBLIC,
        free_addresses=usable_addresses(subnet.cidr),
        created=True,
        cidr=subnet.cidr,
    )
