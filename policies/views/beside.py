"""The resources that say more of another, found by what they name: asked one by one, a thousand rules of a thousand
security groups are a million questions."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import Ref
from muster.fleet.resources.place import (
    AUTO_SCALING_GROUP,
    CLUSTER,
    DATA_ASSOCIATION,
    HYPERPOD,
    LUSTRE,
    NODE_GROUP,
    RESOURCE_GROUP,
    SECURITY_GROUP,
)
from muster.fleet.unknown import UNKNOWN
from policies.views.auto_scaling_group import SCHEDULE
from policies.views.bucket import OF_ANY_BUCKET
from policies.views.capacity import MEMBER
from policies.views.node_role import BY_ROLE, ROLE
from policies.views.references import BUCKETS, References
from policies.views.security_group import RULES

_OF_GROUPS = ("securityGroupId", "referencedSecurityGroupId", "sourceSecurityGroupId")

_NAMING: Mapping[str, tuple[tuple[str, ...], frozenset[str]]] = {
    **dict.fromkeys(RULES, (_OF_GROUPS, frozenset({SECURITY_GROUP}))),
    **dict.fromkeys(OF_ANY_BUCKET - {HYPERPOD}, (("bucket",), BUCKETS)),
    **{kind: ((name,), frozenset({ROLE})) for kind, name in BY_ROLE.items()},
    NODE_GROUP: (("nodeRoleArn",), frozenset({ROLE})),
    MEMBER: (("groupArn",), frozenset({RESOURCE_GROUP})),
    SCHEDULE: (("autoscalingGroupName",), frozenset({AUTO_SCALING_GROUP})),
    DATA_ASSOCIATION: (("fileSystemId",), frozenset({LUSTRE})),
}
"""Type -> the properties that name whose it is, and the types of those. A resource of another type may be anybody's:
a policy, for one, is whose its attachments say."""


class Beside:
    """The resources of some types in a program, by whose they are."""

    def __init__(self, listed: Iterable[Registration], references: References, whose: Iterable[str]) -> None:
        """Sorts them.

        Args:
            listed: the resources of these types, in the order in which views are to see them.
            references: of the program.
            whose: the types of the things that they may say more of.
        """
        self._listed = list(listed)
        self._anybodys: list[int] = []
        self._of: dict[Ref, list[int]] = {}
        for index, each in enumerate(self._listed):
            owners = _owners(each, references, frozenset(whose))
            if owners is None:
                self._anybodys.append(index)
            for owner in owners or ():
                self._of.setdefault(owner, []).append(index)

    def of(self, own: Ref) -> list[Registration]:
        """Those that are a resource's, and those that may be."""
        return [self._listed[index] for index in sorted([*self._anybodys, *self._of.get(own, ())])]


def _owners(resource: Registration, references: References, whose: frozenset[str]) -> set[Ref] | None:
    """Whatever it may be about; None where that may be anything, or what it names is not what is asked about: an object
    of a bucket may be a stack's template."""
    names, types = _NAMING.get(resource.type, ((), frozenset()))
    if not whose or not whose <= types:
        return None
    found: set[Ref] = set()
    for name in names:
        candidates = references.behind(resource, (name,), {*types, CLUSTER})
        value = resource.inputs.get(name)
        if not _is_read(value, candidates, types):
            return None
        named = value if isinstance(value, list) else [value]
        refs = (references.of(each, (kind,)) for each in named if isinstance(each, str) for kind in (*types, CLUSTER))
        found |= candidates | {ref for ref in refs if isinstance(ref, Ref)}
    return found


def _is_read(value: Any, candidates: frozenset[Ref], types: frozenset[str]) -> bool:
    """Whether it is certain what a value names: it is known, or one thing of the types stands behind it. EKS makes a
    security group of its own for a cluster, which some views take for a group and others do not."""
    if value is UNKNOWN:
        return len(candidates) == 1 and all(each.type in types for each in candidates)
    named = value if isinstance(value, list) else [value]
    return all(each is None or isinstance(each, str) for each in named)
