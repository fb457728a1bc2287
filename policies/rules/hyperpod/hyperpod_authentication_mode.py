"""How the EKS cluster under a HyperPod cluster lets nodes in."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called, control_plane_of
from policies.rule import Rule, Verdict, rule

_TAKEN = ("API", "API_AND_CONFIG_MAP")


@rule(
    "hyperpod-authentication-mode",
    title="The EKS cluster under HyperPod takes access entries",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="SageMaker lets its nodes in by an access entry of its own. A cluster of mode CONFIG_MAP, which is what EKS's "
    "API makes where a program says nothing, takes none, and CreateCluster is refused.",
    source="SageMaker guide, sagemaker-hyperpod-eks-prerequisites; EKS API, CreateAccessConfigRequest",
    remedy="Set the mode to API.",
    facts=("rules.md#59", "hardware.md#R21"),
)
def hyperpod_authentication_mode(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plane, missing = control_plane_of(cluster, fleet)
    if plane is None:
        if missing:
            yield rule.unjudged(cluster.place, f"the authentication mode of {missing}")
        return
    mode, name = plane.authentication, plane.name if isinstance(plane.name, str) else plane.ref.name
    if mode is UNKNOWN:
        yield rule.unjudged(cluster.place, f"the authentication mode of {name}, not known before creation")
    elif plane.existing and mode is None:
        yield rule.unjudged(cluster.place, f"the authentication mode of {name}")
    elif mode not in _TAKEN:
        said = f"authentication mode {mode}" if mode else "no authentication mode, which is CONFIG_MAP"
        switch = (
            f"run `aws eks update-cluster-config --name {name} --access-config "
            "authenticationMode=API_AND_CONFIG_MAP`, then say authentication: api-and-config-map"
        )
        yield rule.finding(
            plane.place,
            at="control-plane.existing.authentication" if plane.existing else "",
            got=f"{name} has {said}; {called(cluster)} cannot let its nodes in",
            remedy=switch if plane.existing else "set accessConfig.authenticationMode to API",
        )
