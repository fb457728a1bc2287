"""Whether facts are about the account and the Region that a stack is deployed to."""

from collections.abc import Iterator

from muster.config.identifiers import is_placeholder
from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.facts import AccountFacts
from muster.fleet.resources import Fleet, InstanceGroup, WholeCluster
from muster.hardware.zones import partition_of
from muster.message_text import or_list
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.account_facts import account_in, facts_observed
from muster.policies.lookups.reserved_capacity import existing_group
from muster.unknown import if_known


@rule(
    "facts-of-this-account",
    title="The facts are about the account and the Region that the stack is deployed to",
    # Every description has exactly one of these: its facts are of one account.
    judges=WholeCluster,
    backends=EVERY_BACKEND,
    why="Zone names, reservations and quotas differ between accounts and Regions. With facts about another account or "
    "Region, every rule that reads them gives wrong results.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-regions-availability-zones.html",
        "https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html",
    ),
    remedy="Query the right account again, with the profile that deploys.",
    facts=("hardware.md#e", "pains.md#4"),
)
def facts_of_this_account(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    again = "query AWS with a profile of the stack's account, in its Region (`muster preflight --profile NAME --save`)"
    differs = _difference(fleet.facts.account, fleet) if fleet.facts.account else None
    if differs:
        key, got = differs
        yield rule.finding(cluster.root, f"facts.account.{key}", got=f"the facts are about {got}", change=again)
    expected = fleet.allowed_accounts or any(_named(fleet))
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
    others = {arn for arn in _named(fleet) if account_in(arn) != known.id} if known.id else None
    return ("id", f"account {known.id}, but the stack uses {and_list(others)}") if others else None


def _named(fleet: Fleet) -> Iterator[str]:
    """The ARNs that always belong to the stack's account. Reservations and keys may belong to other accounts."""
    plans = (each.training_plan for each in fleet.of(InstanceGroup))
    groups = (target.ref for each in fleet.ec2_groups if (target := if_known(lambda: existing_group(each, fleet)[0])))
    for each in (*plans, *groups):
        if isinstance(each, str) and account_in(each) and not is_placeholder(each):
            yield each
