"""What AWS answered about the account: how old it is, whose it is, and what is missing there."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from pydantic import Field

from muster.config.identifiers import is_placeholder
from muster.fleet.facts import AccountFacts
from muster.fleet.facts_merge import FactPath, from_json_pointer
from muster.fleet.resource_references import REFERENCED_SECTIONS, ResourceKind, ResourceReference, resource_exists
from muster.fleet.resources import Fleet, InstanceGroup, WholeCluster
from muster.hardware.zones import partition_of
from muster.message_text import list_names
from muster.policies.engine.finding_text import and_list, or_list, quantity_text, singular_or_plural
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import account_in, facts_observed
from muster.policies.lookups.reserved_capacity import existing_group
from muster.unknown import NotKnown, if_known


class Age(Options):
    """The oldest facts that count as recent."""

    days: int = Field(default=7, ge=0, le=365, description="Days since AWS answered, at most.")


def facts_fresh(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    observed = fleet.facts.observed if fleet.facts else None
    if observed is None:
        return
    how = f"query AWS again: {fleet.preflight}" if fleet.preflight else "query AWS again, and update the facts"
    most = Age.of(rule.settings).days
    if (age := _age(observed, fleet)) > most:
        got = f"the facts are from {observed.date()}, {quantity_text(age, 'day')} ago"
        yield rule.finding(cluster.root, "facts.observed", got=got, change=how)
        return
    old = {path: answered.date() for path, answered in _kept(fleet) if _age(answered, fleet) > most}
    if old:
        first = min(old.values())
        got = (
            f"the query of {observed.date()} got no answer about some facts, the oldest of which are from {first}, "
            f"{quantity_text((fleet.as_of - first).days, 'day')} ago: {list_names(_of_sections(old))}"
        )
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
    groups = (target.ref for each in fleet.ec2_groups if (target := if_known(lambda: existing_group(each, fleet)[0])))
    for each in (*plans, *groups):
        if isinstance(each, str) and account_in(each) and not is_placeholder(each):
            yield each


def identity_may_deploy(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    allowed_actions = fleet.facts.permissions if fleet.facts else {}
    denied = [action for action, allowed in allowed_actions.items() if allowed is False]
    open_ = [action for action, allowed in allowed_actions.items() if allowed is None]
    if denied:
        account = fleet.facts.account_id if fleet.facts else None
        where = f" in account {account}" if account else ""
        yield rule.finding(
            cluster.root,
            "",
            got=f"IAM denies {len(denied)} of {quantity_text(len(allowed_actions), 'action')} to the identity that "
            f"queried AWS{where}: {and_list(denied)}",
            change="give the identity a policy with these actions, or deploy with another profile "
            "(`muster preflight --profile NAME` checks it)",
        )
    if open_:
        what = f"whether the identity may {and_list(open_)} (a policy has a condition, or IAM did not answer)"
        yield rule.not_evaluated(cluster.root, fleet.missing(what))
    elif not allowed_actions and facts_observed(fleet):
        yield rule.not_evaluated(cluster.root, fleet.missing("the permissions of the identity that deploys"))


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
