"""The kubelet's pods against the addresses there are for them."""

from collections.abc import Iterator

from muster.fleet.resources import EksAddon, Fleet, NodeGroup
from muster.hardware.catalogue import Hardware, Incomplete
from muster.hardware.interfaces import Slot
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.launch_templates import template_of
from policies.lookups.machines import addresses_for_pods, capped, machines_of, pods_of, slots_of


@rule(
    "max-pods-within-addresses",
    title="A node takes no more pods than it has addresses for",
    judges=NodeGroup,
    why="An efa-only interface on card 0 holds no addresses, and nodeadm does not notice: p5.48xlarge says 100 pods, "
    "51 have an address, the others stay in ContainerCreating. EKS itself stops at 110 below 30 vCPUs, at 250 above.",
    source="Karpenter types.go; amazon-eks-ami nodeadm; EKS user guide, Choose an optimal EC2 instance type",
    remedy="Tell the kubelet the number in user data, or use prefix delegation.",
    facts=("rules.md#14", "hardware.md#R10", "pains.md#19"),
)
def max_pods_within_addresses(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = template_of(group, fleet)
    machines, unheard = machines_of(group, fleet)
    slots, unseen = slots_of(template)
    limit = template.max_pods if template else None
    if template and limit is None and not unseen and not any(slot.card == 0 and not slot.is_primary for slot in slots):
        return  # nodeadm's own number, and every interface on card 0 is there for pods
    unsaid = "what user data tells the kubelet, not known before creation" if limit is UNKNOWN else ""
    for wanting in filter(None, (missing, unheard if template else "", unseen, unsaid)):
        yield rule.unjudged(group.place, wanting)
    if template is None or limit is UNKNOWN or unseen:
        return
    for machine in machines:
        try:
            takes, addressed = pods_of(machine, slots, capped=capped(group, template))
        except Incomplete as lacks:
            yield rule.unjudged(group.place, str(lacks))
            continue
        if (takes if limit is None else limit) > addressed:
            yield from _finding(rule, group, fleet, _got(limit, takes, addressed, machine, slots), addressed)
            return


def _got(limit: int | None, takes: int, addressed: int, machine: Hardware, slots: tuple[Slot, ...]) -> str:
    pods = (
        f"user data says no number of pods, the kubelet takes {takes}" if limit is None else f"user data says {limit}"
    )
    if addressed < addresses_for_pods(machine, slots):
        return f"{pods}; on {machine.instance} EKS takes {addressed} at most"
    return f"{pods}; {machine.instance} has addresses for {addressed} with these interfaces"


def _finding(rule: Rule, group: NodeGroup, fleet: Fleet, got: str, addressed: int) -> Iterator[Verdict]:
    """The finding, where the VPC CNI does not use prefixes: with them an interface has 16 times as many addresses."""
    prefixes = {addon.prefix_delegation for addon in fleet.of(EksAddon) if addon.name in ("vpc-cni", UNKNOWN)}
    if prefixes == {False}:
        yield rule.finding(group.place, at="interfaces", got=got, remedy=f"set maxPods to {addressed} in user data")
    elif True not in prefixes:
        yield rule.unjudged(group.place, "whether the VPC CNI gives interfaces prefixes (ENABLE_PREFIX_DELEGATION)")
