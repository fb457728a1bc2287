"""Security groups on EFA interfaces."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate, Ref, Reference, SecurityGroup
from muster.fleet.resources.ref import CLUSTER
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, name_list, name_of
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.launch_templates import interfaces_of
from policies.lookups.security_groups import missing_self_traffic


@rule(
    "efa-security-groups-allow-themselves",
    title="Every security group on an EFA interface allows all protocols from itself and to itself",
    judges=LaunchTemplate | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="EFA is not IP: a CIDR rule, 0.0.0.0/0 out included, does not cover it. NCCL then falls back to TCP or hangs, "
    "and HyperPod's EFA health check fails as soon as one attached group lacks the rules.",
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
    """All interfaces have the same groups, and ParallelCluster's own group allows itself. Where it is replaced, another
    group must allow itself, as ParallelCluster's validator checks (`EfaSecurityGroupValidator`, 3.16.1)."""
    if not group.replaces_groups or group.has_efa is False:
        return
    if group.has_efa is UNKNOWN or group.security_groups is UNKNOWN:
        yield rule.unjudged(group.place, "whether it has EFA, and its security groups, not known before creation")
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
            got=f"{name_list(group.security_groups)} in place of ParallelCluster's own security group: no group on EFA "
            "interfaces allows all protocols from and to itself",
            remedy="give one of them rules for all protocols (-1), in and out, that name itself, or say "
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
        # Ids come with creation, what they are made of is known now. Where all groups that are no cluster's lack the
        # rules, the EFA interfaces' do; only where some have them and some not is it open which is where.
        if template.depends_on and (lacking in (set(), made) or efa == template.interfaces):
            attached |= behind
        else:
            among = f" of {name_list(behind)}" if behind else ""
            yield rule.unjudged(template.place, f"which{among} are the security groups of the EFA interfaces")
    bare = [nic.label for nic in efa if nic.security_groups is not UNKNOWN and not nic.security_groups]
    if bare and not _eks_attaches(template):
        got = (
            f"no security group at {and_list(bare)}: EC2 attaches the VPC's default one, "
            "which allows nothing out to itself"
        )
        yield rule.finding(template.place, got, f"attach a group that allows itself in and out at {and_list(bare)}")
    for group in sorted(attached, key=str):
        yield from _verdict(group, attached, template, fleet, rule)


def _eks_attaches(template: LaunchTemplate) -> bool:
    """Whether EKS adds the cluster's group: it does where the template names no group anywhere."""
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
        yield rule.unjudged(template.place, f"the rules of security group {name}, not known before creation")
    elif lacking:
        at_fault, both = fleet.find(SecurityGroup, group), lacking.replace(" or ", " and ")
        mend = f"give {name} a rule for all protocols (-1) {both} itself: 0.0.0.0/0 does not cover EFA"
        yield rule.finding(
            at_fault.place if at_fault else template.place,
            at="" if at_fault else "security-groups",
            got=f"security group {name} is on EFA interfaces and does not allow all protocols {lacking} itself",
            remedy="attach a group beside it that allows itself in and out" if made_by_eks else mend,
        )
