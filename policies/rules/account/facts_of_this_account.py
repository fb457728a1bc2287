"""Whether facts are of the account and the Region that a stack goes to."""

from collections.abc import Iterator

from muster.config.identifiers import is_placeholder
from muster.fleet.facts import AccountFacts
from muster.fleet.resources import ControlPlane, Fleet, InstanceGroup, ParallelCluster
from muster.hardware.zones import partition_of
from policies.engine.finding_text import and_list, or_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.account_facts import account_in, facts_observed
from policies.lookups.reserved_capacity import existing_group


@rule(
    "facts-of-this-account",
    title="The facts are of the account and the Region that the stack goes to",
    # One of each description: its facts are of one account.
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Zone names, reservations and quotas are an account's own in a Region: facts of another say nothing of this "
    "one, and every rule that reads them would be fooled.",
    source="EC2 user guide, Regions and Zones; AWS STS API, GetCallerIdentity",
    remedy="Ask the right account again, with the profile that deploys.",
    facts=("hardware.md#e", "pains.md#4"),
)
def facts_of_this_account(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    differs = tuple(_differences(fleet.facts.account, fleet)) if fleet.facts.account else ()
    for key, got, remedy in differs:
        yield rule.finding(cluster.place, got=got, remedy=remedy, at=f"facts.account.{key}")
    told_otherwise = fleet.allowed_accounts or any(_named(fleet))
    if not differs and fleet.facts.account_id is None and told_otherwise and facts_observed(fleet):
        yield rule.unjudged(cluster.place, fleet.missing("the account that the facts are of"))


def _differences(known: AccountFacts, fleet: Fleet) -> Iterator[tuple[str, str, str]]:
    """The key of the facts that differs, what was found, what to do."""
    again = "ask with a profile of the account that the stack goes to (`muster preflight --profile NAME --save`)"
    region, allowed = fleet.region, fleet.allowed_accounts
    if known.region and region and known.region != region:
        got = f"the facts are of {known.region}, and the stack goes to {region}"
        yield "region", got, "ask again (`muster preflight --save`), or write the Region that the facts are of"
        return
    if known.partition and region and known.partition != (expected := partition_of(region)):
        yield "partition", f"the facts are of partition {known.partition}, and {region} is in {expected}", again
        return
    if known.id is None:
        return
    if allowed and known.id not in allowed:
        yield (
            "id",
            f"the facts are of account {known.id}, and aws:allowedAccountIds has {or_list(sorted(allowed))}",
            again,
        )
        return
    others = {arn for arn in _named(fleet) if account_in(arn) != known.id}
    if others:
        got = f"the facts are of account {known.id}, and the stack names {and_list(others)}"
        yield "id", got, f"{again}, or name what account {known.id} has"


def _named(fleet: Fleet) -> Iterator[str]:
    """The ARNs that are always of the stack's account. Reservations and keys may belong to other accounts."""
    plans = (each.training_plan for each in fleet.of(InstanceGroup))
    groups = (target.ref for each in fleet.ec2_groups if (target := existing_group(each, fleet)[0]))
    for each in (*plans, *groups):
        if isinstance(each, str) and account_in(each) and not is_placeholder(each):
            yield each
