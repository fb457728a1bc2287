"""The Kubernetes version under HyperPod."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster
from muster.fleet.unknown import UNKNOWN
from muster.versions import HYPERPOD_KUBERNETES
from policies.reading.instance_groups import control_plane_of
from policies.reading.versions import hyperpod_takes, numbers
from policies.rule import Rule, Verdict, rule

_FIRST, _LAST = HYPERPOD_KUBERNETES


@rule(
    "hyperpod-kubernetes-version",
    title="HyperPod supports the Kubernetes version of its EKS cluster",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="HyperPod follows EKS by months: it has images for the versions it names, and refuses an EKS cluster of any "
    "other.",
    source="SageMaker guide, sagemaker-hyperpod-eks-prerequisites and release-ami-eks",
    remedy="Take a version that both support.",
    facts=("rules.md#59", "hardware.md#R21"),
)
def hyperpod_kubernetes_version(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plane, missing = control_plane_of(cluster, fleet)
    if plane is None:
        if missing:
            yield rule.unjudged(cluster.place, f"the Kubernetes version of {missing}")
        return
    version = plane.kubernetes
    if version is UNKNOWN or version is None:
        when = ", not known before creation" if version is UNKNOWN else ": EKS chooses one"
        yield rule.unjudged(cluster.place, f"the Kubernetes version under HyperPod{when}")
    elif not hyperpod_takes(version):
        late = (numbers(version) or ()) > (numbers(_LAST) or ())
        got = f"HyperPod supports Kubernetes {_FIRST} to {_LAST}, and the EKS cluster has {version}"
        remedy = f"take {_LAST}" if late else f"upgrade it to {_LAST}, one minor version at a time"
        yield rule.finding(plane.place, at="kubernetes", got=got, remedy=remedy)
