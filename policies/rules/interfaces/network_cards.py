"""Network interfaces on the network cards of an instance."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from muster.fleet.backend_sets import FROM_LAUNCH_TEMPLATES
from muster.fleet.resources import Fleet, LaunchTemplate
from muster.policies.engine.finding_text import and_list, card_list, quantity_text
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.launch_templates import hardware_missing, interfaces_of


@rule(
    "interface-card-exists",
    title="Interfaces are on network cards that the instance has",
    judges=LaunchTemplate,
    backends=FROM_LAUNCH_TEMPLATES,
    why="EC2 rejects an interface on a network card that the instance type does not have.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceTypeInfo.html",),
    remedy="Use card indexes below the type's number of network cards (`muster hardware TYPE`).",
    facts=("rules.md#3", "hardware.md#R3"),
)
def interface_card_exists(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card")
    if missing:
        yield rule.unjudged(template.place, missing)
    used = {nic.card for nic in nics if isinstance(nic.card, int)} - {0}  # every instance has card 0
    hardware = fleet.hardware_of(template)
    if used and hardware is None:
        yield rule.unjudged(template.place, hardware_missing(template, fleet))
    elif hardware and (beyond := [card for card in used if card >= hardware.network_cards]):
        has = quantity_text(hardware.network_cards, "network card")
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"interfaces are on {card_list(beyond)}, but {hardware.instance} has {has}",
            remedy=f"use cards below {hardware.network_cards}, or another instance type",
            program_remedy=f"set networkCardIndex to at most {hardware.network_cards - 1}, or use another instance "
            "type",
        )


@rule(
    "interface-device-index",
    title="On network card 1 and above, device indexes are 0 or 1, or what else the card supports",
    judges=LaunchTemplate,
    backends=FROM_LAUNCH_TEMPLATES,
    # AWS's page puts efa-only interfaces at device 0 there, every tool in the field uses 1: the rule accepts both.
    # EC2's message: "the device index exceeds the maximum number of network interfaces supported by the network card".
    # That maximum is 2 on most types; AWS's own examples for p4 count on to 3, where it is 15.
    why="EC2 rejects device indexes beyond the interfaces that a card supports: 2 on most types (seen with 2 on "
    "p5.48xlarge).",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html",
        "https://github.com/eksctl-io/eksctl/issues/7520",
    ),
    remedy="Use device index 0 (AWS's page) or 1 (eksctl, Karpenter, ParallelCluster).",
    facts=("rules.md#3", "hardware.md#R3", "pains.md#12"),
)
def interface_device_index(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card", "device")
    if missing:
        yield rule.unjudged(template.place, missing)
    hardware = fleet.hardware_of(template)
    most = max((hardware.enis_other_cards if hardware else None) or 0, _USUAL)
    wrong = [nic for nic in nics if nic.card != 0 and nic.device not in range(most)]
    if wrong and hardware is None:
        yield rule.unjudged(template.place, hardware_missing(template, fleet))
    elif wrong:
        accepted = "0 or 1" if most == _USUAL else f"0 to {most - 1}"
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"{'an interface is' if len(wrong) == 1 else 'interfaces are'} at "
            f"{and_list(nic.label for nic in wrong)}, but EC2 accepts only device {accepted} there",
            remedy="give each of them device index 0 or 1 on its card",
            program_remedy="set deviceIndex of each of them to 0 or 1",
        )


_USUAL = 2
"""Interfaces that a network card supports on most types."""


@rule(
    "interface-slot-used-once",
    title="No two interfaces share a card and device index",
    judges=LaunchTemplate,
    backends=FROM_LAUNCH_TEMPLATES,
    why="EC2 rejects a launch in which two interfaces have the same network card and device index.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceNetworkInterfaceSpecification.html",),
    remedy="Give every interface its own card and device index.",
    facts=("rules.md#2", "hardware.md#R2"),
)
def interface_slot_used_once(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card", "device")
    if missing:
        yield rule.unjudged(template.place, missing)
    slots = defaultdict(list)
    for nic in nics:
        slots[nic.label].append(nic)
    for label, sharing in slots.items():
        # one-efa-per-card reports several EFA interfaces on one card, whatever their devices.
        if len(sharing) > 1 and not all(nic.is_efa is True for nic in sharing):
            yield rule.finding(
                template.place,
                at="interfaces",
                got=f"{quantity_text(len(sharing), 'interface')} are at {label}",
                remedy=f"keep one at {label}, and give the others the next free device index",
                program_remedy=f"keep one at {label}, and set deviceIndex of the others to the next free number",
            )


@rule(
    "interfaces-per-card",
    title="The number of interfaces on a network card is within its limit",
    judges=LaunchTemplate,
    backends=FROM_LAUNCH_TEMPLATES,
    why="EC2 rejects the launch with AttachmentLimitExceeded. For example, p5.48xlarge allows two interfaces on each "
    "card.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceTypeInfo.html",),
    remedy="Remove interfaces from the card (`muster hardware TYPE` prints the limits).",
    facts=("rules.md#3", "hardware.md#R3"),
)
def interfaces_per_card(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card")
    if missing:
        yield rule.unjudged(template.place, missing)
    hardware = fleet.hardware_of(template)
    # Other rules report a slot that is used twice, a device index above 1 and a card beyond the last.
    slots = {
        (nic.card, nic.device) for nic in nics if isinstance(nic.card, int) and (nic.card == 0 or nic.device in (0, 1))
    }
    on_card = Counter(card for card, _ in slots)
    if hardware is None:
        if max(on_card.values(), default=0) > 1:
            yield rule.unjudged(template.place, hardware_missing(template, fleet))
        return
    for card, count in sorted(on_card.items()):
        limit = hardware.enis_card0 if card == 0 else hardware.enis_other_cards
        if limit is None and card < hardware.network_cards and count > 1:
            yield rule.unjudged(template.place, f"the limit of interfaces on card {card} of {hardware.instance}")
        elif limit is not None and count > limit:
            yield rule.finding(
                template.place,
                at="interfaces",
                got=f"card {card} has {quantity_text(count, 'interface')}, but {hardware.instance} allows {limit}",
                remedy=f"remove {count - limit} from card {card}",
                program_remedy=f"remove {quantity_text(count - limit, 'entry', 'entries')} of networkInterfaces with "
                f"networkCardIndex {card}",
            )


@rule(
    "one-efa-per-card",
    title="A network card has at most one EFA interface",
    judges=LaunchTemplate,
    backends=FROM_LAUNCH_TEMPLATES,
    why="EC2 rejects the launch: a network card supports one efa or efa-only interface.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html",
        "https://github.com/aws/karpenter-provider-aws/blob/main/pkg/apis/v1/ec2nodeclass.go",
    ),
    remedy="Spread the EFA interfaces, one on each EFA-capable card.",
    facts=("rules.md#1", "hardware.md#R1", "pains.md#12"),
)
def one_efa_per_card(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card", "type")
    if missing:
        yield rule.unjudged(template.place, missing)
    for card, count in sorted(Counter(nic.card for nic in nics if nic.is_efa is True).items()):
        if count > 1:
            yield rule.finding(
                template.place,
                at="interfaces",
                got=f"network card {card} has {quantity_text(count, 'EFA interface')}, but supports one",
                remedy=f"keep one on card {card}, and put each of the others on another card",
                program_remedy=f"keep one with networkCardIndex {card}, and set networkCardIndex of each of the others "
                "to another card",
            )
