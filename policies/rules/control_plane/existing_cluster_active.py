"""Whether an existing EKS cluster takes anything just now."""

from collections.abc import Iterator

from muster.fleet.facts import ClusterFacts
from muster.fleet.resources import ControlPlane, Fleet
from policies.reading.asked import was_asked
from policies.rule import Rule, Verdict, rule

_ACTIVE = "ACTIVE"
_WILL_BE = frozenset({"CREATING", "UPDATING", "PENDING"})


@rule(
    "existing-cluster-active",
    title="An EKS cluster that groups join is active",
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="EKS refuses node groups, add-ons and access entries of a cluster in any other state, an update of its own "
    "settings included.",
    source="EKS API, Cluster; eksctl#2244",
    remedy="Wait until it is, or take another cluster.",
    facts=("hardware.md#R21",),
)
def existing_cluster_active(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing:
        return
    known = fleet.facts.clusters.get(str(cluster.name), ClusterFacts()) if fleet.facts else ClusterFacts()
    if known.exists is False or known.state == _ACTIVE:
        return
    if known.state is None:
        if was_asked(fleet):
            yield rule.unjudged(cluster.place, fleet.missing(f"the state of EKS cluster {cluster.name}"))
        return
    region = f" --region {fleet.region}" if fleet.region else ""
    wait = f"wait for it (`aws eks wait cluster-active --name {cluster.name}{region}`), then ask again"
    yield rule.finding(
        cluster.place,
        at="control-plane.existing.name",
        got=f"EKS cluster {cluster.name} is {known.state}",
        remedy=wait if known.state in _WILL_BE else "name a cluster that is active",
    )
