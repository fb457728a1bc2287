"""The instance types of groups, the pods that they take, nodes for ordinary pods, and settings at boot."""

from collections.abc import Iterable, Iterator
from functools import partial

from muster.config.description.node_boot import MOST_USER_DATA
from muster.config.description.node_group import Purpose
from muster.edits import Remedy, raise_to, remove, set_to
from muster.fleet.resources import ControlPlane, EksAddon, Fleet, InstanceGroup, LaunchTemplate, NodeGroup
from muster.fleet.resources.fleet import AnyGroup, KubernetesGroup
from muster.hardware.catalogue import Accelerator, Hardware, Incomplete, UnknownInstance, hardware
from muster.hardware.default_types import EKS_SYSTEM_NODES, HYPERPOD_SYSTEM_NODES
from muster.hardware.hyperpod_types import ML
from muster.hardware.interfaces import Slot, addresses_for_pods
from muster.hardware.other_types import types_without_hardware
from muster.policies.engine.finding_text import and_list, name_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.launch_templates import decoded, settings_of_template, template_of
from muster.policies.lookups.machines import (
    capped,
    known_machines,
    machines_of,
    pods_apart,
    pods_of,
    slots_of,
)
from muster.unknown import UNKNOWN, NotKnown, any_of, if_known, stored


def instance_type_catalogued(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for each in sorted({each.removeprefix(ML) for each in _types(group, fleet)}):
        try:
            hardware(each)
        except UnknownInstance as unknown:
            got = str(unknown)
            change: Remedy = set_to(words="a type that `muster hardware --all` lists")
            if each in types_without_hardware():
                got = f"Muster has no source for the vCPUs, memory and network of {each}"
                change = "check what depends on these values by EC2's page of the type: no rule evaluates it"
            yield rule.finding(group, "instance", got=got, change=change)


def _types(group: AnyGroup, fleet: Fleet) -> tuple[str, ...]:
    """A group's instance types. AWS states those of a reservation."""
    if group.instance_types or not isinstance(group, NodeGroup):
        return group.instance_types
    template = template_of(group, fleet)
    return (template.instance,) if template and template.instance else ()


def max_pods_within_addresses(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Karpenter sets the number, and counts the addresses (its types.go), where its class does not set it.
    template = template_of(group, fleet) if group.pool is None else fleet.template_of(group)
    if template is None or (group.pool is not None and template.max_pods is None):
        return
    slots, key = slots_of(template), rule.key(group, "maxPods")
    if template.max_pods is None and not any(slot.card == 0 and not slot.is_primary for slot in slots):
        return  # nodeadm's own number, and every interface on card 0 has addresses for pods
    apart = pods_apart(fleet)
    faults = (if_known(lambda: _fault(one, slots, template, group, key, apart)) for one in known_machines(group, fleet))
    if fault := next(filter(None, faults), None):
        yield from _finding(rule, group, fleet, *fault)
    for machine in machines_of(group, fleet):
        _fault(machine, slots, template, group, key, apart)  # raises where its addresses are not known


def _fault(
    machine: Hardware,
    slots: tuple[Slot, ...],
    template: LaunchTemplate,
    group: NodeGroup,
    key: str,
    apart: bool,  # noqa: FBT001
) -> tuple[str, int] | None:
    """What is found on a type that has fewer addresses than pods, and the number of addresses; None on others."""
    limit, by_eks = template.max_pods, if_known(lambda: capped(group, template), False)
    if limit is None and apart and by_eks:
        return None  # EKS counts what the VPC CNI's configuration leaves
    try:
        takes, addressed = pods_of(machine, slots, capped=by_eks, apart=apart)
    except Incomplete as lacks:
        raise NotKnown(str(lacks)) from None
    if (takes if limit is None else limit) <= addressed:
        return None
    pods = f"{key} is not set, so the kubelet accepts {takes} pods" if limit is None else f"{key} is {limit}"
    if addressed < addresses_for_pods(machine, slots, custom_networking=apart):
        return f"{pods}, but EKS accepts at most {addressed} on a {machine.instance}", addressed
    return f"{pods}, but a {machine.instance} with these interfaces has addresses for {addressed}", addressed


def _finding(rule: Rule, group: NodeGroup, fleet: Fleet, got: str, addressed: int) -> Iterator[Verdict]:
    """The finding, if the VPC CNI does not use prefixes: with prefixes an interface has 16 times the addresses."""
    cni = [addon for addon in fleet.of(EksAddon) if if_known(lambda: addon.name, "vpc-cni") == "vpc-cni"]
    if not cni:
        raise NotKnown("whether the VPC CNI uses prefixes (ENABLE_PREFIX_DELEGATION)")
    if not any_of(*(partial(getattr, addon, "prefix_delegation") for addon in cni)):
        yield rule.finding(group, "interfaces", got=got, change=set_to(addressed, at="maxPods"))


def untainted_group(plane: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = fleet.kubernetes_groups
    if plane.existing:
        return  # it already has CoreDNS, and nodes for it
    # A foreign program may have other groups (Karpenter, another project).
    if not groups or any(group.purpose is None for group in groups):
        return
    if any_of(*(partial(_takes_pods, group, fleet) for group in groups)):
        return
    open_to_all = [group for group in groups if _is_open(group)]
    begun = [group for group in open_to_all if group.nodes_start != 0]
    hyperpod = any(isinstance(each, InstanceGroup) for each in groups)
    system = {"for": "system", "instance": HYPERPOD_SYSTEM_NODES if hyperpod else EKS_SYSTEM_NODES, "nodes": 1}
    if begun:
        got = f"for about two hours, no node takes ordinary pods: deep health checks run on {_names(begun)}"
        change = "add a group `system` without accelerators, on which HyperPod runs no such checks"
        yield rule.finding(begun[0], "hyperpod.deep-health-checks", got=got, change=change)
    elif open_to_all:
        one = open_to_all[0]
        at = "nodes" if isinstance(one, InstanceGroup) else "nodes.start"
        got = f"the cluster starts without a node for ordinary pods: 0 nodes in {_names(open_to_all)}"
        yield rule.finding(one, at, got=got, change=raise_to(1))
    else:
        name = "system" if all(group.ref.name != "system" for group in groups) else "ordinary-pods"
        got = f"every group is tainted ({_names(groups)})"
        own = [each for each in groups if each.purpose is Purpose.SYSTEM]
        open_one = remove(f"/{own[0].place.path('taints')}") if own else set_to(system, at=f"/groups.{name}")
        yield rule.finding(plane, "groups", got=got, change=open_one)


def _names(groups: Iterable[KubernetesGroup]) -> str:
    return and_list(each.ref.name for each in groups)


def _takes_pods(group: KubernetesGroup, fleet: Fleet) -> bool:
    """Whether it has nodes for ordinary pods from the start."""
    return _is_open(group) and group.nodes_start != 0 and not _is_checked_first(group, fleet)


def _is_open(group: KubernetesGroup) -> bool:
    return all(taint.effect == "PreferNoSchedule" for taint in group.taints)


def _is_checked_first(group: KubernetesGroup, fleet: Fleet) -> bool:
    """Whether HyperPod taints every new node of it while it checks the node: never instances without accelerators."""
    if not isinstance(group, InstanceGroup) or not group.deep_checks:
        return False
    return all(machine.accelerator is not Accelerator.NONE for machine in machines_of(group, fleet))


def boot_settings_take_effect(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    del fleet
    if template.place.described and stored(template, "user_data") is UNKNOWN:
        return  # Muster writes none
    if waiting := settings_of_template(template).after_reboot:
        got = f"the kernel parameters {and_list(waiting)} have no effect before a reboot, and nothing reboots the node"
        change = "set settings.boot.reboot-to-reconcile to true"
        if "hugepages" in waiting:
            change += ", or allocate the pages with settings.kernel.sysctl: {vm.nr_hugepages: NUMBER}"
        yield rule.finding(template, "userData", got=got, change=change)


def user_data_within_limit(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    del fleet
    known = stored(template, "user_data")
    if known is UNKNOWN and not template.place.described:
        raise NotKnown(f"the user data of {name_of(template.ref)}")
    size = max(template.least_user_data, len(decoded(template).encode()) if known is not UNKNOWN else 0)
    if size > MOST_USER_DATA:
        got = f"the user data has {size} bytes, but EC2 accepts at most {MOST_USER_DATA}"
        yield rule.finding(template, "scripts", got=got, change="download long scripts from S3 at boot")
