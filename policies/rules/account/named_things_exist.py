"""Whether the AWS resources that a description names exist."""

from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind, ResourceReference, resource_exists
from muster.fleet.resources import Fleet, WholeCluster
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed
from muster.unknown import NotKnown


def named_things_exist(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    existing = {each: resource_exists(each, fleet.facts) for each in fleet.named}
    for each, there in existing.items():
        if there is False:
            got = f"{each.kind} {each.id} does not exist in {_account(fleet)}"
            yield rule.finding(cluster.root, each.at, got=got, change=_remedy(each, fleet))
    unknown = [f"{each.kind} {each.id}" for each, there in existing.items() if there is None and not each.blank]
    if unknown and facts_observed(fleet):
        what = f"whether {and_list(unknown)} {singular_or_plural(unknown, 'exists', 'exist')}"
        raise NotKnown(fleet.missing(what))


def _account(fleet: Fleet) -> str:
    """The account and the Region: such an id is usually one of another account or another Region."""
    of_account = fleet.facts.account if fleet.facts else None
    whose = f"account {of_account.id}" if of_account and of_account.id else "this account"
    return f"{whose} in {fleet.region}" if fleet.region else whose


def _remedy(each: ResourceReference, fleet: Fleet) -> str:
    if each.kind in (ResourceKind.RESERVATION, ResourceKind.CAPACITY_BLOCK):
        known = fleet.reservation_facts(each.id)
        region = f" --region {fleet.region}" if fleet.region else ""
        if known and known.invitation:
            arn = f"--resource-share-invitation-arn {known.invitation}"
            return f"accept its share: `aws ram accept-resource-share-invitation {arn}{region}`, then query AWS again"
        return (
            f"use a reservation that `aws ec2 describe-capacity-reservations{region}` lists; if another account owns "
            "it, ask the owner to share it with this account"
        )
    article = "an" if each.kind in (ResourceKind.IMAGE, ResourceKind.CLUSTER) else "a"
    return f"use {article} {each.kind} that exists, or query AWS with a profile of its account"
