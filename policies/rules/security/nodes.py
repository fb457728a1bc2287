"""What an attacker on a node could reach."""

from collections.abc import Iterator

from pydantic import Field

from muster.edits import set_to
from muster.fleet.resources import ControlPlane, Fleet, HeadNode, LaunchTemplate, LoginPool, NodeRole, Queue
from muster.fleet.resources.fleet import may_train
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.unknown import NotKnown, stored


class Hops(Options):
    """The network hops that an answer may take."""

    hops: int = Field(
        default=1,
        ge=1,
        le=64,
        description="Highest hop limit. With 1, pods that do not use the node's network cannot reach the service. With "
        "2 they can, for programs that do not support Pod Identity.",
    )


def imds_out_of_pods(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not _belongs_to_training(template, fleet):
        return
    most = Hops.of(rule.settings).hops
    in_cluster = template.joins_kubernetes or any(fleet.groups_of(template)) or any(fleet.of(ControlPlane))
    if not in_cluster:
        # They may be instances of another service, such as AWS PCS or AWS Batch, which runs no pods.
        if template.hop_limit is None or template.hop_limit > most:
            raise NotKnown("whether pods run on the instances of the launch template")
        return
    if template.http_tokens != "required":
        got = "the template does not require IMDSv2, and IMDSv1 counts no hops: pods reach the node's credentials"
        yield rule.finding(template, "metadataOptions.httpTokens", got=got, change=set_to("required"))
    elif template.hop_limit is None or template.hop_limit > most:
        limit = template.hop_limit or "set by the image"
        got = f"the hop limit is {limit}, with which pods may reach the node's credentials"
        yield rule.finding(template, "metadataOptions.httpPutResponseHopLimit", got=got, change=set_to(most))


def _belongs_to_training(template: LaunchTemplate, fleet: Fleet) -> bool:
    """Whether a node group uses the template, or its own instances train: a program of another team has others, too."""
    if not fleet.has_training:
        return False
    if any(fleet.groups_of(template)) or may_train(stored(template, "instance")):
        return True
    return bool(template.efa_interfaces)


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
    names = {each.rpartition("/")[2] for each in thing.policies if ":iam::aws:policy/" in each}
    wide = {each for each in names if each in _WIDE or each.endswith("FullAccess")} - {*allowed}
    if wide:
        got = f"the nodes have the broad managed policy {and_list(wide)}"
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
