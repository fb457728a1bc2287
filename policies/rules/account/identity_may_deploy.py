"""Whether the caller may do what a deployment takes."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ControlPlane, Fleet, ParallelCluster
from policies.engine.finding_text import and_list, quantity_text
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.account_facts import facts_observed


@rule(
    "identity-may-deploy",
    title="The identity that asked AWS may do what a deployment takes",
    level=Level.ADVISORY,  # the identity of the preflight may be read-only, and another one deploys
    severity=Severity.MEDIUM,
    # Every description has exactly one of these, so the identity is reported once.
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="A right that is missing shows when the resource is made that needs it, after those before it cost already. "
    "What only a resource's own policy or a condition forbids IAM's simulation does not see.",
    source="IAM API, SimulatePrincipalPolicy; CloudFormation's resource schemas, handlers.create.permissions",
    remedy="Give the identity these rights, or deploy as another one.",
    facts=("pains.md#8",),
)
def identity_may_deploy(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    allowed_actions = fleet.facts.permissions if fleet.facts else {}
    denied = [action for action, allowed in allowed_actions.items() if allowed is False]
    open_ = [action for action, allowed in allowed_actions.items() if allowed is None]
    if denied:
        account = fleet.facts.account_id if fleet.facts else None
        where = f" in account {account}" if account else ""
        yield rule.finding(
            cluster.place,
            got=f"IAM denies {quantity_text(len(denied), 'action')} of {len(allowed_actions)} to who asked{where}: "
            f"{and_list(denied)}",
            remedy="give that identity a policy with them, or deploy with a profile that may "
            "(`muster preflight --profile NAME` asks as that one)",
        )
    if open_:
        what = f"whether who asked may {and_list(open_)}: a policy's condition decides, or IAM did not answer"
        yield rule.unjudged(cluster.place, fleet.missing(what))
    elif not allowed_actions and facts_observed(fleet):
        yield rule.unjudged(cluster.place, fleet.missing("what the identity that deploys may do"))
