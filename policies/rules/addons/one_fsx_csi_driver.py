"""The FSx for Lustre CSI driver, by Helm and by EKS."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, EksAddon, Fleet
from policies.reading.part import Part, What
from policies.reading.parts import Installed, form, parts_of, rivals
from policies.rule import Rule, Verdict, rule


@rule(
    "one-fsx-csi-driver",
    title="The FSx CSI driver comes once: by its chart, by EKS, or with HyperPod's chart",
    judges=Addon | EksAddon,
    backends=("eks", "hyperpod"),
    why="All of them make the CSIDriver fsx.csi.aws.com and the same service accounts in kube-system: the second is "
    "refused (EKS: ConfigurationConflict), or takes the objects of the first and leaves it broken.",
    source="EKS user guide, fsx-csi; kubernetes-sigs/aws-fsx-csi-driver charts; HyperPodHelmChart inference-operator",
    remedy="Leave all but one out.",
    facts=("addons.md#conflicts", "pains.md#14"),
)
def one_fsx_csi_driver(addon: Installed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is What.FSX_CSI):
        for other in rivals(part, fleet):
            got = f"{part.what} comes with {part.name} ({form(part.addon)}) and {other.name} ({form(other.addon)})"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=_either(part, other))


def _either(part: Part, other: Part) -> str:
    if part.bundled or other.bundled:
        return f"{part.without}, or {other.without}"
    return f"remove {part.name}, the {form(part.addon)}, or {other.name}, the {form(other.addon)}"
