"""The environment variables of a job for its network: the names of interfaces, and what turns EFA off."""

from collections.abc import Callable, Iterator, Mapping

from muster.blueprint.node import EFA_RESOURCE
from muster.fleet.resources import Fleet, NodeGroup, PodOwner, PodTemplate
from muster.hardware.ami import Family
from muster.message_text import list_names
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.pods import nodes_for, of_each_template, requests_of, variables
from muster.unknown import UNKNOWN, NotKnown, if_known

_GLOO = "GLOO_SOCKET_IFNAME"
_INTERFACES = (_GLOO, "NCCL_SOCKET_IFNAME")
_OF_POD = "eth0"
"""The interface of a pod in its own network."""
_OF_NODES = ("en", "ib")
"""How Linux names Ethernet and InfiniBand interfaces of a node: ens5, enp71s0."""


@of_each_template
def socket_interfaces_exist(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for each in variables(template, _INTERFACES):
        names = [name.strip() for name in each.value.lstrip("^=").split(",") if name.strip()]
        place = owner.place.within(each.at)
        got = f"{each.shown} sets {each.name}={each.value}"
        if each.name == _GLOO and each.value.startswith(("^", "=")):
            why = f"{got}, but Gloo knows only names of interfaces, with commas between them"
            named = () if _on_host(template) else (f"write {_OF_POD}",)
            yield rule.finding(owner, got=why, change=("remove the variable", *named), place=place)
        elif each.value.startswith("^") or not names:
            continue
        elif not _on_host(template):
            if all(name.startswith(_OF_NODES) for name in names):
                why = f"{got}, but a pod without hostNetwork has {_OF_POD}"
                yield rule.advice.finding(owner, got=why, change=f"set it to {_OF_POD}", place=place)
        elif all(name.startswith("eth") for name in names) and _all_on_al2023(template, fleet):
            why = f"{got}, but nodes with Amazon Linux 2023 name their interfaces ens5 or enp71s0"
            change = "remove the variable" if each.name == _GLOO else "set it to ^lo,docker,veth,eni"
            yield rule.advice.finding(owner, got=why, change=change, place=place)


def _on_host(template: PodTemplate) -> bool:
    """Whether its pods use the network of their node.

    Raises:
        NotKnown: that is not known.
    """
    found = template.spec.get("hostNetwork")
    if found is UNKNOWN:
        raise NotKnown(f"hostNetwork of {template.path}", template)
    return found is True


def _all_on_al2023(template: PodTemplate, fleet: Fleet) -> bool:
    groups = [spot.group for spot in nodes_for(template, fleet)]
    types = [if_known(lambda: each.ami_type) for each in groups if isinstance(each, NodeGroup)]
    all_known = 0 < len(groups) == len(types)
    return all_known and all((each or "").lower().startswith(Family.AL2023.value) for each in types)


def _without_efa(value: str) -> bool:
    """Whether libfabric's filter of providers leaves EFA out: ``tcp``, ``^efa``."""
    listed = value.lower().lstrip("^").split(",")
    named = any("efa" in each.split(";") for each in map(str.strip, listed))
    return named if value.startswith("^") else not named


_TURN_OFF: Mapping[str, Callable[[str], bool]] = {
    "FI_PROVIDER": _without_efa,
    "NCCL_NET": lambda value: value.lower() in ("socket", "ib"),
    "NCCL_NET_PLUGIN": lambda value: value.lower() == "none",
}
"""Variable -> whether a value keeps NCCL or MPI from EFA."""
_RDMA = "FI_EFA_USE_DEVICE_RDMA"


def efa_stays_on(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if any(requests_of(each).get(EFA_RESOURCE) for each in owner.templates):
        yield from _variables(owner, fleet, rule)


@of_each_template
def _variables(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for each in variables(template, (*_TURN_OFF, _RDMA)):
        if each.name != _RDMA:
            wrong = each.value != "" and _TURN_OFF[each.name](each.value)
            level, why = rule.advice, f"with which the job does not use the {EFA_RESOURCE} that it requests"
        else:
            machines = {spot.machine.instance: spot.machine for spot in nodes_for(template, fleet)}
            wrong = each.value == "1" and all(machine.efa_without_rdma for machine in machines.values())
            wrong = wrong and bool(machines)
            level, why = rule, f"but EFA of {list_names(sorted(machines))} has no RDMA read: libfabric ends the process"
        if wrong:
            got = f"{each.shown} sets {each.name}={each.value}, {why}"
            yield level.finding(owner, got=got, change=f"remove {each.name}", place=owner.place.within(each.at))
