"""Whether AWS knows what a description names."""

from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind, ResourceReference, resource_exists
from muster.fleet.resources import ControlPlane, Fleet, ParallelCluster
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.account_facts import facts_observed


@rule(
    "named-things-exist",
    title="What a description names is there, in this account and Region",
    severity=Severity.CRITICAL,
    # Every description has exactly one of these, so each thing is reported once.
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="An id of another account or Region, a reservation that is shared and not accepted, a key pair that somebody "
    "deleted: each shows when the resource is made that needs it, after those before it.",
    source="EC2 API, DescribeCapacityReservations; EC2 API, DescribeSubnets; EC2 user guide, Shared Capacity "
    "Reservations; EKS API, DescribeCluster",
    remedy="Name what is there, or accept what is shared.",
    facts=("pains.md#4", "pains.md#8"),
)
def named_things_exist(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    existing = {each: resource_exists(each, fleet.facts) for each in fleet.named}
    for each, there in existing.items():
        if there is False:
            got = f"AWS knows no {each.kind} {each.id} of {_account(fleet)}"
            yield rule.finding(cluster.place, got, _remedy(each, fleet), at=each.at)
    unknown = [f"{each.kind} {each.id}" for each, there in existing.items() if there is None and not each.blank]
    if unknown and facts_observed(fleet):
        yield rule.unjudged(cluster.place, fleet.missing(f"whether there is {and_list(unknown)}"))


def _account(fleet: Fleet) -> str:
    """Whose, and where: half of such ids are another account's, the other half another Region's."""
    of_account = fleet.facts.account if fleet.facts else None
    whose = f"account {of_account.id}" if of_account and of_account.id else "this account"
    return f"{whose} in {fleet.region}" if fleet.region else whose


def _remedy(each: ResourceReference, fleet: Fleet) -> str:
    if each.kind in (ResourceKind.RESERVATION, ResourceKind.CAPACITY_BLOCK):
        known = fleet.reservation_facts(each.id)
        region = f" --region {fleet.region}" if fleet.region else ""
        if known and known.invitation:
            arn = f"--resource-share-invitation-arn {known.invitation}"
            return f"accept its share: `aws ram accept-resource-share-invitation {arn}{region}`, then ask again"
        return (
            f"name one of `aws ec2 describe-capacity-reservations{region}`; of another account's, have its owner share "
            "it with this one"
        )
    article = "an" if each.kind in (ResourceKind.IMAGE, ResourceKind.CLUSTER) else "a"
    return f"name {article} {each.kind} that is there, or ask with a profile of its account"
