"""Which other resources of a program may configure a resource, so that its view must read them with it."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import Ref
from muster.fleet.resources.ref import CLUSTER, NODE_POOL
from muster.policies.views.iam import role_names
from muster.policies.views.karpenter import classes_of
from muster.policies.views.references import References
from muster.unknown import UNKNOWN


class RelatedResources:
    """The resources of some types in a program, by their owners."""

    def __init__(
        self,
        listed: Iterable[Registration],
        references: References,
        whose: Iterable[str],
        naming: Mapping[str, str],
    ) -> None:
        """Sorts them.

        Args:
            listed: all resources, in the order in which views receive them.
            references: the references of the program.
            whose: the types of the resources that they may configure.
            naming: their types -> the properties that name the owner, with ``|`` between; empty if it may be any.
        """
        self._listed = [each for each in listed if each.type in naming]
        self._of_any_owner: list[int] = []
        self._of: dict[Ref, list[int]] = {}
        for index, each in enumerate(self._listed):
            owners = _owners(each, references, frozenset(whose), naming[each.type])
            if owners is None:
                self._of_any_owner.append(index)
            for owner in owners or ():
                self._of.setdefault(owner, []).append(index)
        self._unowned = [self._listed[index] for index in self._of_any_owner]

    def of(self, own: Ref) -> list[Registration]:
        """The resources that configure `own`, or may configure it. Without an owner, they are one list for all, so that
        views cache what they read of it by identity."""
        if own not in self._of:
            return self._unowned
        return [self._listed[index] for index in sorted([*self._of_any_owner, *self._of[own]])]


def _owners(resource: Registration, references: References, whose: frozenset[str], names: str) -> set[Ref] | None:
    """The resources that a resource may configure. None if it may be any."""
    if resource.type == NODE_POOL:
        classes = classes_of(resource, references)
        return None if classes is None else {references.ref(each) for each in classes}
    found: set[Ref] = set()
    for name in names.split("|") if names else ():
        candidates = references.behind(resource, (name,), {*whose, CLUSTER})
        value = role_names(resource, name)
        if not _is_read(value, candidates, whose):
            return None
        named = value if isinstance(value, list) else [value]
        refs = (references.of(each, (kind,)) for each in named if isinstance(each, str) for kind in (*whose, CLUSTER))
        found |= candidates | {ref for ref in refs if isinstance(ref, Ref)}
    return found if names else None


def _is_read(value: Any, candidates: frozenset[Ref], types: frozenset[str]) -> bool:
    """Whether the resource that a value names is certain: the value is known, or has one dependency, of these types.
    The security group that EKS creates for a cluster is a group to some views and not to others."""
    if value is UNKNOWN:
        return len(candidates) == 1 and all(each.type in types for each in candidates)
    named = value if isinstance(value, list) else [value]
    return all(each is None or isinstance(each, str) for each in named)
