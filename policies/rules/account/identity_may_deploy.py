"""Whether the caller has the permissions that a deployment needs."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, WholeCluster
from muster.policies.engine.finding_text import and_list, quantity_text
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed


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
