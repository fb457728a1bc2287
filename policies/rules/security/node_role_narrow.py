"""The permissions of a node in the account."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.resources import Fleet, HeadNode, LoginPool, NodeRole, Queue
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.unknown import NotKnown

_WIDE = frozenset({"AdministratorAccess", "PowerUserAccess"})
_NARROW = "allow only the actions and resources that nodes need"


class Policies(Options):
    """Broad policies that are intended."""

    allowed: tuple[str, ...] = Field(
        default=(),
        description="Names of broad AWS managed policies that nodes may have, such as AmazonS3FullAccess, and actions "
        "of whole services that their own policies may allow, such as s3:*.",
    )


def node_role_narrow(thing: NodeRole | HeadNode | LoginPool | Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    allowed = Policies.of(rule.settings).allowed
    parts = [_managed(thing, allowed, rule)]
    if isinstance(thing, NodeRole):
        parts.append(_own(thing, allowed, rule))
    yield from rule.each(parts, iter, thing.place)


def _managed(thing: NodeRole | HeadNode | LoginPool | Queue, allowed: tuple[str, ...], rule: Rule) -> Iterator[Verdict]:
    """Judges the managed policies that are attached."""
    wide = {name for each in thing.policies if _is_wide(name := each.rpartition("/")[2], each)} - {*allowed}
    if wide:
        got = f"the nodes have the broad managed {singular_or_plural(wide, 'policy', 'policies')} {and_list(wide)}"
        yield rule.finding(thing, "", got=got, change=_NARROW)
    if thing.more_policies:
        raise NotKnown("other managed policies of the role")


def _own(role: NodeRole, allowed: tuple[str, ...], rule: Rule) -> Iterator[Verdict]:
    """Judges the policies that the program writes itself."""
    for each in role.statements:
        actions = {action for action in each.actions if _is_everything(action, allowed)}
        if actions and "*" in each.resources:
            got = f"a policy of the role allows nodes {and_list(actions)} on every resource"
            yield rule.finding(role, "", got=got, change=_NARROW)
    if role.more_statements:
        raise NotKnown("another policy of the role")


def _is_everything(action: str, allowed: tuple[str, ...]) -> bool:
    """Whether it is every action, or every action of a service, which is as much as its ...FullAccess policy. IAM
    ignores the case of actions."""
    every = action == "*" or action.endswith(":*")
    return every and action.lower() not in map(str.lower, allowed)


def _is_wide(name: str, arn: str) -> bool:
    return ":iam::aws:policy/" in arn and (name in _WIDE or name.endswith("FullAccess"))
