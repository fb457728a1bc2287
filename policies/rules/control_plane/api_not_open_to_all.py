"""Who reaches the Kubernetes API from outside."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import ControlPlane, Fleet
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.networks import cover_every_address
from muster.unknown import any_of


@rule(
    "api-not-open-to-all",
    title="A public Kubernetes API states the networks that may reach it, and they are not every address",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ControlPlane,
    backends=ON_KUBERNETES,
    why="If the networks are not set, EKS opens the API to the whole internet. Anyone who reaches the API can try "
    "credentials and exploits on it: then only IAM and RBAC protect the cluster. Nodes use the private endpoint.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html",
        "https://docs.aws.amazon.com/config/latest/developerguide/eks-endpoint-no-public-access.html",
    ),
    remedy="List the networks that people deploy from, or make the API private.",
    facts=("rules.md#42", "aws-controls#eks-endpoint-no-public-access"),
)
def api_not_open_to_all(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.existing or any_of(lambda: not cluster.endpoint_public, lambda: _are_listed(cluster.public_networks)):
        return
    networks = cluster.public_networks
    yield rule.finding(
        cluster,
        "api.public",
        got=f"the Kubernetes API is open to every address ({and_list(networks)})"
        if networks
        else "the Kubernetes API is public and states no networks, so EKS opens it to every address",
        change=(
            set_to(words="the networks that you deploy from, for example 203.0.113.0/24"),
            set_to("private", at="api", in_program=False),
        ),
    )


def _are_listed(networks: tuple[str, ...]) -> bool:
    return bool(networks) and not cover_every_address(networks)
