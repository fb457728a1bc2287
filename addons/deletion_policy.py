"""What becomes of an add-on that is taken out of the description, or whose stack is destroyed. Pure.

Uninstalling some deletes CRDs, and Kubernetes then deletes every object of their kinds: jobs that run, queues with all
that waits in them. Such an add-on stays on the cluster, with its role, unless the description says
`on-destroy: delete`; Pulumi only forgets it. A cluster that is destroyed takes everything along.

Its queues go, whether they leave the description alone or with it: they are made of the description and can be made
again, one that stayed would promise the cluster twice, and Pulumi's `retainOnDelete` cannot tell the two apart. One
that is in use ends no job: Kueue holds it by a finalizer until its last workload has ended, Volcano's webhook refuses
to delete one that has jobs; `pulumi up` then waits, or says so. Where the same stack destroys the cluster nobody waits
for them (`deletedWith`). Namespaces stay.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from addons.addon import Addon
from addons.catalogue import CATALOGUE
from addons.context import AddonContext

KEPT_KINDS = frozenset({"Namespace"})
"""Kinds of our objects that are never deleted: there is more in one than what Muster put there."""


@dataclass(frozen=True, slots=True)
class Removal:
    """What removing one add-on does."""

    name: str
    loses: str
    """What uninstalling it deletes."""
    kept: bool
    objects: tuple[str, ...] = ()
    """Objects of ours that are deleted, whether or not it stays, as in ``Queue research``."""

    def __str__(self) -> str:
        if not self.kept:
            return f"uninstalled when it is removed, which deletes {self.loses}"
        beside = f", but for {', '.join(self.objects)}, which the description makes" if self.objects else ""
        return f"kept when it is removed{beside}: uninstalling deletes {self.loses}"


def removals(site: AddonContext) -> tuple[Removal, ...]:
    """Of what a stack installs, everything whose removal would take more along than itself."""
    return tuple(_removals(site))


def _removals(site: AddonContext) -> Iterator[Removal]:
    for name, options in site.own.chosen.items():
        addon = CATALOGUE[name].as_chosen(options)
        if addon.loses is not None:
            yield Removal(name, addon.loses, addon.is_kept(options), tuple(_deleted(addon, site)))


def _deleted(addon: Addon, site: AddonContext) -> Iterator[str]:
    for each in addon.objects(site):
        if each["kind"] not in KEPT_KINDS:
            yield f"{each['kind']} {each['metadata']['name']}"
