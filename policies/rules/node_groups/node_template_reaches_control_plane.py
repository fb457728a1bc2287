"""Whether nodes can reach their control plane."""

from collections.abc import Iterator, Mapping

from muster.edits import add
from muster.fleet.resources import (
    ControlPlane,
    Fleet,
    InstanceGroup,
    Ref,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources.fleet import KubernetesGroup
from muster.fleet.resources.ref import CLUSTER
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import cluster_of, control_plane_of
from muster.policies.lookups.launch_templates import template_of
from muster.unknown import NotKnown, if_known, stored


def node_template_reaches_control_plane(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    attached = if_known(lambda: _attached(group, fleet))
    # The ids are known only after creation, but the possible groups are known now.
    named, where = attached or (_possible(group, fleet), _OF_TEMPLATE)
    if named is None or any(_reaches(each, fleet) for each in named):
        return
    outside = [each for each in named if not isinstance(each, Ref)]
    if outside:
        reach = singular_or_plural(outside, "reaches", "reach")
        raise NotKnown(f"the cluster's security group: whether {and_list(outside)} {reach} it")
    # The group of an existing cluster is an id, not a resource.
    if attached is None and (not named or any(cluster.existing for cluster in fleet.of(ControlPlane))):
        _attached(group, fleet)  # raises what is not known
    who, field = _CARRIERS[where]
    groups = "security groups" if len(set(named)) > 1 else "security group"
    got = f"{who} only {groups} {name_list(named)}, which cannot reach the control plane"
    yield rule.finding(group, got=got, change=add(words="the cluster's security group", at=field))


_OF_INSTANCES, _OF_TEMPLATE = "of its instances", "of the template"
_AT_PRIMARY = "at card 0 / device 0"
_CARRIERS = {
    _OF_INSTANCES: ("its instances have", "overrideVpcConfig.securityGroupIds"),
    _OF_TEMPLATE: ("its launch template has", "vpcSecurityGroupIds"),
    _AT_PRIMARY: ("the interface at card 0 / device 0 has", "networkInterfaces.securityGroups"),
}
"""Where security groups are set -> what has them, and the property."""


def _attached(group: KubernetesGroup, fleet: Fleet) -> tuple[tuple[Reference, ...] | None, str]:
    """The security groups of a node's IP traffic, and where they are set. None if EKS attaches its own (the template
    sets no group), or if there is no primary interface."""
    if isinstance(group, InstanceGroup):
        cluster = cluster_of(group, fleet)  # Slurm's nodes join none
        return (group.security_groups if cluster and control_plane_of(cluster, fleet) else None), _OF_INSTANCES
    template = template_of(group, fleet)
    if template is None:
        return None, _OF_TEMPLATE
    if not template.interfaces:
        return template.security_groups or None, _OF_TEMPLATE
    primary = [nic for nic in template.interfaces if (nic.card, nic.device) == (0, 0)]
    groups = primary[0].security_groups if primary else None
    if not groups and not template.security_groups and not any(nic.security_groups for nic in template.interfaces):
        return None, _AT_PRIMARY
    return groups, _AT_PRIMARY


def _possible(group: KubernetesGroup, fleet: Fleet) -> tuple[Reference, ...]:
    """What a node's security groups are made of, where they are not known."""
    template = None if isinstance(group, InstanceGroup) else if_known(lambda: fleet.template_of(group))
    return tuple(template.depends_on) if template else ()


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
    planes = [stored(each, "security_groups", ()) for each in fleet.of(ControlPlane)]
    return of_peer, {each for groups in planes for each in groups}
