"""Who reaches the Kubernetes API from outside."""

from collections.abc import Iterator
from ipaddress import ip_network

from pydantic import Field

from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import ControlPlane, Fleet
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.networks import cover_every_address
from muster.unknown import UNKNOWN


class Reach(Options):
    """The networks that may reach the API."""

    networks: tuple[str, ...] = Field(
        default=(),
        description="The only networks that may reach the Kubernetes API, as CIDR ranges. Default: any networks except "
        "every address.",
    )


@rule(
    "api-not-open-to-all",
    title="The Kubernetes API is not open to every address",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ControlPlane,
    backends=ON_KUBERNETES,
    why="Anyone who reaches the API can try credentials and exploits on it: then only IAM and RBAC protect the "
    "cluster. Nodes use the private endpoint and need no public one.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html",
    ),
    remedy="List the networks that people deploy from, or make the API private.",
    facts=("rules.md#42",),
    options=Reach,
)
def api_not_open_to_all(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # A program that sets no networks gets AWS's default, every address. Nearly every program would have this finding.
    if cluster.existing or cluster.endpoint_public is False:
        return
    if cluster.public_networks is UNKNOWN:
        yield rule.unjudged(cluster.place, "the networks that reach the API (known only after `pulumi up`)")
        return
    allowed = Reach.of(rule.settings).networks
    open_networks = set(cluster.public_networks) if cover_every_address(cluster.public_networks) else set()
    open_to = {each for each in cluster.public_networks if not _within(each, allowed)} if allowed else open_networks
    if not open_to:
        return
    if cluster.endpoint_public is UNKNOWN:
        yield rule.unjudged(cluster.place, "whether the API is public (known only after `pulumi up`)")
        return
    yield rule.finding(
        cluster.place,
        at="api.public",
        got=f"the Kubernetes API is open to every address ({and_list(open_to)})"
        if cover_every_address(open_to)
        else f"the Kubernetes API is open to {and_list(open_to)}",
        remedy=f"list only networks of {and_list(allowed)}, or make the API private"
        if allowed
        else "list the networks that you deploy from, for example 203.0.113.0/24, or make the API private",
        program_remedy="set vpcConfig.publicAccessCidrs to "
        + (
            f"networks of {and_list(allowed)}"
            if allowed
            else "the networks that you deploy from, for example 203.0.113.0/24"
        )
        + ", or set vpcConfig.endpointPublicAccess to false",
    )


def _within(network: str, allowed: tuple[str, ...]) -> bool:
    """Whether a network is one of the allowed ones, or a part of one; False for an invalid network."""
    try:
        given = ip_network(network, strict=False)
        around = [ip_network(each, strict=False) for each in allowed]
        alike = [each for each in around if each.version == given.version]
        return any(given.subnet_of(each) for each in alike)  # type: ignore[arg-type]
    except ValueError:
        return False
