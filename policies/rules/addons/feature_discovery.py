"""The feature discovery in NVIDIA's chart, on nodes with taints."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, ControlPlane, Fleet
from muster.hardware.catalogue import Accelerator
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.chart_contents import PartKind, subchart_values, switched_on
from muster.policies.lookups.installed_addons import catalogued, name_of, parts_of
from muster.policies.lookups.scheduling import node_kinds, untolerated_taints
from muster.unknown import UNKNOWN

_NFD = "node-feature-discovery"
_TOLERATIONS = "worker.tolerations"
_WITH_NFD = (_NFD, "gpu-operator")
"""Charts that also install NFD."""
_TOLERATED = (
    {"key": "node-role.kubernetes.io/master", "operator": "Equal", "value": "", "effect": "NoSchedule"},
    {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"},
)
"""The tolerations of NFD's worker, if the values set none."""


@rule(
    "feature-discovery-reaches-nodes",
    title="Node Feature Discovery runs on the nodes with GPUs",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=Addon,
    backends=ON_KUBERNETES,
    why="NFD's workers have their own tolerations, not the plugin's. They do not run on nodes whose taints they do not "
    "tolerate, so these nodes get no labels of NFD or GPU feature discovery. Without NFD, nothing publishes the labels "
    "of GPU feature discovery.",
    source=("https://github.com/NVIDIA/k8s-device-plugin",),
    remedy="Make nfd.worker.tolerations tolerate the nodes' taints, or turn the discovery off.",
    facts=("addons.md#surprises-2", "addons.md#surprises-13"),
)
def feature_discovery_reaches_nodes(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if addon.chart == _NFD and addon.values is not UNKNOWN:
        worker = {"tolerations": subchart_values(addon.values, "worker").get("tolerations") or []}
        yield from _kept_off(addon, fleet, rule, worker, _TOLERATIONS, "")
        return
    mine, _ = parts_of(addon)
    if catalogued(addon) is None or addon.chart != "nvidia-device-plugin":
        return
    for part in (each for each in mine if each.what is PartKind.NVIDIA_PLUGIN):
        with_gfd = switched_on(part.values, "gfd", "enabled", default=False)
        if not switched_on(part.values, "nfd", "enabled", default=with_gfd):
            if with_gfd and not _may_have_nfd(fleet):
                got = f"{addon.ref.name} sets gfd.enabled: true, but no NFD publishes the labels that GFD finds"
                remedy = "set nfd.enabled: true, with nfd.worker.tolerations for the nodes' taints, or remove gfd"
                yield rule.finding(addon.place, at="values.gfd.enabled", got=got, remedy=remedy)
            continue
        switch = "nfd.enabled" if switched_on(part.values, "nfd", "enabled", default=False) else "gfd.enabled"
        yield from _kept_off(
            addon, fleet, rule, _worker(part.values), f"nfd.{_TOLERATIONS}", ", or remove nfd and gfd", switch
        )


def _kept_off(
    addon: Addon, fleet: Fleet, rule: Rule, worker: Mapping[str, Any], key: str, otherwise: str, switch: str = ""
) -> Iterator[Verdict]:
    """The finding about a worker that does not tolerate the taints of nodes with GPUs."""
    spots = [spot for spot in node_kinds(fleet) if spot.machine.accelerator is Accelerator.GPU]
    off = {spot.name: untolerated_taints(worker, spot.taints) for spot in spots}
    kept_off = [name for name, taints in off.items() if taints]
    if kept_off:
        taints = {str(taint) for name in kept_off for taint in off[name]}
        got = f"the NFD worker of {addon.ref.name} does not tolerate {and_list(taints)} of {and_list(kept_off)}"
        remedy = f"set {key} to [{{operator: Exists}}]{otherwise}"
        yield rule.finding(addon.place, at=f"values.{switch}" if switch else "values", got=got, remedy=remedy)


def _may_have_nfd(fleet: Fleet) -> bool:
    """Whether something else may install NFD: an existing cluster, another stack, another chart."""
    if fleet.absent or any(plane.existing for plane in fleet.of(ControlPlane)):
        return True
    return any(name_of(each) in (*_WITH_NFD, UNKNOWN) for each in fleet.of(Addon))


def _worker(values: Mapping[str, Any]) -> dict[str, Any]:
    """The part of its pods' specs that determines on which tainted nodes they run."""
    given = subchart_values(values, "nfd", "worker")
    return {"tolerations": given["tolerations"] or [] if "tolerations" in given else list(_TOLERATED)}
