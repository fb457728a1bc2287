"""What a node may do in the account."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.resources import Fleet, HeadNode, NodeRole, Queue
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.options import Options
from policies.engine.rule import Rule, Severity, Verdict, rule

_WIDE = frozenset({"AdministratorAccess", "PowerUserAccess"})


class Policies(Options):
    """Wide policies that are meant."""

    allowed: tuple[str, ...] = Field(
        default=(),
        description="Names of AWS managed policies that nodes may have all the same, as in AmazonS3FullAccess; and "
        "services of which they may do everything by a policy of their own, as in s3:*.",
    )


@rule(
    "node-role-narrow",
    title="Nodes may not do everything in the account",
    severity=Severity.CRITICAL,
    judges=NodeRole | HeadNode | Queue,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Whoever runs a job on a node can act as its role: by the metadata service, by a pod on the node's network, by "
    "a script. With AdministratorAccess or one of the ...FullAccess policies each of them owns what it is about, "
    "everywhere in the account.",
    source="AWS Config rules, iam-policy-no-statements-with-admin-access; EKS best practices guide, Security, Identity "
    "and access management",
    remedy="Give nodes what joining and pulling needs, and pods and jobs a role of their own.",
    facts=("aws-controls#iam-policy-no-statements-with-admin-access",),
    options=Policies,
)
def node_role_narrow(thing: NodeRole | HeadNode | Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    options = Policies.of(rule.settings)
    if thing.policies is UNKNOWN or thing.more_policies:
        yield rule.unjudged(thing.place, "the managed policies of its role, not known before creation")
    if thing.policies is not UNKNOWN:
        wide = {name for each in thing.policies if _is_wide(name := each.rpartition("/")[2], each)} - {*options.allowed}
        if wide:
            got = f"nodes have {and_list(wide)}"
            yield rule.finding(thing.place, got, "attach a policy with the actions and resources that nodes need")
    if not isinstance(thing, NodeRole):
        return
    if thing.statements is UNKNOWN or thing.more_statements:
        yield rule.unjudged(thing.place, "a policy of its role, not known before creation")
    for each in () if thing.statements is UNKNOWN else thing.statements:
        actions = {action for action in each.actions if _is_everything(action, options.allowed)}
        if actions and "*" in each.resources:
            got = f"a policy of its own allows nodes {and_list(actions)} on every resource"
            yield rule.finding(thing.place, got, "name the actions and resources that nodes need")


def _is_everything(action: str, allowed: tuple[str, ...]) -> bool:
    """Everything there is, or everything of a service: as much as its ...FullAccess. IAM reads actions without
    regard to case."""
    every = action == "*" or action.endswith(":*")
    return every and action.lower() not in map(str.lower, allowed)


def _is_wide(name: str, arn: str) -> bool:
    return ":iam::aws:policy/" in arn and (name in _WIDE or name.endswith("FullAccess"))
