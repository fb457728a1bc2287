"""The EKS cluster that orchestrates a HyperPod cluster."""

from collections.abc import Iterator

from muster.fleet.facts import ClusterFacts
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, HyperPodCluster, Reference
from muster.unknown import UNKNOWN
from muster.versions import HYPERPOD_KUBERNETES
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.hyperpod import control_plane_of, display_name
from policies.lookups.versions import hyperpod_supports, version_tuple


@rule(
    "hyperpod-alone-on-eks",
    title="An EKS cluster has one HyperPod cluster",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="HyperPod clusters and EKS clusters go one to one: SageMaker refuses the second on the same control plane, "
    "after everything before it is made.",
    source="AWS, Introducing Amazon EKS support in Amazon SageMaker HyperPod",
    remedy="Add instance groups to the cluster there is, or take another EKS cluster.",
    facts=("rules.md#59", "hardware.md#f5"),
)
def hyperpod_alone_on_eks(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    on, (plane, missing) = cluster.orchestrator, control_plane_of(cluster, fleet)
    same = [each for each in fleet.of(HyperPodCluster) if isinstance(on, Reference) and each.orchestrator == on]
    observed: list[str] = []
    others = [display_name(each) for each in same if each.ref != cluster.ref]
    if plane is not None and plane.existing:
        known = fleet.facts.clusters.get(str(plane.name), ClusterFacts()) if fleet.facts else ClusterFacts()
        if known.hyperpod_clusters is None and not fleet.gone(ResourceKind.CLUSTER, plane.name):
            yield rule.unjudged(cluster.place, fleet.missing(f"the HyperPod clusters on {plane.name}"))
        observed = [each for each in known.hyperpod_clusters or () if each != cluster.name]
        others += observed
    elif missing:
        yield rule.unjudged(cluster.place, f"the HyperPod clusters on {missing}")
    if others:
        where = plane.name if plane and isinstance(plane.name, str) else "its EKS cluster"
        yield rule.finding(
            cluster.place,
            got=f"{where} has {and_list(others)} beside {display_name(cluster)}: one EKS cluster takes one HyperPod "
            "cluster",
            remedy="add the instance groups to the one there is, or let it have an EKS cluster of its own"
            + _of_its_own(observed),
        )


def _of_its_own(observed: list[str]) -> str:
    """Advice for a rename, which replaces the cluster: AWS lists the former one, and no fact shows whose it is."""
    return f"; if {and_list(observed)} is this one's former name, suppress this rule for the rename" if observed else ""


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
        given = f"authentication mode {mode}" if mode else "no authentication mode, which is CONFIG_MAP"
        switch = (
            f"run `aws eks update-cluster-config --name {name} --access-config "
            "authenticationMode=API_AND_CONFIG_MAP`, then say authentication: api-and-config-map"
        )
        yield rule.finding(
            plane.place,
            at="control-plane.existing.authentication" if plane.existing else "",
            got=f"{name} has {given}; {display_name(cluster)} cannot let its nodes in",
            remedy=switch if plane.existing else "set accessConfig.authenticationMode to API",
        )


@rule(
    "hyperpod-orchestrator-single",
    title="A HyperPod cluster has one orchestrator",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="EKS and Slurm exclude each other, and the API refuses an orchestrator that is neither. A description of this "
    "backend always names EKS.",
    source="SageMaker API, ClusterOrchestrator",
    remedy="Name the EKS cluster, and nothing else.",
    facts=("rules.md#59", "hardware.md#R19"),
)
def hyperpod_orchestrator_single(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.slurm and cluster.orchestrator is not None:
        got = f"{display_name(cluster)} names both an EKS cluster and Slurm as its orchestrator"
        yield rule.finding(cluster.place, got, "leave out orchestrator.slurm or orchestrator.eks")
    elif not cluster.slurm and cluster.orchestrator is None:
        got = f"{display_name(cluster)} has an orchestrator that is neither EKS nor Slurm"
        yield rule.finding(cluster.place, got, "give orchestrator.eks the ARN of the EKS cluster")


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
    elif not hyperpod_supports(version):
        late = (version_tuple(version) or ()) > (version_tuple(_LAST) or ())
        got = f"HyperPod supports Kubernetes {_FIRST} to {_LAST}, and the EKS cluster has {version}"
        remedy = f"take {_LAST}" if late else f"upgrade it to {_LAST}, one minor version at a time"
        yield rule.finding(plane.place, at="kubernetes", got=got, remedy=remedy)
