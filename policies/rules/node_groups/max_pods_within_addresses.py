"""The kubelet's limit of pods, compared with the addresses for them."""

from collections.abc import Iterator

from muster.fleet.resources import EksAddon, Fleet, NodeGroup
from muster.hardware.catalogue import Hardware, Incomplete
from muster.hardware.interfaces import Slot
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.engine.transition import pair_of
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import addresses_for_pods, capped, known_machines, machines_of, pods_of, slots_of
from muster.unknown import UNKNOWN


@rule(
    "max-pods-within-addresses",
    title="A node's limit of pods is within the addresses that it has for them",
    judges=NodeGroup,
    why="An efa-only interface on card 0 holds no addresses, but nodeadm counts it: on a p5.48xlarge it allows 100 "
    "pods, 51 get an address, and the others stay in ContainerCreating. EKS's own limit is 110 pods below 30 vCPUs, "
    "250 above.",
    source=(
        "https://github.com/aws/karpenter-provider-aws/blob/main/pkg/providers/instancetype/types.go",
        "https://github.com/awslabs/amazon-eks-ami/blob/v20260724/nodeadm/internal/kubelet/config.go",
        "https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html",
    ),
    remedy="Set the kubelet's maxPods in user data, or use prefix delegation.",
    facts=("rules.md#14", "hardware.md#R10", "pains.md#19"),
)
def max_pods_within_addresses(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = pair_of(lambda: template_of(group, fleet))
    machines, unknown = known_machines(group, fleet), pair_of(lambda: machines_of(group, fleet))[1]
    slots, unseen = pair_of(lambda: slots_of(template), ())
    limit = template.max_pods if template else None
    if group.pool is not None and limit is None:
        return  # Karpenter sets the number, and counts the addresses (its types.go)
    if template and limit is None and not unseen and not any(slot.card == 0 and not slot.is_primary for slot in slots):
        return  # nodeadm's own number, and every interface on card 0 has addresses for pods
    no_limit = "maxPods in user data (known only after `pulumi up`)" if limit is UNKNOWN else ""
    for wanting in filter(None, (missing, unknown if template else "", unseen, no_limit)):
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
        f"user data does not set maxPods, so the kubelet accepts {takes} pods"
        if limit is None
        else f"user data sets maxPods to {limit}"
    )
    if addressed < addresses_for_pods(machine, slots):
        return f"{pods}, but EKS accepts at most {addressed} on a {machine.instance}"
    return f"{pods}, but a {machine.instance} with these interfaces has addresses for {addressed}"


def _finding(rule: Rule, group: NodeGroup, fleet: Fleet, got: str, addressed: int) -> Iterator[Verdict]:
    """The finding, if the VPC CNI does not use prefixes: with prefixes an interface has 16 times the addresses."""
    prefixes = {addon.prefix_delegation for addon in fleet.of(EksAddon) if addon.name in ("vpc-cni", UNKNOWN)}
    if prefixes == {False}:
        yield rule.finding(group.place, at="interfaces", got=got, remedy=f"set maxPods to {addressed} in user data")
    elif True not in prefixes:
        yield rule.unjudged(group.place, "whether the VPC CNI uses prefixes (ENABLE_PREFIX_DELEGATION)")
