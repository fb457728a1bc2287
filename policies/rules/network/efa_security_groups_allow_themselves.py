"""Security groups on EFA interfaces."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet, LaunchTemplate, Ref, Reference, SecurityGroup
from muster.fleet.resources.place import CLUSTER
from muster.fleet.unknown import UNKNOWN, UnknownType
from muster.versions import EKS_CALENDAR
from policies.reading.templates import interfaces_of
from policies.rule import Rule, Verdict, rule
from policies.words import name_of, names, some


@rule(
    "efa-security-groups-allow-themselves",
    title="Every security group on an EFA interface allows all protocols from itself and to itself",
    judges=LaunchTemplate,
    why="EFA is not IP: a CIDR rule, 0.0.0.0/0 out included, does not cover it. NCCL then falls back to TCP or hangs, "
    "and HyperPod's EFA health check fails as soon as one attached group lacks the rules.",
    source="EC2 user guide, Get started with EFA; awsome-distributed-ai#259; gardener-extension-provider-aws#1832",
    remedy="Give the group an ingress and an egress rule with protocol -1 that name the group itself.",
    facts=("rules.md#7", "hardware.md#R6", "pains.md#6", "pains.md#7"),
)
def efa_security_groups_allow_themselves(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    efa = template.efa_interfaces
    _, missing = interfaces_of(template, "type")
    if missing:
        yield rule.unjudged(template.place, missing)
    attached = {group for nic in efa if nic.security_groups is not UNKNOWN for group in nic.security_groups}
    if any(nic.security_groups is UNKNOWN for nic in efa):
        behind = template.depends_on - attached
        made = {ref for ref in behind if ref.type != CLUSTER}
        lacking = {ref for ref in made if _lacks(ref, fleet) not in ("", None)}
        # Ids come with creation, what they are made of is known now. Where all groups that are no cluster's lack the
        # rules, the EFA interfaces' do; only where some have them and some not is it open which is where.
        if template.depends_on and (lacking in (set(), made) or efa == template.interfaces):
            attached |= behind
        else:
            among = f" of {names(behind)}" if behind else ""
            yield rule.unjudged(template.place, f"which{among} are the security groups of the EFA interfaces")
    bare = [nic.label for nic in efa if nic.security_groups is not UNKNOWN and not nic.security_groups]
    if bare and not _eks_attaches(template):
        got = (
            f"no security group at {some(bare)}: EC2 attaches the VPC's default one, which allows nothing out to itself"
        )
        yield rule.finding(template.place, got, f"attach a group that allows itself in and out at {some(bare)}")
    for group in sorted(attached, key=str):
        yield from _verdict(group, attached, template, fleet, rule)


def _eks_attaches(template: LaunchTemplate) -> bool:
    """Whether EKS adds the cluster's group: it does where the template names no group anywhere."""
    named = template.interfaces is UNKNOWN or any(nic.security_groups != () for nic in template.interfaces)
    return not named and template.security_groups == ()


def _lacks(group: Reference, fleet: Fleet) -> str | UnknownType | None:
    """What the group does not allow: ``from itself``, ``to itself``, both, or nothing (empty).

    None where nobody knows, UNKNOWN where it is known after creation.
    """
    if isinstance(group, Ref) and group.type == CLUSTER:
        return _cluster_lacks(fleet.find(ControlPlane, group))
    observed = fleet.facts.security_groups if fleet.facts else {}
    known = fleet.find(SecurityGroup, group) or observed.get(str(group))
    if known is None or None in (known.self_ingress, known.self_egress):
        return None
    if UNKNOWN in (known.self_ingress, known.self_egress):
        return UNKNOWN
    return " or ".join(
        word for word, allowed in (("from", known.self_ingress), ("to", known.self_egress)) if not allowed
    )


def _cluster_lacks(cluster: ControlPlane | None) -> str:
    """The group that EKS makes allows itself in and, "for EFA traffic", out (EKS user guide, "security group
    requirements"): nobody writes these rules, so none are looked for. Before 1.33 EKS made it without the second one
    (eksctl `pkg/utils/efa`).
    """
    version = cluster.kubernetes if cluster else None
    old = isinstance(version, str) and version in EKS_CALENDAR and tuple(map(int, version.split("."))) < (1, 33)
    return "to" if old else ""


def _verdict(
    group: Reference, attached: set[Reference], template: LaunchTemplate, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    lacks, name = _lacks(group, fleet), name_of(group)
    made_by_eks = isinstance(group, Ref) and group.type == CLUSTER
    if made_by_eks and len(attached) > 1:
        return  # beside a group made for EFA it only carries IP
    if lacks is None:
        yield rule.unjudged(template.place, fleet.missing(f"the rules of security group {name}"))
    elif lacks is UNKNOWN:
        yield rule.unjudged(template.place, f"the rules of security group {name}, not known before creation")
    elif lacks:
        at_fault, both = fleet.find(SecurityGroup, group), lacks.replace(" or ", " and ")
        mend = f"give {name} a rule for all protocols (-1) {both} itself: 0.0.0.0/0 does not cover EFA"
        yield rule.finding(
            at_fault.place if at_fault else template.place,
            at="" if at_fault else "security-groups",
            got=f"security group {name} is on EFA interfaces and does not allow all protocols {lacks} itself",
            remedy="attach a group beside it that allows itself in and out" if made_by_eks else mend,
        )
