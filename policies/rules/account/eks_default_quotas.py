"""EKS's quotas for managed node groups, where the account's own are not known."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ControlPlane, Fleet, NodeGroup
from muster.hardware.quotas import EKS_DEFAULTS, NODE_GROUPS, NODES_OF_GROUP, Quota
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.reserved_capacity import growth_text
from muster.unknown import UNKNOWN


@rule(
    "eks-default-quotas-suffice",
    title="EKS's default quotas cover the managed node groups and their nodes",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ControlPlane | NodeGroup,
    backends=("eks",),
    why="EKS refuses a group, or an update of its size, beyond the account's quota. An increase takes days.",
    source="EKS user guide, View and manage Amazon EKS and Fargate service quotas",
    remedy="Request a quota increase before you deploy, or use fewer or smaller groups.",
    facts=("rules.md#37",),
)
def eks_default_quotas_suffice(thing: ControlPlane | NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, ControlPlane):
        groups = [each for each in fleet.of(NodeGroup) if each.managed]
        known = fleet.facts is not None and NODE_GROUPS.code in fleet.facts.quotas  # quota-covers-resources judges it
        if len(fleet.of(ControlPlane)) == 1 and not known and len(groups) > (most := EKS_DEFAULTS[NODE_GROUPS]):
            got = f"the cluster has {len(groups)} managed node groups, but EKS's default quota is {most} per cluster"
            yield rule.finding(thing.place, got, _request(NODE_GROUPS, len(groups)))
    elif thing.managed and thing.nodes_max is not UNKNOWN:
        own = fleet.facts.quotas.get(NODES_OF_GROUP.code) if fleet.facts else None
        most = EKS_DEFAULTS[NODES_OF_GROUP] if own is None else own
        if thing.nodes_max > most:
            whose = "EKS's default quota" if own is None else "the account's quota"
            got = f"the group {growth_text((thing,))}, but {whose} is {most} for a managed node group"
            remedy = f"{_request(NODES_OF_GROUP, thing.nodes_max)}; or split it into several groups"
            yield rule.finding(thing.place, got, remedy, at="nodes")


def _request(quota: Quota, wanted: int) -> str:
    return f"request an increase: {quota.request(wanted)}"
