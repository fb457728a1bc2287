"""What happens to an add-on that is removed from the description, or whose stack is destroyed. Pure.

Uninstalling some add-ons deletes CRDs, and Kubernetes then deletes every object of their kinds: running jobs, queues
with all workloads that wait in them. Such an add-on stays on the cluster, with its role, unless the description has
`on-destroy: delete`; Pulumi only removes it from its state. Destroying the cluster deletes everything.

Its queues are deleted, whether they are removed alone or with the add-on: they can be created again, a queue that
stayed would offer the same nodes twice, and Pulumi's `retainOnDelete` cannot tell the two cases apart. Deleting a queue
in use ends no job: Kueue's finalizer keeps it until its last workload has ended, Volcano's webhook refuses to delete
one that has jobs; `pulumi up` then waits, or fails. Where the same stack destroys the cluster Pulumi does not delete
them (`deletedWith`). Namespaces stay.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from muster.addons.addon import Addon
from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext

KEPT_KINDS = frozenset({"Namespace"})
"""Kinds of Muster's objects that are never deleted, because others also put objects into them."""


@dataclass(frozen=True, slots=True)
class Removal:
    """The effect of removing one add-on."""

    name: str
    loses: str
    """What uninstalling it deletes."""
    kept: bool
    objects: tuple[str, ...] = ()
    """Muster's objects that are deleted even where the add-on stays, as in ``Queue research``."""

    def __str__(self) -> str:
        if not self.kept:
            return f"if you remove it, Muster uninstalls it, which deletes {self.loses}"
        beside = f", except {', '.join(self.objects)}, which the description creates" if self.objects else ""
        return f"if you remove it, it stays on the cluster{beside}, because uninstalling it deletes {self.loses}"


def removals(context: AddonContext) -> tuple[Removal, ...]:
    """The add-ons of a stack whose removal deletes more than the add-on."""
    return tuple(_removals(context))


def _removals(context: AddonContext) -> Iterator[Removal]:
    for name, options in context.own.chosen.items():
        addon = CATALOGUE[name].as_chosen(options)
        if addon.loses is not None:
            yield Removal(name, addon.loses, addon.is_kept(options), tuple(_deleted(addon, context)))


def _deleted(addon: Addon, context: AddonContext) -> Iterator[str]:
    for each in addon.objects(context):
        if each["kind"] not in KEPT_KINDS:
            yield f"{each['kind']} {each['metadata']['name']}"
