"""In which order add-ons are installed. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter

from addons.addon import Addon
from addons.catalogue import CATALOGUE
from addons.site import Site


@dataclass(frozen=True, slots=True)
class Turn:
    """One add-on, when its turn comes."""

    addon: Addon
    """In the form that was chosen."""
    after: Mapping[str, str]
    """What is there and comes before it -> why; EKS's own add-ons among them."""
    before_nodes: str | None = None
    """Why it stands before there are nodes; None where it waits for them."""


def order(site: Site) -> tuple[Turn, ...]:
    """The chosen add-ons, each after all that it comes after: first what stands before there are nodes, and where that
    leaves a choice, as the catalogue has them.

    Raises:
        graphlib.CycleError: the catalogue has a circle, which is a bug of ours.
    """
    chosen = [addon.as_chosen(site.chosen[name]) for name, addon in CATALOGUE.items() if site.has(name)]
    turns = {addon.name: Turn(addon, _before(addon, site), _before_nodes(addon, site)) for addon in chosen}
    turns = dict(sorted(turns.items(), key=lambda each: each[1].before_nodes is None))
    sorter = TopologicalSorter({name: [each for each in turn.after if each in turns] for name, turn in turns.items()})
    sorter.prepare()
    waiting, ordered = list(turns), []
    while sorter.is_active():
        ready = set(sorter.get_ready())
        for name in [each for each in waiting if each in ready]:
            ordered.append(turns[name])
            sorter.done(name)
    return tuple(ordered)


def _before(addon: Addon, site: Site) -> Mapping[str, str]:
    others = [name for name in CATALOGUE if addon.last and not CATALOGUE[name].last]
    said = {**dict.fromkeys(others, addon.last or ""), **addon.after, **addon.needs}
    return {name: why for name, why in said.items() if site.has(name) or name in site.eks_addons}


def _before_nodes(addon: Addon, site: Site) -> str | None:
    """Nodes of EKS's own come first: what is said of HyperPod's is nothing to them."""
    return addon.before_nodes if site.hyperpod else None
