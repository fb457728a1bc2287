"""Who reaches the Kubernetes API from outside."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import ControlPlane, Fleet
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.networks import cover_every_address
from muster.unknown import any_of


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
