"""Whether the caller has the permissions that a deployment needs."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Fleet, WholeCluster
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.account_facts import facts_observed


@rule(
    "identity-may-deploy",
    title="The identity that queried AWS has the permissions that a deployment needs",
    level=Level.ADVISORY,  # the identity of the preflight may be read-only, and another one deploys
    severity=Severity.MEDIUM,
    # Every description has exactly one of these, so the identity is reported once.
    judges=WholeCluster,
    backends=EVERY_BACKEND,
    why="A deployment finds a missing permission only when it creates the resource that needs it, when earlier "
    "resources already cost money. IAM's simulation does not see denials by resource policies and conditions.",
    source=(
        "https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html",
        "https://github.com/pulumi/pulumi-aws-native/tree/43eed3b017fff3b41e0ceeae37ee943afce53275/aws-cloudformation-schema",
    ),
    remedy="Give the identity these permissions, or deploy as another identity.",
    facts=("pains.md#8",),
)
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
            got=f"IAM denies {len(denied)} of {count_noun(len(allowed_actions), 'action')} to the identity that "
            f"queried AWS{where}: {and_list(denied)}",
            change="give the identity a policy with these actions, or deploy with another profile "
            "(`muster preflight --profile NAME` checks it)",
        )
    if open_:
        what = f"whether the identity may {and_list(open_)} (a policy has a condition, or IAM did not answer)"
        yield rule.not_evaluated(cluster.root, fleet.missing(what))
    elif not allowed_actions and facts_observed(fleet):
        yield rule.not_evaluated(cluster.root, fleet.missing("the permissions of the identity that deploys"))
