"""Who reaches the Kubernetes API from outside."""

from collections.abc import Iterator
from ipaddress import ip_network

from pydantic import Field

from muster.finding import Level
from muster.fleet.resources import ControlPlane, Fleet
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.options import Options
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.networks import cover_every_address


class Reach(Options):
    """Whom it may be opened to."""

    networks: tuple[str, ...] = Field(
        default=(), description="The only networks that the API may be opened to; any but the whole world without it."
    )


@rule(
    "api-not-open-to-all",
    title="The Kubernetes API is not opened to every address",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="Whoever reaches the API may try credentials and flaws on it: then IAM and RBAC alone stand before a training "
    "cluster. Nodes use the private endpoint and need no public one.",
    source="EKS best practices guide, Security, Identity and access management; EKS user guide, Cluster API server "
    "endpoint",
    remedy="Name the networks that people deploy from, or make the API private.",
    facts=("rules.md#42",),
    options=Reach,
)
def api_not_open_to_all(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # A program that names no networks gets AWS's default, the whole world: advice that nearly every program would get.
    if cluster.existing or cluster.endpoint_public is False:
        return
    if cluster.public_networks is UNKNOWN:
        yield rule.unjudged(cluster.place, "the networks that reach the API, not known before creation")
        return
    allowed = Reach.of(rule.settings).networks
    everybody = set(cluster.public_networks) if cover_every_address(cluster.public_networks) else set()
    open_to = {each for each in cluster.public_networks if not _within(each, allowed)} if allowed else everybody
    if not open_to:
        return
    if cluster.endpoint_public is UNKNOWN:
        yield rule.unjudged(cluster.place, "whether the API is public, not known before creation")
        return
    yield rule.finding(
        cluster.place,
        at="api.public",
        got=f"the Kubernetes API is open to every address ({and_list(open_to)})"
        if cover_every_address(open_to)
        else f"the Kubernetes API is open to {and_list(open_to)}",
        remedy=f"list networks of {and_list(allowed)} instead, or make the API private"
        if allowed
        else "list the networks you deploy from instead, as in 203.0.113.0/24, or make the API private",
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
