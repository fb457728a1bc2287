"""What must be on the EKS cluster before HyperPod is created."""

from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, EksAddon, Fleet, HyperPodCluster
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import control_plane_of, display_name
from muster.policies.lookups.installed_addons import HYPERPOD_CHARTS, name_of, ordered_addons
from muster.unknown import if_known, stored


def hyperpod_chart_before_cluster(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if stored(cluster, "orchestrator") is None:
        return  # Slurm has no charts
    every = [each for each in ordered_addons(fleet) if if_known(lambda: name_of(each)) in HYPERPOD_CHARTS]
    charts = [each for each in every if not _by_another_stack(each)]
    if not charts:
        yield from _without(cluster, fleet, rule)
    elif all(_late(each, cluster) for each in charts):
        got = f"{display_name(cluster)} does not depend on HyperPod's chart ({charts[0].ref.name})"
        yield rule.finding(cluster, "", got=got, change=f"make the cluster depend on {charts[0].ref.name}")


def _late(chart: Addon | EksAddon, cluster: HyperPodCluster) -> bool:
    """Whether a foreign program may create the cluster first."""
    return chart.ref.type != KUBERNETES_ADDON and chart.ref not in cluster.after


def _by_another_stack(chart: Addon | EksAddon) -> str | None:
    """The stack of add-ons that installs it. Such a stack is deployed after the cluster's, with HyperPod's cluster."""
    return chart.apart if isinstance(chart, Addon) else None


def _without(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    later = [each for each in ordered_addons(fleet) if name_of(each) in HYPERPOD_CHARTS]
    plane = control_plane_of(cluster, fleet)
    if plane and plane.existing:
        there = fleet.cluster_facts(plane.name).hyperpod_chart
        gone = fleet.gone(ResourceKind.CLUSTER, plane.name)
        if gone or fleet.need(there, "whether HyperPod's chart is on the EKS cluster"):
            return
    if later:
        got = f"stack {_by_another_stack(later[0])} installs HyperPod's chart, but only after {display_name(cluster)}"
        yield rule.finding(cluster, "", got=got, change="move addons.hyperpod of that stack to this stack")
        return
    yield rule.finding(
        cluster,
        "",
        got=f"HyperPod's chart is not installed before {display_name(cluster)}",
        change="install helm_chart/HyperPodHelmChart of aws/sagemaker-hyperpod-cli before it (in a description: "
        "addons.hyperpod)",
    )
