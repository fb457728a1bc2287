"""What HyperPod's inference operator needs on the cluster."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.installed_addons import name_of, ordered_addons
from muster.unknown import UNKNOWN

_OPERATOR = "amazon-sagemaker-hyperpod-inference"
_NEEDED = ("aws-mountpoint-s3-csi-driver", "aws-fsx-csi-driver", "metrics-server", "cert-manager")


@rule(
    "hyperpod-inference-dependencies",
    title="A cluster with HyperPod's inference operator has its CSI drivers, metrics-server and cert-manager",
    level=Level.ADVISORY,
    severity=Severity.HIGH,
    judges=Addon | EksAddon,
    backends=ON_KUBERNETES,
    why="The add-on fails to install if one of them is missing. Its pod checks for the CSI drivers and the custom "
    "resources when it starts.",
    source="SageMaker guide, sagemaker-hyperpod-model-deployment-setup",
    remedy="Install them first.",
    facts=("addons.md#hyperpod-inference",),
)
def hyperpod_inference_dependencies(addon: Addon | EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if name_of(addon) != _OPERATOR:
        return
    every = [name_of(each) for each in ordered_addons(fleet)]
    existing = next((plane for plane in fleet.of(ControlPlane) if plane.existing), None)
    lacking = [name for name in _NEEDED if name not in every]
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
