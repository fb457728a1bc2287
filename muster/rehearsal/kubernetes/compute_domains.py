"""ComputeDomains of a job's file: whether the cluster creates them, with the claim templates of their channels. Pure.

NVIDIA's DRA driver creates the template of each ComputeDomain. Rehearsals do not run it.
"""

from collections.abc import Collection, Iterable

from muster.addons.catalogue import nvidia_dra_driver
from muster.addons.context import AddonContext
from muster.addons.values import at, values_of
from muster.blueprint.kubernetes import Blueprint
from muster.hardware.ultraservers import has_nvlink
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.resource_claims import RESOURCE_CLAIM_MISSING, ClaimReference, domain_template
from muster.rehearsal.outcome import Cause

VERSION = "resource.nvidia.com/v1beta1"
"""The API version of ComputeDomains (kubernetes-sigs/dra-driver-nvidia-gpu)."""

_SWITCH = "resources.computeDomains.enabled"


def without_uncreated(blueprint: Blueprint, beside: Iterable[JsonObject]) -> tuple[JsonObject, ...]:
    """The objects of a job's file, without the ComputeDomains that the cluster does not create."""
    return tuple(each for each in beside if each["kind"] != "ComputeDomain" or _uncreated(blueprint, each) is None)


def uncreated_cause(
    blueprint: Blueprint, wanted: Collection[ClaimReference], beside: Iterable[JsonObject]
) -> Cause | None:
    """Why pods would wait forever for the channel of a ComputeDomain; None if the cluster creates all of them."""
    domains = (each for each in beside if each["kind"] == "ComputeDomain" and domain_template(each) in wanted)
    return next(filter(None, (_uncreated(blueprint, each) for each in domains)), None)


def _uncreated(blueprint: Blueprint, domain: JsonObject) -> Cause | None:
    addon = nvidia_dra_driver.ADDON
    template = domain_template(domain)
    waits = f"the pods use ResourceClaimTemplate '{template.name if template else ''}'"
    what = f"which NVIDIA's DRA driver creates for ComputeDomain '{domain['metadata'].get('name')}'"
    if domain["apiVersion"] != VERSION:
        said = f"{waits}, {what}, but its apiVersion is {domain['apiVersion']}, which the driver does not serve"
        return Cause(RESOURCE_CLAIM_MISSING, said, f"set apiVersion: {VERSION}")
    if not any(has_nvlink(each.node.hardware.instance) for each in blueprint.groups):
        remedy = "remove the ComputeDomain and the pods' claims of it: NVLink connects no nodes of this cluster"
        return Cause(RESOURCE_CLAIM_MISSING, f"{waits}, {what}, but no group has an UltraServer", remedy, "groups")
    if addon.name not in blueprint.described.addons.chosen:
        return Cause(
            RESOURCE_CLAIM_MISSING,
            f"{waits}, {what}, but the description does not have the driver",
            f"add `{nvidia_dra_driver.for_compute_domains(blueprint.described.addons.chosen)}` below addons:",
            "addons",
        )
    values = values_of(addon, AddonContext.of_blueprint(blueprint))
    if at(values, *_SWITCH.split(".")) is False:
        return Cause(
            RESOURCE_CLAIM_MISSING,
            f"{waits}, {what}, but the driver's values turn ComputeDomains off",
            f"remove {_SWITCH}: false from the values of {addon.name}",
            f"addons.{addon.name}",
        )
    return None
