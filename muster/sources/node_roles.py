"""Roles of EKS in a file, as keys of a description: existing ones, and policies beyond those that nodes need."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from muster.fleet.resources import ControlPlane, Fleet, NodeGroup, NodeRole
from muster.plain_data import drop_none
from muster.unknown import stored

_NOT_NEEDED = frozenset(
    {
        "AmazonEC2ContainerRegistryPullOnly",
        "AmazonEC2ContainerRegistryReadOnly",
        "AmazonEKSWorkerNodeMinimalPolicy",
        "AmazonEKSWorkerNodePolicy",
        "AmazonEKS_CNI_Policy",
    }
)
"""Policies that nodes of Muster have, or the role of an add-on in their place."""
_SESSIONS = "AmazonSSMManagedInstanceCore"
_OF_SERVICE = {"elasticfilesystem": "AmazonElasticFileSystemFullAccess", "fsx": "AmazonFSxFullAccess"}
"""A service all of whose actions a policy of eksctl allows -> AWS's policy that does."""


def of_eks(fleet: Fleet, plane: ControlPlane[Any] | None) -> dict[str, Any] | None:
    """The block `iam` of a cluster on EKS: the boundary that all roles of nodes have, and the existing role of the
    control plane."""
    boundaries = {stored(each, "boundary") for each in fleet.of(NodeRole)}
    boundary = boundaries.pop() if len(boundaries) == 1 else None
    own = _arn(stored(plane, "role") if plane else None)
    found = {"permissions-boundary": _arn(boundary), "roles": {"control-plane": own} if own else None}
    return drop_none(found) or None


def of_group(fleet: Fleet, group: NodeGroup[Any], leave: Callable[[NodeRole[Any], str], None]) -> dict[str, Any]:
    """The keys of a node group of EKS for the role of its nodes.

    Args:
        fleet: the resources of the file.
        group: the group.
        leave: takes what no key has, with the reason.
    """
    named = stored(group, "role")
    role = fleet.find(NodeRole, named)
    if role is None:
        return {"role": _arn(named)}
    iam = replace(role, place=replace(role.place, part="iam"))
    known = stored(role, "policies")
    attached = known if isinstance(known, frozenset) else frozenset()
    own = sorted(each for each in attached if each.rpartition("/")[2] not in _NOT_NEEDED)
    if role.more_policies:
        leave(iam, "one of its policies is not known")
    for statement in role.statements:
        services = {each.removesuffix(":*") for each in statement.actions}
        if services <= _OF_SERVICE.keys():
            own += [f"arn:aws:iam::aws:policy/{_OF_SERVICE[each]}" for each in sorted(services)]
        else:
            some = min(statement.actions, default="")
            leave(iam, f"a policy of its own ({some}): write it as a managed one, and add it to policies")
    sessions = [each for each in own if each.endswith(f"/{_SESSIONS}")]
    policies = [each for each in own if each not in sessions]
    return {"session": "ssm" if sessions else None, "policies": policies or None}


def _arn(value: Any) -> str | None:
    return value if isinstance(value, str) and value.startswith("arn:") else None
