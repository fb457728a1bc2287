"""EKS's quotas of managed node groups, where the account's own are not known."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ControlPlane, Fleet, NodeGroup
from muster.hardware.quotas import EKS_DEFAULTS, NODE_GROUPS, NODES_OF_GROUP, Quota
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Severity, Verdict, rule


@rule(
    "eks-default-quotas-suffice",
    title="EKS's default quotas cover the managed node groups and their nodes",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ControlPlane | NodeGroup,
    backends=("eks",),
    why="EKS refuses a group, or an update of its size, beyond the account's quota. AWS takes days to raise one.",
    source="EKS user guide, View and manage Amazon EKS and Fargate service quotas",
    remedy="Have the quota raised before you deploy, or take fewer or smaller groups.",
    facts=("rules.md#37",),
)
def eks_default_quotas_suffice(thing: ControlPlane | NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, ControlPlane):
        groups = [each for each in fleet.of(NodeGroup) if each.managed]
        if len(fleet.of(ControlPlane)) == 1 and _exceeds_default(NODE_GROUPS, len(groups), fleet):
            got = f"{len(groups)} managed node groups; EKS's default quota is {EKS_DEFAULTS[NODE_GROUPS]} for a cluster"
            yield rule.finding(thing.place, got, _request(NODE_GROUPS, len(groups)))
    elif thing.managed and thing.nodes_max is not UNKNOWN and _exceeds_default(NODES_OF_GROUP, thing.nodes_max, fleet):
        got = (
            f"up to {thing.nodes_max} nodes; EKS's default quota is {EKS_DEFAULTS[NODES_OF_GROUP]} for a managed group"
        )
        remedy = f"{_request(NODES_OF_GROUP, thing.nodes_max)}; or make several groups of it"
        yield rule.finding(thing.place, got, remedy, at="nodes")


def _exceeds_default(quota: Quota, number: int, fleet: Fleet) -> bool:
    """Whether it is more than the default, where the account's own quota is not known: quota-covers-resources judges
    by that."""
    own = fleet.facts.quotas.get(quota.code) if fleet.facts else None
    return number > (EKS_DEFAULTS[quota] if own is None else max(own, EKS_DEFAULTS[quota]))


def _request(quota: Quota, wanted: int) -> str:
    return f"have it raised: {quota.request(wanted)}"
