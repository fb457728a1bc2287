"""A public Kubernetes API that does not state its networks."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import ControlPlane, Fleet
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.unknown import UNKNOWN


@rule(
    "api-networks-stated",
    title="A public Kubernetes API states the networks that may reach it",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ControlPlane,
    backends=ON_KUBERNETES,
    why="If the networks are not set, EKS opens the API to the whole internet, and only IAM and RBAC protect the "
    "cluster. If you want that, state it with 0.0.0.0/0.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html",
        "https://docs.aws.amazon.com/config/latest/developerguide/eks-endpoint-no-public-access.html",
    ),
    remedy="List the networks under publicAccessCidrs, or turn endpointPublicAccess off.",
    facts=("aws-controls#eks-endpoint-no-public-access",),
)
def api_networks_stated(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.existing or cluster.endpoint_public is False or cluster.public_networks is UNKNOWN:
        return  # networks that are not known yet are stated; api-not-open-to-all judges them
    if cluster.public_networks:
        return
    if cluster.endpoint_public is UNKNOWN:
        yield rule.unjudged(cluster.place, "whether the API is public (known only after `pulumi up`)")
        return
    yield rule.finding(
        cluster.place,
        at="api",
        got="the Kubernetes API is public and states no networks, so EKS opens it to every address",
        remedy="set vpcConfig.publicAccessCidrs to the networks you deploy from, or to 0.0.0.0/0 to open it to all; or "
        "set vpcConfig.endpointPublicAccess to false",
    )
