"""The block `network` of a new stack."""

from muster.fleet.new_stack.entry import Entries, Entry, Flow
from muster.fleet.new_stack.networks import AnyNetwork, ExistingNetwork, NewNetwork
from muster.fleet.zones import REGIONS_WITH_REFUSED_ZONES


def network_entry(network: AnyNetwork, region: str) -> Entry:
    """A VPC that exists, or one to be made."""
    if isinstance(network, ExistingNetwork):
        return Entry("network", (Entry("existing", (*_existing(network), *_zone_ids(network, region))),))
    return Entry("network", (Entry("create", (*_created(network), *_zone_ids(network, region))),), network.why)


def _existing(network: ExistingNetwork) -> Entries:
    subnets = tuple(Entry(zone, subnet, network.why_subnets.get(zone, "")) for zone, subnet in network.private.items())
    public = tuple(Entry(zone, subnet) for zone, subnet in network.public.items())
    of_public = (Entry("public", public, "for load balancers that face the internet"),) if public else ()
    return Entry("vpc", network.vpc, network.why), Entry("private", subnets), *of_public


def _created(network: NewNetwork) -> Entries:
    return (
        Entry("cidr", network.cidr, network.why_cidr),
        Entry("zones", Flow(list(network.zones)), network.why_zones),
    )


def _zone_ids(network: AnyNetwork, region: str) -> Entries:
    """Where EKS refuses control planes in one zone it is known by its id alone."""
    known = {each: network.zone_ids[each] for each in network.zones if each in network.zone_ids}
    if region not in REGIONS_WITH_REFUSED_ZONES or not known:
        return ()
    return (Entry("zone-ids", Flow(known), "EKS takes no control plane in one zone of this Region"),)
