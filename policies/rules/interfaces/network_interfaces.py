"""The network interfaces of a node: EFA, cards, the primary one."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from muster.blueprint.node import EFA_RESOURCE
from muster.config.description.node_group import Purpose
from muster.edits import Edit, Remedy, set_to
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, LaunchTemplate, NetworkInterface
from muster.hardware.catalogue import Hardware
from muster.hardware.interfaces import InterfaceType
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list, card_list, name_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.device_plugins import offers, own_plugins, without_efa
from muster.policies.lookups.installed_addons import installing
from muster.policies.lookups.launch_templates import read_interfaces
from muster.policies.lookups.machines import known_machines, machines_of
from muster.unknown import NotKnown, any_of, if_known, known, needed, stored


def efa_fits_instance(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, ComputeResource):
        # ParallelCluster arranges the interfaces itself; the configuration only enables EFA.
        bare = sorted(one.instance for one in known_machines(thing, fleet) if not one.max_efa)
        if not bare and if_known(lambda: thing.has_efa) is not False:
            machines_of(thing, fleet)
        elif bare and thing.has_efa:
            got = f"EFA is on, but not supported by {and_list(bare)}"
            yield rule.finding(thing, "efa", got=got, change=(set_to(False), "use a type with EFA"))
        return
    if efa := thing.efa_interfaces:
        hardware = fleet.hardware_of(thing)
        able = hardware.efa_cards
        wrong = {stored(nic, "card") for nic in efa}.intersection(range(hardware.network_cards)).difference(able)
        if wrong:
            change: Remedy | tuple[Remedy, ...] = (without_efa(fleet.groups_of(thing), fleet), "use a type with EFA")
            takes = "has no EFA"
            if able:
                takes = f"supports EFA only on {card_list(able)}"
                change = f"move them to {card_list(able)}, in a launch template that lists its interfaces"
            got = f"EFA interfaces are on {card_list(wrong)}, but {hardware.instance} {takes}"
            yield rule.finding(thing, "interfaces", got=got, change=change)
        elif len(efa) > hardware.max_efa and not known(lambda: read_interfaces(thing)):
            # If every card is known, other rules report the excess: two on a card, or one beyond the last card.
            got = f"the template has {len(efa)} EFA interfaces, but {hardware.instance} supports {hardware.max_efa}"
            yield rule.finding(thing, "interfaces", got=got, change=f"keep {hardware.max_efa} of them")
    read_interfaces(thing)


_TYPES = frozenset(kind.value for kind in InterfaceType)


def efa_used_fully(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, ComputeResource):
        yield from _slurms_efa_used(thing, fleet, rule)
        return
    groups = tuple(fleet.groups_of(thing))
    if any(if_known(lambda: nic.type not in _TYPES) for nic in stored(thing, "interfaces", ())):
        return  # types that EC2 does not know may be intended as EFA
    used = sum(nic.is_efa for nic in thing.interfaces)
    if not used and not any(group.purpose is Purpose.TRAINING for group in groups):
        return
    hardware = fleet.hardware_of(thing)
    if used < hardware.enough_efa:
        of_pcs = any(isinstance(group, ComputeNodeGroup) for group in groups)
        at, values = ("efa", (True,)) if of_pcs else ("interfaces", ("aws", "classic"))
        got = f"the template uses {used} of the {hardware.enough_efa} EFA interfaces of {hardware.instance}"
        plugins = own_plugins(EFA_RESOURCE, fleet)
        if plugins and not used and EFA_RESOURCE not in offers(fleet) and rule.leaves("addon-serves-a-group"):
            return
        needs = [] if plugins or of_pcs or not thing.place.described else [installing("efa-device-plugin")]
        also = tuple(each for each in needs if isinstance(each, Edit))
        change = set_to(*values, in_program="an EFA interface on each EFA-capable card", also=also)
        yield rule.finding(thing, at, got=got, change=change)


def _slurms_efa_used(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges compute resources, which have all EFA interfaces or none. In another program, a type with several is for
    training."""
    if group.purpose not in (None, Purpose.TRAINING) or if_known(lambda: group.has_efa):
        return
    least = 0 if group.purpose else 1
    having = [one for one in known_machines(group, fleet) if one.max_efa > least]
    if not having:
        machines_of(group, fleet)
    elif not group.has_efa:
        one = min(having, key=lambda machine: machine.instance)
        got = f"the group uses 0 of the {one.max_efa} EFA interfaces of {one.instance}"
        yield rule.finding(group, "efa", got=got, change=set_to(True))


def interfaces_fit_cards(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics = template.interfaces
    for got, change in (*_shared_places(nics), *_several_efa(template.efa_interfaces)):
        yield rule.finding(template, "interfaces", got=got, change=change)
    # Every type has a card 0 with two device indexes.
    if any(stored(nic, "card") != 0 for nic in nics) or len({stored(nic, "device") for nic in nics}) > 1:
        hardware = fleet.hardware_of(template)
        yield from _too_many(template, hardware, rule)
        for got, change in _outside(nics, hardware):
            yield rule.finding(template, "interfaces", got=got, change=change)
    read_interfaces(template)


_Interfaces = tuple[NetworkInterface, ...]
_Faults = Iterator[tuple[str, Remedy]]
"""What was found, and what to do."""


def _outside(nics: _Interfaces, hardware: Hardware) -> _Faults:
    """Cards that the type does not have, and device indexes beyond the interfaces that a card supports: 2 on most types
    (AWS's examples for p4 count on to 3, where it is 15)."""
    cards, most = hardware.network_cards, max(hardware.enis_other_cards or 0, 2)
    if beyond := {nic.card for nic in nics if if_known(lambda: nic.card >= cards)}:
        got = f"interfaces are on {card_list(beyond)}, but {hardware.instance} has {cards} network cards"
        yield got, set_to(words=f"at most {cards - 1}", at="networkCardIndex")
    if wrong := [nic for nic in nics if if_known(lambda: nic.card != 0 and nic.device not in range(most))]:
        got = f"EC2 accepts only device indexes below {most} at {and_list(nic.label for nic in wrong)}"
        yield got, set_to(0, 1, at="deviceIndex")


def _shared_places(nics: _Interfaces) -> _Faults:
    places = defaultdict(list)
    for nic in nics:
        if known(lambda: (nic.card, nic.device)):
            places[nic.label].append(nic)
    for label, sharing in places.items():
        if len(sharing) > 1 and not all(if_known(lambda: nic.is_efa) for nic in sharing):  # else _several_efa
            got = f"{count_noun(len(sharing), 'interface')} are at {label}"
            yield got, f"keep one at {label}, and move the others to the next free device index"


def _too_many(template: LaunchTemplate, hardware: Hardware, rule: Rule) -> Iterator[Verdict]:
    """More interfaces on a card than it supports, apart from places that are used twice or have a wrong index."""
    places = {(nic.card, stored(nic, "device")) for nic in template.interfaces if known(lambda: nic.card)}
    on_card = Counter(card for card, device in places if card == 0 or device in (0, 1))

    def judge(card: int) -> Iterator[Verdict]:
        limit, count = hardware.enis_card0 if card == 0 else hardware.enis_other_cards, on_card[card]
        if limit is None and count > 1 and card < hardware.network_cards:
            raise NotKnown(f"the limit of interfaces on card {card} of {hardware.instance}")
        if limit is not None and count > limit:
            got = f"card {card} has {count_noun(count, 'interface')}, but {hardware.instance} allows {limit}"
            yield rule.finding(template, "interfaces", got=got, change=f"remove {count - limit} from card {card}")

    yield from rule.each(sorted(on_card), judge, template.place)


def _several_efa(efa: _Interfaces) -> _Faults:
    for card, count in sorted(Counter(nic.card for nic in efa if known(lambda: nic.card)).items()):
        if count > 1:
            got = f"network card {card} has {count_noun(count, 'EFA interface')}, but supports one"
            yield got, f"keep one on card {card}, and move each of the others to another card"


def primary_interface_carries_ip(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    primary = [nic for nic in template.interfaces if if_known(lambda: (nic.card, nic.device) == (0, 0))]
    if any_of(*(lambda nic=nic: nic.type == InterfaceType.EFA_ONLY for nic in primary)):
        yield rule.finding(
            template,
            "interfaces",
            got="the interface at card 0 / device 0 is efa-only",
            change=(set_to("efa", at="interfaceType"), "move it to device 1, and put an interface without EFA there"),
        )
    elif template.interfaces and not primary:
        needed(*((nic.card, nic.device) for nic in template.interfaces))
        first = and_list(nic.label for nic in template.interfaces[:3])
        got = f"no interface is at card 0 / device 0 (the first are at {first})"
        yield rule.finding(template, "interfaces", got=got, change="add an interface without EFA there")


def security_groups_on_interfaces(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = stored(template, "security_groups")
    if groups != () and template.interfaces:
        # Groups that are set count, even if they are unknown.
        yield rule.finding(
            template,
            "vpcSecurityGroupIds",
            got=f"the template sets security groups at its top level ({name_list(groups)}), but lists "
            f"{count_noun(len(template.interfaces), 'interface')}",
            change=f"move them to {rule.key(template, 'securityGroups')} of each interface",
        )
