"""Add-ons that do not work without another."""

from collections.abc import Iterator, Mapping

from addons.catalogue import CATALOGUE
from muster.fleet.named import Kind
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet
from muster.fleet.unknown import UNKNOWN
from policies.reading.catalogued import catalogued
from policies.rule import Rule, Verdict, rule


@rule(
    "addon-has-what-it-needs",
    title="What an add-on needs is installed, too",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Without it its pods do not start, or start and do nothing.",
    source="kubeflow/trainer charts/kubeflow-trainer/values.yaml, jobset.install; addons/, from the projects' own "
    "documentation",
    remedy="Choose what it needs, too.",
    facts=("addons.md#ordering",),
)
def addon_has_what_it_needs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = catalogued(addon)
    if known is None:
        return
    chosen = {each.ref.name for each in fleet.of(Addon)}
    by_eks = {each.name for each in fleet.of(EksAddon)}
    existing = next((plane for plane in fleet.of(ControlPlane) if plane.existing), None)
    for name, why in known.needs.items():
        if name in chosen or name in by_eks:
            continue
        got, remedy = f"{addon.ref.name} needs {name}: {why}", f"add `{name}: {{}}` under addons"
        if fleet.absent:
            yield rule.unjudged(addon.place, f"whether another stack installs {name}: {'; '.join(fleet.absent)}")
        elif UNKNOWN in by_eks:
            yield rule.unjudged(addon.place, f"which EKS add-ons there are: {addon.ref.name} needs {name}")
        elif name in CATALOGUE:
            yield rule.finding(addon.place, got=got, remedy=remedy)
        elif existing is None or fleet.gone(Kind.CLUSTER, existing.name):
            continue  # eks-addons-pinned says that there are none for this version
        elif (there := _of_existing(existing, fleet)) is None:
            yield rule.unjudged(addon.place, fleet.missing(f"whether {existing.name} has the EKS add-on {name}"))
        elif name not in there:
            remedy = f"have its owner install the EKS add-on {name} on {existing.name} first"
            yield rule.finding(addon.place, got=got, remedy=remedy)


def _of_existing(plane: ControlPlane, fleet: Fleet) -> Mapping[str, str] | None:
    """The EKS add-ons of a cluster that was there before; None where nobody said."""
    known = fleet.facts.clusters.get(str(plane.name)) if fleet.facts else None
    return known.eks_addons if known else None
