"""Add-ons that do not work without another."""

from collections.abc import Iterator

from addons.catalogue import CATALOGUE
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet
from muster.versions import EKS_ADDONS
from policies.reading.catalogued import catalogued
from policies.rule import Rule, Verdict, rule


@rule(
    "addon-has-what-it-needs",
    title="What an add-on needs is installed, too",
    judges=Addon,
    why="Without it its pods do not start, or start and do nothing.",
    source="addons/, from the projects' own documentation",
    remedy="Choose what it needs, too.",
    facts=("addons.md#ordering",),
)
def addon_has_what_it_needs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    if known is None:
        return
    chosen = {each.ref.name for each in fleet.of(Addon)}
    by_eks = {str(each.name) for each in fleet.of(EksAddon)}
    existing = any(plane.existing for plane in fleet.of(ControlPlane))
    for name, why in known.needs.items():
        if name in chosen or name in by_eks:
            continue
        if fleet.absent:
            yield rule.unjudged(addon.place, f"whether another stack installs {name}: {'; '.join(fleet.absent)}")
        elif name in CATALOGUE:
            got, remedy = f"{addon.ref.name} needs {name}: {why}", f"add `{name}: {{}}` under addons"
            yield rule.finding(addon.place, got=got, remedy=remedy)
        elif existing and any(name in pinned for pinned in EKS_ADDONS.values()):
            yield rule.unjudged(addon.place, f"whether the cluster has the EKS add-on {name}: {why}")
        else:
            got = f"{addon.ref.name} needs the EKS add-on {name}: {why}"
            yield rule.finding(addon.place, got=got, remedy=f"install {name} on the cluster first")
