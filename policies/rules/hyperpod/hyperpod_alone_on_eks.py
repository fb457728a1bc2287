"""How many HyperPod clusters an EKS cluster has."""

from collections.abc import Iterator

from muster.fleet.facts import ClusterFacts
from muster.fleet.named import Kind
from muster.fleet.resources import Fleet, HyperPodCluster, Reference
from policies.reading.instance_groups import called, control_plane_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


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
    others = [called(each) for each in same if each.ref != cluster.ref]
    if plane is not None and plane.existing:
        known = fleet.facts.clusters.get(str(plane.name), ClusterFacts()) if fleet.facts else ClusterFacts()
        if known.hyperpod_clusters is None and not fleet.gone(Kind.CLUSTER, plane.name):
            yield rule.unjudged(cluster.place, fleet.missing(f"the HyperPod clusters on {plane.name}"))
        observed = [each for each in known.hyperpod_clusters or () if each != cluster.name]
        others += observed
    elif missing:
        yield rule.unjudged(cluster.place, f"the HyperPod clusters on {missing}")
    if others:
        where = plane.name if plane and isinstance(plane.name, str) else "its EKS cluster"
        yield rule.finding(
            cluster.place,
            got=f"{where} has {some(others)} beside {called(cluster)}: one EKS cluster takes one HyperPod cluster",
            remedy="add the instance groups to the one there is, or let it have an EKS cluster of its own"
            + _of_its_own(observed),
        )


def _of_its_own(observed: list[str]) -> str:
    """A rename makes another cluster in place of the one that AWS tells of, and nothing says whose that is."""
    return f"; if {some(observed)} is this one's former name, suppress this rule for the rename" if observed else ""
