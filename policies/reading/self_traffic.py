"""Whether security groups allow themselves, as EFA needs it."""

from muster.fleet.named import Kind
from muster.fleet.resources import ControlPlane, Fleet, Ref, Reference, SecurityGroup
from muster.fleet.resources.place import CLUSTER
from muster.fleet.resources.security_group import EGRESS, EVERY_PROTOCOL, EVERYWHERE
from muster.fleet.unknown import UNKNOWN, UnknownType
from muster.versions import EKS_CALENDAR


def lacks(group: Reference, fleet: Fleet) -> str | UnknownType | None:
    """What the group does not allow: ``from itself``, ``to itself``, both, or nothing (empty).

    None where nobody knows, UNKNOWN where it is known after creation.
    """
    if isinstance(group, Ref) and group.type == CLUSTER:
        return _cluster_lacks(fleet.find(ControlPlane, group))
    if fleet.gone(Kind.SECURITY_GROUP, group):
        return ""  # named-things-exist's finding
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


def only_to_everywhere(group: Reference, fleet: Fleet) -> bool:
    """Whether a group lets everything out to 0.0.0.0/0, which looks like enough and is not: EFA is not IP."""
    known = fleet.find(SecurityGroup, group)
    return known is not None and any(
        each.direction == EGRESS and each.protocol == EVERY_PROTOCOL and each.peer == EVERYWHERE
        for each in known.allows
    )
