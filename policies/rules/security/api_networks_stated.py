"""A public API without stated networks."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule


@rule(
    "api-networks-stated",
    title="A public Kubernetes API says which networks it is for",
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="What EKS takes where nothing is said is the whole world: then IAM and RBAC alone stand before the cluster, "
    "and nobody decided that. Who wants it says 0.0.0.0/0.",
    source="EKS user guide, Cluster API server endpoint; AWS Config rules, eks-endpoint-no-public-access",
    remedy="Name the networks under publicAccessCidrs, or turn endpointPublicAccess off.",
    facts=("aws-controls#eks-endpoint-no-public-access",),
)
def api_networks_stated(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.existing or cluster.endpoint_public is False or cluster.public_networks is UNKNOWN:
        return  # networks that are not known yet are stated; api-not-open-to-all judges them
    if cluster.public_networks:
        return
    if cluster.endpoint_public is UNKNOWN:
        yield rule.unjudged(cluster.place, "whether the API is public, not known before creation")
        return
    yield rule.finding(
        cluster.place,
        at="api",
        got="the Kubernetes API is public, and nothing says from where: EKS opens it to every address",
        remedy="name the networks you deploy from (publicAccessCidrs), or make it private (endpointPublicAccess: "
        "false); to open it to all, say 0.0.0.0/0",
    )
