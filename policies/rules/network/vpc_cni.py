"""The VPC CNI's version, and what needs it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from muster.config.description.network import VPC_CNI
from muster.edits import set_to
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, EksAddon, Fleet, InstanceGroup, LaunchTemplate, NodeGroup, Place
from muster.hardware.interfaces import InterfaceType
from muster.message_text import count_noun
from muster.plain_data import value_at
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import cluster_of
from muster.policies.lookups.launch_templates import read_interfaces, template_of
from muster.policies.lookups.machines import known_machines, machines_of, pods_apart, slots_of
from muster.policies.lookups.versions import older_than_listed, version_tuple
from muster.unknown import NotKnown, if_known, needed, stored
from muster.versions import (
    EKS_CALENDAR,
    MINIMUM_VPC_CNI_FOR_EFA_ONLY,
    MINIMUM_VPC_CNI_FOR_HYPERPOD,
    MINIMUM_VPC_CNI_FOR_SEVERAL_CARDS,
)


class _Need(NamedTuple):
    least: tuple[int, ...]
    of: str
    group: InstanceGroup | None = None
    """What may have these interfaces, as it is not known whether it has."""


_EFA_ONLY = _Need(MINIMUM_VPC_CNI_FOR_EFA_ONLY, "efa-only interfaces")


def vpc_cni_supports_efa(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if template.of_auto_mode:
        return  # EKS runs the CNI of these nodes itself
    efa = template.efa_interfaces
    if any(nic.type == InterfaceType.EFA_ONLY for nic in efa):
        yield from _judged(_EFA_ONLY, None, fleet, rule)
    elif len({stored(nic, "card", None) for nic in efa} - {None}) > 1:
        need = _Need(MINIMUM_VPC_CNI_FOR_SEVERAL_CARDS, "EFA interfaces on several cards")
        yield from _judged(need, None, fleet, rule)
    else:
        read_interfaces(template)


def hyperpod_vpc_cni(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or stored(cluster, "orchestrator") is None:
        return  # Slurm has no CNI
    if if_known(lambda: group.interface, InterfaceType.EFA_ONLY) == InterfaceType.EFA_ONLY:
        need = _EFA_ONLY._replace(group=group)
    else:
        need = _Need(MINIMUM_VPC_CNI_FOR_HYPERPOD, "HyperPod's nodes")
    yield from _judged(need, group.place, fleet, rule)


def _judged(need: _Need, place: Place | None, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges an existing cluster's CNI and the add-ons that may be one. A place is where it reports what is not known
    of an add-on, if that is not the add-on's own."""
    existing = next((plane for plane in fleet.of(ControlPlane) if plane.existing), None)
    addons = [each for each in fleet.of(EksAddon) if stored(each, "name", VPC_CNI) == VPC_CNI]
    # Whichever EKS chooses for a Kubernetes version of these years is newer than 2021.
    made = [stored(plane, "kubernetes") for plane in fleet.of(ControlPlane) if not plane.existing]
    newer = need.least <= MINIMUM_VPC_CNI_FOR_SEVERAL_CARDS and any(each in EKS_CALENDAR for each in made)
    for addon in (each for each in addons if not newer or stored(each, "version", None) is not None):
        yield from rule.each((addon,), lambda each: _of_addon(each, need, fleet, rule), place or addon.place)
    if existing is None and not addons and not newer:
        raise NotKnown(f"the VPC CNI's version, which EKS chooses without an add-on '{VPC_CNI}'")
    if existing and not fleet.gone(ResourceKind.CLUSTER, existing.name):
        version = (fleet.cluster_facts(existing.name).eks_addons or {}).get(VPC_CNI)
        version = fleet.need(version, f"the version of {existing.name}'s VPC CNI")
        yield from _verdict(version, need, existing, "control-plane.existing.name", rule)


def _of_addon(addon: EksAddon, need: _Need, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed = rule.leaves("addon-supports-kubernetes") and older_than_listed(VPC_CNI, lambda: addon.version, fleet)
    if addon.name == VPC_CNI and not listed:
        yield from _verdict(addon.version, need, addon, "", rule)


def _verdict(
    version: str | None, need: _Need, thing: EksAddon | ControlPlane, at: str, rule: Rule
) -> Iterator[Verdict]:
    least = ".".join(map(str, need.least))
    found, wanted = version_tuple(version), f"{need.of} need {least} or newer"
    if found is None:
        raise NotKnown(f"the version of the VPC CNI{f' ({version})' if version else ''}: {wanted}")
    if found < need.least:
        needed(need.group and need.group.interface)
        got = f"{VPC_CNI} is {version}, but {wanted}"
        yield rule.finding(thing, at, got=got, change=f"first update {VPC_CNI} to {least} or newer")


_ZONE_LABELS = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")


def pod_subnets_fit_nodes(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.of_auto_mode or not pods_apart(fleet):
        return  # EKS runs the CNI of nodes of Auto Mode itself
    yield from _in_zones(group, fleet, rule)
    slots = slots_of(template_of(group, fleet))
    for machine in machines_of(group, fleet):
        others = sum(slot.card == 0 and not slot.is_primary for slot in slots)
        if (interfaces := machine.enis_card0) and interfaces <= 1 + others:
            got = f"{machine.instance} has {count_noun(interfaces, 'interface')} on card 0, of which the first has no "
            got += f"pods with custom networking{', and EFA uses the others' if others else ''}"
            classic = (set_to("classic", at="interfaces"),) if others and interfaces > 1 else ()
            yield rule.finding(group, "interfaces", got=got, change=(*classic, "remove pods from the network"))


def _in_zones(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The finding about a zone without an ENIConfig, if they are named by zone."""
    for addon in fleet.of(EksAddon):
        by_zone = value_at(addon.values, "env", "ENI_CONFIG_LABEL_DEF") in _ZONE_LABELS
        if addon.name != VPC_CNI or not by_zone or not addon.pod_subnets:
            continue
        zones = fleet.need(fleet.zones_of(group.subnets), f"the zones of subnets {name_list(group.subnets)}")
        if lacking := zones - addon.pod_subnets.keys():
            got = f"the group has nodes in {and_list(zones)}, but there is no subnet for pods in {and_list(lacking)}"
            change = f"list a subnet in {and_list(lacking)} below network.existing.pods"
            yield rule.finding(group, "zone", got=got, change=(change, "use other zones"))


_FEWER_AT_ONCE = ("WARM_IP_TARGET", "MINIMUM_IP_TARGET", "ENABLE_PREFIX_DELEGATION")


def pod_subnets_hold_pods(addon: EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if stored(addon, "name", "") == VPC_CNI and addon.custom_networking:
        own = value_at(addon.values, "env")
        if not any(each in own for each in _FEWER_AT_ONCE):
            yield from rule.each(
                addon.pod_subnets.items(), lambda each: _in_zone(addon, *each, fleet, rule), addon.place
            )


def _in_zone(addon: EksAddon, zone: str, named: Mapping[str, Any], fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The finding about the subnet for pods of a zone. The CNI takes all addresses of an interface at once."""
    if fleet.gone(ResourceKind.SUBNET, named["id"]):
        return
    (subnet,) = fleet.subnets_of((named["id"],))
    groups = [group for group in fleet.of(NodeGroup) if stored(group, "subnets", ()) and not group.of_auto_mode]
    there = [group for group in groups if fleet.zones_of(group.subnets) == frozenset({zone})]
    needed = sum(if_known(lambda: group.nodes_start, 0) * _of_an_interface(group, fleet) for group in there)
    free = fleet.need(subnet.free_addresses, f"the free addresses of {subnet.id}") if needed else 0
    if needed > free:
        names = and_list(each.ref.name for each in there)
        got = f"pods of {names} take {needed} addresses at the start, but only {free} are free in {subnet.id}"
        where: EksAddon | Place = Place("") if subnet.declared_at else addon
        yield rule.finding(where, subnet.declared_at, got=got, change="use a larger subnet, or fewer nodes")


def _of_an_interface(group: NodeGroup, fleet: Fleet) -> int:
    """The addresses of an interface, as far as they are known."""
    return min((machine.ipv4_per_eni or 0 for machine in known_machines(group, fleet)), default=0)
