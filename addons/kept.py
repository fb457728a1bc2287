"""What becomes of an add-on that is taken out of the description, or whose stack is destroyed. Pure.

Uninstalling some deletes CRDs, and Kubernetes then deletes every object of their kinds: jobs that run, queues with all
that waits in them. Such an add-on stays on the cluster, with its queues and its role, unless the description says
`on-destroy: delete`; Pulumi only forgets it. A cluster that is destroyed takes everything along.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from addons.catalogue import CATALOGUE
from addons.site import Site


@dataclass(frozen=True, slots=True)
class Removal:
    """What removing one add-on does."""

    name: str
    loses: str
    """What uninstalling it deletes."""
    kept: bool
    objects: tuple[str, ...] = ()
    """Objects of ours that share its fate, as in ``Queue research``."""

    def __str__(self) -> str:
        if not self.kept:
            return f"uninstalled when it is removed, which deletes {self.loses}"
        beside = f", with {', '.join(self.objects)}" if self.objects else ""
        return f"kept when it is removed{beside}: uninstalling deletes {self.loses}"


def removals(site: Site) -> tuple[Removal, ...]:
    """Of what a stack installs, everything whose removal would take more along than itself."""
    return tuple(_removals(site))


def _removals(site: Site) -> Iterator[Removal]:
    for name, options in site.own.chosen.items():
        addon = CATALOGUE[name].as_chosen(options)
        if addon.loses is not None:
            objects = tuple(f"{each['kind']} {each['metadata']['name']}" for each in addon.objects(site))
            yield Removal(name, addon.loses, addon.is_kept(options), objects)
