"""Security groups on EFA interfaces."""

from collections.abc import Iterator

from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate, Ref, Reference, SecurityGroup
from muster.fleet.resources.ref import CLUSTER
from muster.policies.engine.finding_text import and_list, name_list, name_of
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.launch_templates import interfaces_of
from muster.policies.lookups.property_names import self_rule_remedy
from muster.policies.lookups.security_groups import missing_self_traffic
from muster.unknown import UNKNOWN


@rule(
    "efa-security-groups-allow-themselves",
    title="Every security group on an EFA interface allows all protocols from itself and to itself",
    judges=LaunchTemplate | ComputeResource,
    backends=IN_EC2,
    why="EFA is not IP, so a CIDR rule does not cover it, not even egress to 0.0.0.0/0. NCCL then falls back to TCP or "
    "hangs, and HyperPod's EFA health check fails if any attached group lacks the rules.",
    source="EC2 user guide, Get started with EFA; awsome-distributed-ai#259; gardener-extension-provider-aws#1832",
    remedy="Give the group an ingress and an egress rule with protocol -1 that name the group itself.",
    facts=("rules.md#7", "hardware.md#R6", "pains.md#6", "pains.md#7", "pains.md#22"),
)
def efa_security_groups_allow_themselves(
    thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    of = _of_slurm(thing, fleet, rule) if isinstance(thing, ComputeResource) else _of_template(thing, fleet, rule)
    yield from of


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """All interfaces have the same groups, and ParallelCluster's own group allows itself. If it is replaced, another
    group must allow itself, as ParallelCluster's validator checks (`EfaSecurityGroupValidator`, 3.16.1)."""
    if not group.replaces_groups or group.has_efa is False:
        return
    if group.has_efa is UNKNOWN or group.security_groups is UNKNOWN:
        yield rule.unjudged(group.place, "whether it has EFA, and its security groups (known only after `pulumi up`)")
        return
    answers = {each: missing_self_traffic(each, fleet) for each in group.security_groups}
    if "" in answers.values():
        return
    open_ = [each for each, lacking in answers.items() if lacking in (None, UNKNOWN)]
    if open_:
        yield rule.unjudged(group.place, fleet.missing(f"the rules of security group {name_list(open_)}"))
    else:
        yield rule.finding(
            group.place,
            at="security-groups",
            got=f"SecurityGroups ({name_list(group.security_groups)}) replaces ParallelCluster's own group, and none "
            "of its groups allows all protocols from and to itself",
            remedy="add ingress and egress rules with protocol -1 and self: true to one of them, or set "
            "AdditionalSecurityGroups instead of SecurityGroups",
        )


def _of_template(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    efa = template.efa_interfaces
    _, missing = interfaces_of(template, "type")
    if missing:
        yield rule.unjudged(template.place, missing)
    attached = {
        group for nic in efa for group in (nic.named if nic.security_groups is UNKNOWN else nic.security_groups)
    }
    if any(nic.security_groups is UNKNOWN for nic in efa):
        behind = template.depends_on - attached
        made = {ref for ref in behind if ref.type != CLUSTER}
        lacking = {ref for ref in made if missing_self_traffic(ref, fleet) not in ("", None)}
        # The ids are known only after creation, but the possible groups are known now. If all of them (except the
        # cluster's) lack the rules, so do those of the EFA interfaces. If only some do, it is unknown which is where.
        if template.depends_on and (lacking in (set(), made) or efa == template.interfaces):
            attached |= behind
        else:
            among = f" (among {name_list(behind)})" if behind else ""
            yield rule.unjudged(template.place, f"the security groups of the EFA interfaces{among}")
    bare = [nic.label for nic in efa if nic.security_groups is not UNKNOWN and not nic.security_groups]
    if bare and not _eks_attaches(template):
        got = (
            f"no security group is set for {and_list(bare)}: EC2 attaches the VPC's default group, "
            "which has no egress rule to itself"
        )
        remedy = f"attach a group that allows all protocols from and to itself to {and_list(bare)}"
        in_program = (
            f"in securityGroups of {and_list(bare)}, list a group whose rules allow protocol -1 from and to itself"
        )
        yield rule.finding(template.place, got, remedy, program_remedy=in_program)
    for group in sorted(attached, key=str):
        yield from _verdict(group, attached, template, fleet, rule)


def _eks_attaches(template: LaunchTemplate) -> bool:
    """Whether EKS adds the cluster's group: it does if the template sets no group anywhere."""
    named = template.interfaces is UNKNOWN or any(nic.security_groups != () for nic in template.interfaces)
    return not named and template.security_groups == ()


def _verdict(
    group: Reference, attached: set[Reference], template: LaunchTemplate, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    lacking, name = missing_self_traffic(group, fleet), name_of(group)
    made_by_eks = isinstance(group, Ref) and group.type == CLUSTER
    if made_by_eks and len(attached) > 1:
        return  # with another group for EFA, it only carries IP
    if lacking is None:
        yield rule.unjudged(template.place, fleet.missing(f"the rules of security group {name}"))
    elif lacking is UNKNOWN:
        yield rule.unjudged(template.place, f"the rules of security group {name} (known only after `pulumi up`)")
    elif lacking:
        at_fault, both = fleet.find(SecurityGroup, group), lacking.replace(" or ", " and ")
        remedy = f"give {name} a rule for all protocols (-1) {both} itself: 0.0.0.0/0 does not cover EFA"
        yield rule.finding(
            at_fault.place if at_fault else template.place,
            at="" if at_fault else "security-groups",
            got=f"security group {name} is on EFA interfaces and does not allow all protocols {lacking} itself",
            remedy="attach another group that allows all protocols from and to itself" if made_by_eks else remedy,
            program_remedy="in securityGroups of the EFA interfaces, list another group whose rules allow protocol -1 "
            "from and to itself"
            if made_by_eks
            else self_rule_remedy(lacking, "" if at_fault else name),
        )
