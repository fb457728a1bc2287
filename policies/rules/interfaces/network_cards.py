"""Network interfaces on the network cards of an instance."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from muster.edits import Remedy, set_to
from muster.fleet.backend_sets import FROM_LAUNCH_TEMPLATES
from muster.fleet.resources import Fleet, LaunchTemplate, NetworkInterface
from muster.hardware.catalogue import Hardware
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list, card_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.launch_templates import read_interfaces
from muster.unknown import NotKnown, if_known, known, stored


@rule(
    "interfaces-fit-cards",
    title="Each interface is at its own card and device index, which the type has, and a card has at most one EFA",
    judges=LaunchTemplate,
    backends=FROM_LAUNCH_TEMPLATES,
    why="EC2 rejects the launch of a template with an interface on a card that the type does not have, two interfaces "
    "in one place, more interfaces than a card supports (AttachmentLimitExceeded: two on each card of p5.48xlarge), or "
    "two EFA interfaces on one card.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceTypeInfo.html",
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html",
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceNetworkInterfaceSpecification.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html",
        "https://github.com/eksctl-io/eksctl/issues/7520",
        "https://github.com/aws/karpenter-provider-aws/blob/main/pkg/apis/v1/ec2nodeclass.go",
    ),
    remedy="Use card indexes below the type's number of network cards (`muster hardware TYPE`), device index 0 (AWS's "
    "page) or 1 (eksctl, Karpenter, ParallelCluster), and one EFA interface on each card.",
    facts=(
        "rules.md#1",
        "rules.md#2",
        "rules.md#3",
        "hardware.md#R1",
        "hardware.md#R2",
        "hardware.md#R3",
        "pains.md#12",
    ),
)
def interfaces_fit_cards(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics = template.interfaces
    for got, change in (*_shared_places(nics), *_several_efa(template.efa_interfaces)):
        yield rule.finding(template, "interfaces", got=got, change=change)
    # Every type has a card 0 with two device indexes.
    if any(stored(nic, "card") != 0 for nic in nics) or len({stored(nic, "device") for nic in nics}) > 1:
        hardware = fleet.hardware_of(template)
        yield from _too_many(template, hardware, rule)
        for got, change in (*_beyond_the_last_card(nics, hardware), *_device_indexes(nics, hardware)):
            yield rule.finding(template, "interfaces", got=got, change=change)
    read_interfaces(template)


_Interfaces = tuple[NetworkInterface, ...]
_Faults = Iterator[tuple[str, Remedy]]
"""What was found, and what to do."""


def _beyond_the_last_card(nics: _Interfaces, hardware: Hardware) -> _Faults:
    beyond = {nic.card for nic in nics if if_known(lambda: nic.card >= hardware.network_cards)}
    if beyond:
        has = count_noun(hardware.network_cards, "network card")
        yield (
            f"interfaces are on {card_list(beyond)}, but {hardware.instance} has {has}",
            set_to(words=f"at most {hardware.network_cards - 1}", at="networkCardIndex"),
        )


def _device_indexes(nics: _Interfaces, hardware: Hardware) -> _Faults:
    """Device indexes beyond the interfaces that a card supports: 2 on most types (AWS's examples for p4 count on to 3,
    where it is 15)."""
    most = max(hardware.enis_other_cards or 0, _USUAL)
    wrong = [nic for nic in nics if if_known(lambda: nic.card != 0 and nic.device not in range(most))]
    if wrong:
        yield (
            f"EC2 accepts only device indexes below {most} at {and_list(nic.label for nic in wrong)}",
            set_to(0, 1, at="deviceIndex"),
        )


_USUAL = 2
"""Interfaces that a network card supports on most types."""


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
