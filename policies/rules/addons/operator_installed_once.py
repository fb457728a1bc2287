"""Two releases of an operator's chart."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.addon import Kind
from policies.reading.parts import in_order
from policies.rule import Rule, Verdict, rule

_ONCE = frozenset(
    {
        "aws-fsx-csi-driver",
        "cert-manager",
        "gpu-operator",
        "hyperpod-helm-chart",
        "jobset",
        "kubeflow-trainer",
        "kuberay-operator",
        "kueue",
        "metrics-server",
        "volcano",
    }
)
"""Charts with objects of the whole cluster under fixed names: CRDs, webhooks, an APIService, a CSIDriver. Of a device
plugin several releases may be on different nodes: one-plugin-per-device judges those."""


@rule(
    "operator-installed-once",
    title="An operator's chart is installed once",
    judges=Addon,
    why="The second release meets the CRDs, webhooks and cluster roles of the first: Helm refuses it, or two operators "
    "work on the same objects.",
    source="the charts' templates; Helm, ownership of resources (meta.helm.sh/release-name)",
    remedy="Keep one release, with the values of both.",
    facts=("addons.md#conflicts",),
)
def operator_installed_once(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if addon.kind is not Kind.CHART or addon.chart not in _ONCE:
        return
    for other in in_order(fleet):
        if other.ref == addon.ref:
            return
        if isinstance(other, Addon) and (other.kind, other.chart) == (addon.kind, addon.chart):
            got = f"{addon.ref.name} and {other.ref.name} are both the chart {addon.chart}"
            remedy = f"remove {addon.ref.name}, and write its values under {other.ref.name}"
            yield rule.finding(addon.place, got=got, remedy=remedy)
            return
