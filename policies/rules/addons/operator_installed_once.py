"""An operator twice, by whatever way."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, EksAddon, Fleet
from policies.reading.parts import Installed, by_eks, form, in_order, name_of
from policies.rule import Rule, Verdict, rule

_ONCE = frozenset(
    {
        "cert-manager",
        "gpu-operator",
        "hyperpod-helm-chart",
        "kubeflow-trainer",
        "kuberay-operator",
        "metrics-server",
        "volcano",
    }
)
"""Charts and EKS add-ons with objects of the whole cluster under fixed names: CRDs, webhooks, an APIService. What
others bring along, too, has a rule of its own (one-kueue, one-jobset, one-fsx-csi-driver). Of a device plugin several
releases may be on different nodes: one-plugin-per-device judges those."""


@rule(
    "operator-installed-once",
    title="An operator is installed once, by its chart or by EKS",
    judges=Addon | EksAddon,
    backends=("eks", "hyperpod"),
    why="The second release meets the CRDs, webhooks and cluster roles of the first: Helm refuses it, or two operators "
    "work on the same objects. EKS refuses what a release owns, too.",
    source="the charts' templates; Helm, ownership of resources (meta.helm.sh/release-name)",
    remedy="Keep one release, with the values of both.",
    facts=("addons.md#conflicts",),
)
def operator_installed_once(addon: Installed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = name_of(addon)
    if name not in _ONCE:
        return
    for other in in_order(fleet):
        if other.ref == addon.ref:
            return
        if name_of(other) != name or (by_eks(addon) and by_eks(other)):
            continue
        if form(addon) == form(other):
            got = f"{addon.ref.name} and {other.ref.name} are both the {form(addon)}"
            remedy = f"remove {addon.ref.name}, and write its values under {other.ref.name}"
        else:
            got = f"{addon.ref.name} ({form(addon)}) and {other.ref.name} ({form(other)}) are both {name}"
            remedy = f"remove {addon.ref.name}, the {form(addon)}, or {other.ref.name}, the {form(other)}"
        yield rule.finding(addon.place, got=got, remedy=remedy)
        return
