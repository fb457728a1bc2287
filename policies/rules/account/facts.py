"""What AWS answered about the account: how old it is, whose it is, and what is missing there."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from pydantic import Field

from muster.config.placeholders import is_placeholder
from muster.fleet.facts import AccountFacts
from muster.fleet.facts_merge import FactPath, from_json_pointer
from muster.fleet.resource_references import REFERENCED_SECTIONS, ResourceKind, ResourceReference, resource_exists
from muster.fleet.resources import Fleet, InstanceGroup, WholeCluster
from muster.hardware.zones import partition_of
from muster.message_text import list_names, or_list
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import account_in, facts_observed, of_iam, own_accounts
from muster.policies.lookups.capacity_targets import existing_group
from muster.unknown import NotKnown, if_known


class Age(Options):
    """The oldest facts that count as recent."""

    days: int = Field(default=7, ge=0, le=365, description="Days since AWS answered, at most.")


def facts_fresh(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    observed = fleet.facts.observed if fleet.facts else None
    if observed is None:
        return
    how = f"query AWS again: {fleet.preflight or 'muster preflight'}"
    most = Age.of(rule.settings).days
    if _age(observed, fleet) > most:
        got = f"the facts are from {observed.date()}, more than {most} days ago"
        yield rule.finding(cluster.root, "facts.observed", got=got, change=how)
        return
    old = {path: answered.date() for path, answered in _kept(fleet) if _age(answered, fleet) > most}
    if old:
        got = f"AWS gave no newer answer about {list_names(_of_sections(old))}, the oldest of which is from "
        got += str(min(old.values()))
        allowed = "query AWS with an identity that may (`muster preflight STACK --print-iam-policy`)"
        yield rule.finding(cluster.root, "facts.kept", got=got, change=(allowed, how))


def _age(answered: datetime, fleet: Fleet) -> int:
    return (fleet.as_of - answered.date()).days


def _of_sections(paths: Iterable[FactPath]) -> Iterator[str]:
    """Several values of one section by its name: EKS reports every version of Kubernetes."""
    for section, several in groupby(sorted(paths), itemgetter(0)):
        first, *others = several
        yield f"{section} ({1 + len(others)} values)" if others else ".".join(first)


def _kept(fleet: Fleet) -> Iterator[tuple[FactPath, datetime]]:
    """What AWS answered earlier and not since, except about things that the description no longer names."""
    assert fleet.facts is not None
    groups = fleet.facts.reservation_groups.values()
    named = {each.id for each in fleet.named} | {each for group in groups for each in group.reservations or ()}
    for pointed, answered in fleet.facts.kept.items():
        path = from_json_pointer(pointed)
        unnamed = path and path[0] in REFERENCED_SECTIONS and path[1:2] and path[1] not in named
        if answered is not None and path and not unnamed:
            yield path, answered


def facts_of_this_account(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    again = "query AWS with a profile of the stack's account, in its Region (`muster preflight --profile NAME --save`)"
    differs = _difference(fleet.facts.account, fleet) if fleet.facts.account else None
    if differs:
        key, got = differs
        yield rule.finding(cluster.root, f"facts.account.{key}", got=f"the facts are about {got}", change=again)
    expected = fleet.allowed_accounts or any(_arns(fleet))
    if not differs and expected and facts_observed(fleet):
        fleet.need(fleet.facts.account_id, "the account that the facts are about")


def _difference(known: AccountFacts, fleet: Fleet) -> tuple[str, str] | None:
    """The key of the facts that differs, and what they are about instead."""
    region, allowed = fleet.region, fleet.allowed_accounts
    if known.region and region and known.region != region:
        return "region", f"{known.region}, but the stack is deployed to {region}"
    if known.partition and region and known.partition != (expected := partition_of(region)):
        return "partition", f"partition {known.partition}, but {region} is in {expected}"
    if known.id and allowed and known.id not in allowed:
        return "id", f"account {known.id}, but aws:allowedAccountIds allows {or_list(sorted(allowed))}"
    others = {arn for arn in _arns(fleet) if account_in(arn) != known.id} if known.id else None
    return ("id", f"account {known.id}, but the stack uses {and_list(others)}") if others else None


def _arns(fleet: Fleet) -> Iterator[str]:
    """The ARNs that always belong to the stack's account. Reservations and keys may belong to other accounts."""
    plans = (each.training_plan for each in fleet.of(InstanceGroup))
    groups = (target.ref for each in fleet.ec2_groups if (target := if_known(lambda: existing_group(each, fleet))))
    for each in (*plans, *groups):
        if isinstance(each, str) and account_in(each) and not is_placeholder(each):
            yield each


def identity_may_deploy(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    allowed = fleet.facts.permissions if fleet.facts else {}
    if denied := [action for action, is_allowed in allowed.items() if is_allowed is False]:
        got = f"IAM denies {len(denied)} of {len(allowed)} actions to the identity that queried AWS: {and_list(denied)}"
        change = "give it a policy with these actions, or use another profile (`muster preflight --profile NAME`)"
        yield rule.finding(cluster.root, "", got=got, change=change)
    open_ = [action for action, is_allowed in allowed.items() if is_allowed is None]
    if open_ or (not allowed and facts_observed(fleet)):
        what = f"whether the identity that deploys may {and_list(open_) if open_ else 'do so'}"
        yield rule.not_evaluated(cluster.root, fleet.missing(what))


def named_things_exist(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    own = own_accounts(fleet)
    others = {each for each in of_iam(fleet) if own and account_in(each.id) not in own}
    existing = {each: resource_exists(each, fleet.facts) for each in fleet.named if each not in others}
    account = (fleet.facts.account_id if fleet.facts else None) or "of the facts"
    region = f" in {fleet.region}" if fleet.region else ""
    for each, there in existing.items():
        if there is False:
            # Such an id is usually one of another account or another Region.
            got = f"{each.kind} {each.id} does not exist in account {account}{region}"
            yield rule.finding(cluster.root, each.at, got=got, change=_instead(each, fleet))
    unknown = [f"{each.kind} {each.id}" for each, there in existing.items() if there is None and not each.blank]
    if unknown and facts_observed(fleet):
        raise NotKnown(fleet.missing(f"the existence of {and_list(unknown)}"))


def _instead(each: ResourceReference, fleet: Fleet) -> str:
    if each.kind not in (ResourceKind.RESERVATION, ResourceKind.CAPACITY_BLOCK):
        return f"name an existing {each.kind}, or query AWS with a profile of its account"
    known = fleet.reservation_facts(each.id)
    region = f" --region {fleet.region}" if fleet.region else ""
    if known and known.invitation:
        command = f"aws ram accept-resource-share-invitation --resource-share-invitation-arn {known.invitation}{region}"
        return f"accept its share: `{command}`, then query AWS again"
    return f"use one that `aws ec2 describe-capacity-reservations{region}` lists, or have its owner share it"
