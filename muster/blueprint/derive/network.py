"""The network: its subnets, existing or to be created, and their known properties."""

from collections.abc import Iterable, Iterator, Mapping

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
    """A group's subnets, sorted: those that it names, that of its one zone, or those of the first zones."""
    tier = group.subnets if isinstance(group.subnets, Tier) else Tier.PRIVATE
    spanned = list(network.of(tier))[:SPANNED_ZONES]
    return subnets_in(group.subnets, spanned if group.only_zone is None else [group.only_zone], network)


def subnets_in(wanted: Tier | tuple[str, ...], zones: Iterable[str | None], network: Network) -> tuple[Reference, ...]:
    """Subnets, sorted: those that are named, or those of a tier in these zones. A zone without a subnet gives none."""
    if not isinstance(wanted, Tier):
        return in_order(wanted)
    by_zone = network.of(wanted)
    return in_order(tuple(by_zone[each] for each in zones if each and each in by_zone))


def in_order(references: tuple[Reference, ...]) -> tuple[Reference, ...]:
    """References in the order in which AWS's sets are compared."""
    return tuple(sorted(references, key=str))


def _existing(described: ExistingNetwork, ids: Mapping[str, str], facts: Facts | None) -> Network:
    private: dict[str, Reference] = {zone: first for zone, (first, *_) in described.private.items()}
    public: dict[str, Reference] = {zone: first for zone, (first, *_) in described.public.items()}
    known: dict[str, Subnet] = {}
    for each in _known(described, ids, facts):
        known.setdefault(each.id, each)  # one that is also listed for the control plane is a private or a public one
    control_plane = tuple(each for listed in described.control_plane.values() for each in listed)
    return Network(described.vpc, private, public, known, dict(described.pods), control_plane=control_plane)


def _known(described: ExistingNetwork, ids: Mapping[str, str], facts: Facts | None) -> Iterator[Subnet]:
    """Every subnet of an existing network, with its facts."""
    lists = {"private": described.private, "public": described.public, "control-plane": described.control_plane}
    lists["pods"] = {zone: (subnet,) for zone, subnet in described.pods.items()}
    for name, zones in lists.items():
        for zone, index, subnet in ((zone, *each) for zone, ids_ in zones.items() for each in enumerate(ids_)):
            known = facts.subnets.get(subnet, SubnetFacts()) if facts else SubnetFacts()
            yield Subnet(
                id=subnet,
                declared_at=f"network.existing.{name}.{zone}" + (f"[{index}]" if len(zones[zone]) > 1 else ""),
                declared_zone=zone,
                observed_zone=known.zone,
                zone_id=known.zone_id or ids.get(known.zone or zone),
                declared_zone_id=described.zone_ids.get(zone),
                public=name == "public",
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
    in_pods = plan_subnets(described.pods, described.zones) if described.pods else {}
    pods = [CreatedSubnet(_pods(zone), zone, each.private, Tier.PRIVATE) for zone, each in in_pods.items()]
    by_tier: dict[Tier, dict[str, Reference]] = {
        tier: {each.zone: each.ref for each in made if each.tier is tier} for tier in Tier
    }
    return Network(
        vpc=VPC_REF,
        private=by_tier[Tier.PRIVATE],
        public=by_tier[Tier.PUBLIC],
        subnets={str(each.ref): _new(each, ids, described.zone_ids.get(each.zone)) for each in (*made, *pods)},
        pods={each.zone: each.ref for each in pods},
        pod_cidr=described.pods,
        cidr=described.cidr,
        created=(*made, *pods),
        nat_zones=described.zones if described.nat is Nat.PER_ZONE else described.zones[:1],
        registry_endpoints=SecurityGroup(
            Ref(types.SECURITY_GROUP, "endpoints"),
            place=Place("network.create"),
            allows=frozenset(tcp(INGRESS, HTTPS, HTTPS, each) for each in (described.cidr, described.pods) if each),
        )
        if described.registry_endpoints
        else None,
    )


def _pods(zone: str) -> Ref:
    return Ref(types.SUBNET, f"pods-{zone}")


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
