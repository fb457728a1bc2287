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
    of = _of_slurm(thing, fleet, rule) if isinstance(thing, ComputeResource) else _of_template(thing, fleet, rule)
    yield from of


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """All interfaces have the same groups, and ParallelCluster's own group allows itself. If it is replaced, another
    group must allow itself, as ParallelCluster's validator checks (`EfaSecurityGroupValidator`, 3.16.1)."""
    if group.replaces_groups and group.efa and missing_traffic_among(group.security_groups, fleet):
        yield rule.finding(
            group,
            "security-groups",
            got=f"SecurityGroups ({name_list(group.security_groups)}) replaces ParallelCluster's own group, and none "
            "of its groups allows all protocols from and to itself",
            change=(_allowed(group.security_groups[:1], "from or to"), "set AdditionalSecurityGroups instead"),
        )


def _of_template(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    efa = template.efa_interfaces
    bare = [nic.label for nic in efa if stored(nic, "security_groups") == ()]
    if bare and not _eks_attaches(template):
        yield rule.finding(
            template,
            "",
            got=f"no security group is set for {and_list(bare)}: EC2 attaches the VPC's default group, which has no "
            "egress rule to itself",
            change=f"attach a group that allows all protocols from and to itself to {and_list(bare)}",
        )
    known = filter(None, dict.fromkeys(stored(nic, "security_groups", None) for nic in efa))
    yield from rule.each(known, lambda groups: _verdict(groups, template, fleet, rule), template.place)
    # Groups that are not known cannot take away what the known ones of an interface allow.
    unclear = [nic for nic in template.interfaces if nic.is_efa and stored(nic, "security_groups", None) is None]
    if any(if_known(lambda: missing_traffic_among(nic.named, fleet), "any") for nic in unclear):
        yield from _possible(template, fleet, rule)


def _possible(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The ids are known only after creation, but the possible groups are known now. If each of them is enough, nothing
    is wrong. If all of them together are not enough, none is. The cluster's own group may be on no EFA interface."""
    possible = sorted(template.depends_on, key=str)
    made = tuple(each for each in possible if each.type != CLUSTER)
    if made and missing_traffic_among(made, fleet):
        sure = missing_traffic_among(possible, fleet)
        yield from _verdict(made, template, fleet, rule if sure else rule.advice)
    elif not made or any(missing_self_traffic(each, fleet) for each in possible):
        among = f" (among {name_list(possible)})" if possible else ""
        raise NotKnown(f"the security groups of the EFA interfaces{among}")


def _eks_attaches(template: LaunchTemplate) -> bool:
    """Whether EKS adds the cluster's group: it does if the template sets no group anywhere."""
    return all(stored(each, "security_groups") == () for each in (template, *template.interfaces))


def _verdict(groups: tuple[Reference, ...], template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lacking = missing_traffic_among(groups, fleet)
    if not lacking:
        return
    # EKS writes the rules of the cluster's group.
    own = [each for each in groups if not (isinstance(each, Ref) and each.type == CLUSTER)]
    made = fleet.find(SecurityGroup, own[0]) if len(own) == 1 else None
    got = f"security group {name_list(own or groups)} is on EFA interfaces and does not allow"
    if len(own) > 1:
        got = f"security groups {name_list(own)} are on EFA interfaces, and none of them allows"
    yield rule.finding(
        made or template,
        "" if made else "security-groups",
        got=f"{got} all protocols {lacking} itself",
        change=_allowed(own, lacking),
    )


def _allowed(groups: Sequence[Reference], lacking: str) -> str:
    if not groups:
        return "attach another group that allows all protocols from and to itself"
    both = lacking.replace(" or ", " and ")
    return f"give {name_of(groups[0])} a rule for all protocols (-1) {both} itself: 0.0.0.0/0 does not cover EFA"


_DEFAULT = 5
_MOST = 16


def security_groups_per_interface(
    group: Ec2Group | HeadNode | LoginPool, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    carried = carried_groups(group, fleet)
    if not carried.sure:
        raise NotKnown("which security groups are on which interface")
    known = fleet.facts.quotas.get(SECURITY_GROUPS.code) if fleet.facts else None
    allowed = min(known or _DEFAULT, _MOST)
    if len(carried.groups) > allowed:
        whose = "the account's quota" if known else "the default quota"
        queue = queue_of(group, fleet) if isinstance(group, ComputeResource) else None
        own = [each for each in carried.groups if isinstance(each, Ref) or each in cluster_groups(fleet)]
        theirs = len(carried.groups) - len(own)
        described = group.place.described and own and theirs
        sum_ = f" ({theirs} from the description, {len(own)} from Muster)" if described else ""
        most = f"{allowed - len(own)} security groups in the description" if described else f"{allowed} security groups"
        raised = f"request a higher quota {SECURITY_GROUPS.code} (`muster preflight STACK --save` reads it)"
        yield rule.finding(
            group,
            "security-groups",
            place=queue.place if queue else None,
            got=f"an interface has {len(carried.groups)} security groups{sum_}, but {whose} is {allowed}",
            change=(f"attach at most {most}", *(() if len(carried.groups) > _MOST else (raised,))),
        )
