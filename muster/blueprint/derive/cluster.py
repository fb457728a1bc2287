"""Description + hardware catalog + facts -> blueprint. Never fails on a valid description: a value that makes no sense
(a zone without a subnet, a reservation in another zone) is still derived, and a rule reports it."""

from dataclasses import replace

from muster import backends
from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.derive.network import network
from muster.config.description.cluster import Cluster
from muster.fleet.facts import Facts


def derive(
    described: Cluster, stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> ClusterBlueprint:
    """The blueprint of a description.

    Args:
        described: a valid description.
        stack: the Pulumi stack's name; also the cluster's name, if the description sets none.
        region: the AWS Region.
        facts: the facts of the account; None if there is no file of facts.
        facts_file: the file the facts come from, for messages.
    """
    of_backend = backends.of(described).derive.load()
    return replace(of_backend(described, stack, region, network(described, facts)), facts=facts, facts_file=facts_file)
