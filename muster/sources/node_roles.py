"""Roles of EKS in a file, as keys of a description: existing ones, and policies beyond those that nodes need."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from muster.fleet.resources import ControlPlane, Fleet, NodeGroup, NodeRole
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
    boundary = _the_one(stored(each, "boundary") for each in fleet.of(NodeRole))
    own = stored(plane, "role") if plane else None
    roles = {"roles": {"control-plane": own}} if _arn(own) else {}
    return {**({"permissions-boundary": boundary} if boundary else {}), **roles} or None


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
    own = _beyond(stored(role, "policies"))
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


def _the_one(values: Iterable[Any]) -> str | None:
    """The text that all values are; None if they differ, or one is not known."""
    found = set(values)
    only = found.pop() if len(found) == 1 else None
    return only if isinstance(only, str) else None


def _beyond(policies: Any) -> list[str]:
    known = policies if isinstance(policies, frozenset) else ()
    return sorted(each for each in known if each.rpartition("/")[2] not in _NOT_NEEDED)


def _arn(value: Any) -> str | None:
    return value if isinstance(value, str) and value.startswith("arn:") else None
