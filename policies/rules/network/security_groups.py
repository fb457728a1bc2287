"""Security groups of nodes, and of their EFA interfaces."""

from collections.abc import Iterator, Sequence

from muster.fleet.resources import (
    ComputeResource,
    Fleet,
    HeadNode,
    LaunchTemplate,
    LoginPool,
    Ref,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.resources.ref import CLUSTER
from muster.hardware.quotas import SECURITY_GROUPS
from muster.policies.engine.finding_text import and_list, name_list, name_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import queue_of
from muster.policies.lookups.security_groups import (
    carried_groups,
    cluster_groups,
    missing_self_traffic,
    missing_traffic_among,
)
from muster.unknown import NotKnown, if_known, stored


def efa_security_groups_allow_themselves(
    thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(thing, LaunchTemplate):
        yield from _of_template(thing, fleet, rule)
    # All interfaces have the same groups, and ParallelCluster's own group allows itself. If it is replaced, another
    # group must allow itself, as ParallelCluster's validator checks (`EfaSecurityGroupValidator`, 3.16.1).
    elif thing.replaces_groups and thing.efa and (lacking := missing_traffic_among(thing.security_groups, fleet)):
        yield _lacking(thing.security_groups, lacking, thing, fleet, rule)


def _of_template(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    efa = template.efa_interfaces
    bare = [nic.label for nic in efa if stored(nic, "security_groups") == ()]
    # EKS adds the cluster's group if the template sets no group anywhere.
    if bare and any(stored(each, "security_groups") != () for each in (template, *template.interfaces)):
        got = f"no security group is set for {and_list(bare)}: EC2 attaches the VPC's default group, which has no "
        got += "egress rule to itself"
        change = f"attach a group that allows all protocols from and to itself to {and_list(bare)}"
        yield rule.finding(template, "", got=got, change=change)

    def judge(groups: tuple[Reference, ...]) -> Iterator[Verdict]:
        if lacking := missing_traffic_among(groups, fleet):
            yield _lacking(groups, lacking, template, fleet, rule)

    known = filter(None, dict.fromkeys(stored(nic, "security_groups", None) for nic in efa))
    yield from rule.each(known, judge, template.place)
    # Groups that are not known cannot take away what the known ones of an interface allow.
    unclear = [nic for nic in template.interfaces if nic.is_efa and stored(nic, "security_groups", None) is None]
    if any(if_known(lambda: missing_traffic_among(nic.named, fleet), "any") for nic in unclear):
        yield from _possible(template, fleet, rule)


def _possible(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The ids are known only after creation, but the possible groups are known now. If each of them is enough, nothing
    is wrong. If all of them together are not enough, none is. The cluster's own group may be on no EFA interface."""
    possible = sorted(template.depends_on, key=str)
    unclear = [nic for nic in template.interfaces if nic.is_efa and stored(nic, "security_groups", None) is None]
    if possible and all(nic.listed == len(possible) for nic in unclear) and not missing_traffic_among(possible, fleet):
        return  # each of them is on each interface
    made = tuple(each for each in possible if each.type != CLUSTER)
    if made and (lacking := missing_traffic_among(made, fleet)):
        sure = rule if missing_traffic_among(possible, fleet) else rule.advice
        yield _lacking(made, lacking, template, fleet, sure)
    elif not made or any(missing_self_traffic(each, fleet) for each in possible):
        among = f" (among {name_list(possible)})" if possible else ""
        raise NotKnown(f"the security groups of the EFA interfaces{among}")


def _lacking(
    groups: Sequence[Reference], lacking: str, thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Verdict:
    # EKS writes the rules of the cluster's group.
    own = [each for each in groups if not (isinstance(each, Ref) and each.type == CLUSTER)]
    made = fleet.find(SecurityGroup, own[0]) if len(own) == 1 and isinstance(thing, LaunchTemplate) else None
    got = f"no security group on EFA interfaces ({name_list(own or groups)}) allows all protocols {lacking} itself"
    both = f"all protocols (-1) {lacking.replace(' or ', ' and ')} itself: 0.0.0.0/0 does not cover EFA"
    change = f"give {name_of(own[0])} a rule for {both}" if own else f"attach another group that allows {both}"
    return rule.finding(made or thing, "" if made else "security-groups", got=got, change=change)


_DEFAULT, _MOST = 5, 16


def security_groups_per_interface(
    group: Ec2Group | HeadNode | LoginPool, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    carried = carried_groups(group, fleet)
    if not carried.sure:
        raise NotKnown("which security groups are on which interface")
    quota = fleet.facts.quotas.get(SECURITY_GROUPS.code) if fleet.facts else None
    allowed, count = min(quota or _DEFAULT, _MOST), len(carried.groups)
    if count > allowed:
        queue = queue_of(group, fleet) if isinstance(group, ComputeResource) else None
        own = [each for each in carried.groups if isinstance(each, Ref) or each in cluster_groups(fleet)]
        named = f" ({count - len(own)} of them named)" if own else ""
        got = f"an interface has {count} security groups{named}, but quota {SECURITY_GROUPS.code} allows {allowed}"
        fewer = f"remove {count - allowed}"
        higher = "request a higher quota (`muster preflight STACK --save` reads it)"
        change = (fewer,) if count > _MOST else (fewer, higher)
        place = queue.place if queue else None
        yield rule.finding(group, "security-groups", place=place, got=got, change=change)
