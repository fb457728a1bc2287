"""The VPC CNI's version on nodes with EFA interfaces."""

import re
from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, EksAddon, Fleet, LaunchTemplate
from muster.hardware.interfaces import InterfaceType
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.launch_templates import read_interfaces
from muster.unknown import NotKnown, stored
from muster.versions import MINIMUM_VPC_CNI_FOR_EFA_ONLY, MINIMUM_VPC_CNI_FOR_SEVERAL_CARDS
from muster.whole_number import version_numbers

_VPC_CNI = "vpc-cni"
_FORM = re.compile(r"v?([0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9})(-.*)?")


def vpc_cni_supports_efa(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if template.of_auto_mode:
        return  # EKS runs the CNI of these nodes itself
    needed, for_ = _needed(template)
    if needed is None:
        read_interfaces(template)
        return
    wanted = f"{for_} need {'.'.join(map(str, needed))} or newer"
    addons = fleet.of(EksAddon)
    for addon in addons:
        yield from rule.each((addon,), lambda each: _of_addon(each, needed, wanted, rule), addon.place)
    existing = next((plane for plane in fleet.of(ControlPlane) if plane.existing), None)
    if existing:
        yield from _of_existing(existing, needed, wanted, fleet, rule)
    elif all(stored(addon, "name", _VPC_CNI) != _VPC_CNI for addon in addons):
        # EKS then installs a CNI whose version it chooses, which is unknown.
        raise NotKnown(f"the VPC CNI's version, because there is no add-on '{_VPC_CNI}': {wanted}")


def _of_addon(addon: EksAddon, needed: tuple[int, int, int], wanted: str, rule: Rule) -> Iterator[Verdict]:
    if addon.name != _VPC_CNI:
        return
    form = _FORM.fullmatch(addon.version or "")
    if form is None:
        given = f" ('{addon.version}')" if addon.version else ""
        raise NotKnown(f"the version of the VPC CNI{given}: {wanted}")
    if version_numbers(form[1]) < needed:
        least = ".".join(map(str, needed))
        got = f"{_VPC_CNI} is {addon.version}, but {wanted}"
        yield rule.finding(addon, "", got=got, change=f"pin {_VPC_CNI} to v{least}-eksbuild.1 or newer")


def _of_existing(
    plane: ControlPlane, needed: tuple[int, int, int], wanted: str, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    """Judges the CNI of an existing cluster."""
    if fleet.gone(ResourceKind.CLUSTER, plane.name):
        return
    known = fleet.facts.clusters.get(str(plane.name)) if fleet.facts else None
    version = (known.eks_addons or {}).get(_VPC_CNI, "") if known else ""
    form = fleet.need(_FORM.fullmatch(version), f"the version of {plane.name}'s VPC CNI: {wanted}")
    if version_numbers(form[1]) < needed:
        yield rule.finding(
            plane,
            "control-plane.existing.name",
            got=f"{plane.name} has {_VPC_CNI} {version}, but {wanted}",
            change=f"have its owner update {_VPC_CNI} to {'.'.join(map(str, needed))} or newer first",
        )


def _needed(template: LaunchTemplate) -> tuple[tuple[int, int, int] | None, str]:
    """The least version for a template's interfaces, and what needs it."""
    efa = template.efa_interfaces
    if any(nic.type == InterfaceType.EFA_ONLY for nic in efa):
        return MINIMUM_VPC_CNI_FOR_EFA_ONLY, "efa-only interfaces"
    if len({stored(nic, "card", None) for nic in efa} - {None}) > 1:
        return MINIMUM_VPC_CNI_FOR_SEVERAL_CARDS, "EFA interfaces on several cards"
    return None, ""
