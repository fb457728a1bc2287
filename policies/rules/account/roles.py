"""Existing roles, instance profiles and policies that a description names: whose they are, and what the roles allow."""

from collections.abc import Iterator

from muster.config.description.base import PCS
from muster.fleet.facts import RoleFacts
from muster.fleet.resource_references import ResourceKind, ResourceReference
from muster.fleet.resources import Fleet, WholeCluster
from muster.message_text import or_list
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import account_in, of_iam, own_accounts
from muster.unknown import NotKnown


def iam_of_this_account(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    named = of_iam(fleet)
    known = own_accounts(fleet)
    accounts = {account_in(each.id) for each in named}
    if not known and len(accounts) == 1:
        raise NotKnown(
            fleet.missing(f"whether the stack is deployed to account {and_list(accounts)}, as {named[0].at}")
        )
    own = known or (account_in(named[0].id),) if named else ()
    stack = "the stack is deployed to" if known else f"{named[0].at} is of" if named else ""
    for each in named:
        if (theirs := account_in(each.id)) not in own:
            got = f"the {each.kind} is of account {theirs}, but {stack} {or_list(own)}"
            change = f"write one of account {or_list(own)}: roles and their policies are in the account of the stack"
            yield rule.finding(cluster.root, each.at, got=got, change=change)


def given_roles_usable(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    own = own_accounts(fleet)
    roles = [each for each in of_iam(fleet) if each.uses and not fleet.gone(each.kind, each.id)]
    ours = [each for each in roles if not own or account_in(each.id) in own]
    yield from rule.each(ours, lambda each: _verdicts(each, cluster, fleet, rule), cluster.root)


def _verdicts(role: ResourceReference, cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    facts = (fleet.facts.roles.get(role.id) if fleet.facts else None) or RoleFacts()
    arn = role.id if role.kind is ResourceKind.ROLE else facts.role
    if PCS in fleet.backends and arn and not _fits_pcs(arn):
        got = f"the name of role {arn} does not start with AWSPCS, and its path has no /aws-pcs/"
        yield rule.finding(cluster.root, role.at, got=got, change="write a role with such a name or path")
    wanted = {use.service for use in role.uses}
    if facts.trusts is not None and (refused := wanted - {each.removesuffix(".cn") for each in facts.trusts}):
        got = f"the trust policy of {role.id} does not allow {and_list(refused)}"
        change = f"allow sts:AssumeRole to {and_list(refused)} in its trust policy"
        yield rule.finding(cluster.root, role.at, got=got, change=change)
    actions = {action for use in role.uses for action in use.actions}
    if denied := {each for each in actions if facts.allowed.get(each) is False}:
        got = f"{role.id} does not allow {and_list(denied)}"
        yield rule.finding(cluster.root, role.at, got=got, change=f"allow {and_list(denied)} on every resource")
    unknown = sorted(each for each in actions if facts.allowed.get(each) is None)
    if facts.trusts is None or unknown:
        trusts = [f"whom {role.id} trusts"] if facts.trusts is None else []
        rights = [f"whether {role.id} allows {and_list(unknown)}"] if unknown else []
        raise NotKnown(fleet.missing(", and ".join((*trusts, *rights))))


def _fits_pcs(arn: str) -> bool:
    path, _, name = arn.partition(":role")[2].rpartition("/")
    return name.startswith("AWSPCS") or "/aws-pcs/" in f"{path}/"
