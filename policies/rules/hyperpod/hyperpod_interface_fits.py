"""The kind of interfaces that HyperPod gives its instances."""

from collections.abc import Iterator

from muster.fleet.description.instance_group import Interface
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called, machines
from policies.rule import Rule, Verdict, rule
from policies.words import agree, choice, some

_KNOWN = tuple(each.value for each in Interface)


@rule(
    "hyperpod-interface-fits",
    title="A HyperPod group asks for EFA interfaces only where its types have EFA",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="The kind of interface is efa, which HyperPod takes anyway, or efa-only, for instances with EFA. Others have "
    "nothing of the sort to attach, and the group is refused while the cluster is made.",
    source="SageMaker API, ClusterNetworkInterface; EC2 user guide, Elastic Fabric Adapter",
    remedy="Leave the interface out of groups without EFA.",
    facts=("rules.md#57", "rules.md#5", "rules.md#13", "hardware.md#R19"),
)
def hyperpod_interface_fits(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    at = "hyperpod.interface"
    if group.interface is None:
        return
    if group.interface is UNKNOWN:
        yield rule.unjudged(group.place, f"the interfaces of {called(group)}, not known before creation")
        return
    if group.interface not in _KNOWN:
        got = f"{called(group)} asks for interfaces of the kind '{group.interface}'"
        yield rule.finding(group.place, at=at, got=got, remedy=f"write {choice(_KNOWN)}, or leave it out")
    known, missing = machines(group)
    plain = [f"ml.{machine.instance}" for machine in known if not machine.max_efa]
    if plain:
        of = f"{some(plain)}, which {agree(plain, 'has', 'have')} no EFA"
        got = f"{called(group)} asks for {group.interface} interfaces on {of}"
        yield rule.finding(group.place, at=at, got=got, remedy="leave the kind of interface out of this group")
    elif missing:
        yield rule.unjudged(group.place, missing)
