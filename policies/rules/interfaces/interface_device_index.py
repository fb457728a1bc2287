"""Device indexes on the cards beyond the first."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import interfaces_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "interface-device-index",
    title="On network cards from 1 up, device indexes are 0 or 1",
    judges=LaunchTemplate,
    # AWS's page puts efa-only interfaces at device 0 there, every tool in the field ships 1: both are accepted.
    why="EC2 refuses other device indexes on these cards (seen with 2 on p5.48xlarge).",
    source="EC2 user guide, EFA interfaces for accelerated instance types; eksctl#7520",
    remedy="Use device index 0 (AWS's page) or 1 (eksctl, Karpenter, ParallelCluster).",
    facts=("rules.md#3", "hardware.md#R3", "pains.md#12"),
)
def interface_device_index(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card", "device")
    if missing:
        yield rule.unjudged(template.place, missing)
    wrong = [nic for nic in nics if nic.card != 0 and nic.device not in (0, 1)]
    if wrong:
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"{'an interface is' if len(wrong) == 1 else 'interfaces are'} at {some(nic.label for nic in wrong)}",
            remedy="give each of them device index 0 or 1 on its card",
        )
