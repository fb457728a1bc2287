"""What HyperPod's inference operator needs on the cluster."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.installed_addons import by_eks, catalogued, name_of, ordered_addons
from muster.policies.lookups.versions import version_tuple
from muster.unknown import UNKNOWN

_OPERATOR = "amazon-sagemaker-hyperpod-inference"
_OLDEST = {
    "aws-mountpoint-s3-csi-driver": "v1.14.1",
    "aws-fsx-csi-driver": "v1.6.0",
    "metrics-server": "v0.7.2",
    "cert-manager": "v1.18.2",
}
"""EKS add-on that the operator needs -> its oldest version."""


@rule(
    "hyperpod-inference-dependencies",
    title="A cluster with HyperPod's inference operator has its CSI drivers, metrics-server and cert-manager, none of "
    "them too old",
    level=Level.ADVISORY,
    severity=Severity.HIGH,
    judges=Addon | EksAddon,
    backends=ON_KUBERNETES,
    why="The add-on fails to install if one of them is missing, and AWS states the oldest version of each. Its pod "
    "checks for the CSI drivers and the custom resources when it starts.",
    source="SageMaker guide, sagemaker-hyperpod-model-deployment-setup",
    remedy="Install them first.",
    facts=("addons.md#hyperpod-inference",),
)
def hyperpod_inference_dependencies(addon: Addon | EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if name_of(addon) != _OPERATOR:
        return
    yield from _too_old(addon, fleet, rule)
    # `addon-has-what-it-needs` reports what an add-on of a description lacks.
    if isinstance(addon, EksAddon) or not catalogued(addon):
        yield from _missing(addon, fleet, rule)


def _too_old(addon: Addon | EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for each in ordered_addons(fleet):
        if _is_older(each):
            oldest = _OLDEST[str(name_of(each))]
            yield rule.finding(
                each.place,
                got=f"{each.ref.name} is {each.version}, and {addon.ref.name} ({_OPERATOR}) needs {oldest} or later",
                remedy=f"set version: {oldest}-eksbuild.1 or later",
            )


def _missing(addon: Addon | EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    every = [name_of(each) for each in ordered_addons(fleet)]
    existing = next((plane for plane in fleet.of(ControlPlane) if plane.existing), None)
    lacking = [name for name in _OLDEST if name not in every]
    if not lacking:
        return
    if UNKNOWN in every:
        yield rule.unjudged(addon.place, "the add-ons that are installed (known only after `pulumi up`)")
        return
    if existing is not None:
        known = fleet.facts.clusters.get(str(existing.name)) if fleet.facts else None
        if known is None or known.eks_addons is None:
            if not fleet.gone(ResourceKind.CLUSTER, existing.name):
                yield rule.unjudged(addon.place, fleet.missing(f"the EKS add-ons of {existing.name}"))
            return
        lacking = [name for name in lacking if name not in known.eks_addons]
    if lacking:
        yield rule.finding(
            addon.place,
            got=f"{addon.ref.name} ({_OPERATOR}) needs {and_list(lacking)}, which the cluster does not have",
            remedy=f"install {and_list(lacking)} first, as EKS add-ons or by their charts",
        )


def _is_older(addon: Addon | EksAddon) -> bool:
    """Whether it is an EKS add-on in a version for which AWS does not support the operator."""
    oldest = _OLDEST.get(str(name_of(addon)))
    if oldest is None or not by_eks(addon) or not isinstance(addon.version, str):
        return False
    found, least = version_tuple(addon.version), version_tuple(oldest)
    return found is not None and least is not None and found < least
