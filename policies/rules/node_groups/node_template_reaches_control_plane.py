"""Whether nodes can reach their control plane."""

from collections.abc import Iterable, Iterator, Mapping

from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import (
    ControlPlane,
    Fleet,
    InstanceGroup,
    LaunchTemplate,
    NodeGroup,
    Ref,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources.fleet import KubernetesGroup
from muster.fleet.resources.ref import CLUSTER
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.engine.transition import pair_of
from muster.policies.lookups.hyperpod import cluster_of, control_plane_of
from muster.policies.lookups.launch_templates import template_of
from muster.unknown import UNKNOWN, UnknownType


@rule(
    "node-template-reaches-control-plane",
    title="Nodes with their own security groups also have the cluster's, on the primary interface",
    judges=NodeGroup | InstanceGroup,
    backends=ON_KUBERNETES,
    why="EKS attaches the cluster's security group only if a template sets none; HyperPod never does. Nodes that lack "
    "it cannot reach the control plane and never join, and the group fails half an hour or hours later.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/sec-group-reqs.html",
        "https://github.com/awslabs/awsome-distributed-ai/blob/v2.0.0-pre-reorg/1.architectures/7.sagemaker-hyperpod-eks/terraform-modules/hyperpod-eks-tf/modules/security_group/main.tf",
    ),
    remedy="Add the cluster's security group to the nodes' groups. With several interfaces, add it to the primary one.",
    facts=("rules.md#38",),
)
def node_template_reaches_control_plane(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups, made_of, where, missing = _named(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    if groups is None:
        return
    # The ids are known only after creation, but the possible groups are known now.
    named = made_of if groups is UNKNOWN else groups
    if any(_reaches(each, fleet) for each in named):
        return
    outside = [each for each in named if not isinstance(each, Ref)]
    # The group of an existing cluster is an id, not a resource.
    joins = any(cluster.existing for cluster in fleet.of(ControlPlane))
    if outside or (groups is UNKNOWN and (joins or not named)):
        which = (
            f"whether {and_list(outside)} {singular_or_plural(outside, 'reaches', 'reach')} it"
            if outside
            else f"the security groups {where}"
        )
        yield rule.unjudged(group.place, f"the cluster's security group: {which}")
    else:
        who, to = _CARRIERS[where]
        groups_ = "security groups" if len(set(named)) > 1 else "security group"
        yield rule.finding(
            group.place,
            got=f"{who} only {groups_} {name_list(named)}, which cannot reach the control plane",
            remedy=f"also attach vpcConfig.clusterSecurityGroupId to {to}",
        )


_OF_INSTANCES, _ON_INTERFACES, _OF_TEMPLATE = "of its instances", "on its interfaces", "of the template"
_AT_PRIMARY = "at card 0 / device 0"
_CARRIERS = {
    _OF_INSTANCES: ("its instances have", "its instances"),
    _ON_INTERFACES: ("its interfaces have", "its interfaces"),
    _OF_TEMPLATE: ("its launch template has", "the launch template"),
    _AT_PRIMARY: ("the interface at card 0 / device 0 has", "that interface"),
}
"""Where security groups are set -> what has them, and what to attach a group to."""

Groups = tuple[Reference, ...] | UnknownType | None


def _named(group: KubernetesGroup, fleet: Fleet) -> tuple[Groups, Iterable[Reference], str, str]:
    """The security groups of a node's IP traffic, the references that they come from, where they are set, and what is
    unknown. The groups are None if EKS attaches its own."""
    if isinstance(group, InstanceGroup):
        cluster = cluster_of(group, fleet)
        plane, missing = pair_of(lambda: control_plane_of(cluster, fleet)) if cluster else (None, "")
        if plane is None:  # Slurm's nodes join none; the rules of another program's EKS cluster are not known
            return None, (), "", f"the security groups of {missing}" if missing else ""
        return group.security_groups, (), _OF_INSTANCES, ""
    template, missing = pair_of(lambda: template_of(group, fleet))
    if template is None:
        return None, (), "", missing
    groups, where = _primary(template)
    return groups, template.depends_on, where, ""


def _primary(template: LaunchTemplate) -> tuple[Groups, str]:
    """The security groups of the interface with the node's IP traffic, and where they are set.

    None if EKS attaches its own (the template sets no group), or if there is no primary interface.
    """
    at_top, nics = template.security_groups, template.interfaces
    if nics is UNKNOWN:
        return UNKNOWN, _ON_INTERFACES
    if not nics:
        return (None if at_top == () else at_top), _OF_TEMPLATE
    if at_top == () and all(nic.security_groups == () for nic in nics):
        return None, ""
    primary = [nic.security_groups for nic in nics if (nic.card, nic.device) == (0, 0)]
    return (primary[0] if primary else None), _AT_PRIMARY


def _reaches(group: Reference, fleet: Fleet) -> bool:
    """Whether a group is the cluster's, is on the control plane's interfaces, or has rules with such a group."""
    near = {group, *(known.peers if (known := fleet.find(SecurityGroup, group)) else ())}
    of_peer, on_control_plane = _security_groups(fleet)
    near.update(of_peer.get(group, ()))
    return any(each in on_control_plane or (isinstance(each, Ref) and each.type == CLUSTER) for each in near)


@cached_by_identity(4)
def _security_groups(fleet: Fleet) -> tuple[Mapping[Reference, list[Ref]], set[Reference]]:
    """The groups that have rules with each group, and the groups of control planes."""
    of_peer: dict[Reference, list[Ref]] = {}
    for each in fleet.of(SecurityGroup):
        for peer in each.peers:
            of_peer.setdefault(peer, []).append(each.ref)
    planes = [each.security_groups for each in fleet.of(ControlPlane) if each.security_groups is not UNKNOWN]
    return of_peer, {each for groups in planes for each in groups}
