"""The VPC CNI's version, and what needs it."""

from collections.abc import Iterator
from typing import NamedTuple

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, EksAddon, Fleet, InstanceGroup, LaunchTemplate, Place
from muster.hardware.interfaces import InterfaceType
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import cluster_of
from muster.policies.lookups.launch_templates import read_interfaces
from muster.policies.lookups.versions import older_than_listed, version_tuple
from muster.unknown import NotKnown, if_known, needed, stored
from muster.versions import (
    EKS_CALENDAR,
    MINIMUM_VPC_CNI_FOR_EFA_ONLY,
    MINIMUM_VPC_CNI_FOR_HYPERPOD,
    MINIMUM_VPC_CNI_FOR_SEVERAL_CARDS,
)

_VPC_CNI = "vpc-cni"


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
    addons = [each for each in fleet.of(EksAddon) if stored(each, "name", _VPC_CNI) == _VPC_CNI]
    # Whichever EKS chooses for a Kubernetes version of these years is newer than 2021.
    made = [stored(plane, "kubernetes") for plane in fleet.of(ControlPlane) if not plane.existing]
    newer = need.least <= MINIMUM_VPC_CNI_FOR_SEVERAL_CARDS and any(each in EKS_CALENDAR for each in made)
    for addon in (each for each in addons if not newer or stored(each, "version", None) is not None):
        yield from rule.each((addon,), lambda each: _of_addon(each, need, fleet, rule), place or addon.place)
    if existing is None and not addons and not newer:
        raise NotKnown(f"the VPC CNI's version, which EKS chooses without an add-on '{_VPC_CNI}'")
    if existing and not fleet.gone(ResourceKind.CLUSTER, existing.name):
        version = (fleet.cluster_facts(existing.name).eks_addons or {}).get(_VPC_CNI)
        version = fleet.need(version, f"the version of {existing.name}'s VPC CNI")
        yield from _verdict(version, need, existing, "control-plane.existing.name", rule)


def _of_addon(addon: EksAddon, need: _Need, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed = rule.leaves("addon-supports-kubernetes") and older_than_listed(_VPC_CNI, lambda: addon.version, fleet)
    if addon.name == _VPC_CNI and not listed:
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
        got = f"{_VPC_CNI} is {version}, but {wanted}"
        yield rule.finding(thing, at, got=got, change=f"first update {_VPC_CNI} to {least} or newer")
