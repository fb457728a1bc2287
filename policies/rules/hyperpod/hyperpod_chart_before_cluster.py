"""What must be on the EKS cluster before HyperPod comes."""

from collections.abc import Iterator

from muster.fleet.facts import ClusterFacts
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet, HyperPodCluster
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.hyperpod import control_plane_of, display_name
from policies.lookups.installed_addons import HYPERPOD_CHARTS, name_of, ordered_addons
from policies.lookups.launch_templates import is_described


@rule(
    "hyperpod-chart-before-cluster",
    title="HyperPod's chart is on the EKS cluster before the HyperPod cluster is made",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="The chart has the health monitoring agent, and what SageMaker's own hands need for deep health checks, for "
    "restarting jobs and for patching. Without it CreateCluster is refused, or the nodes are never checked. Muster's "
    "own programs install it first by themselves.",
    source="SageMaker guide, sagemaker-hyperpod-eks-install-packages-using-helm-chart",
    remedy="Install the chart, and have the cluster depend on it.",
    facts=("rules.md#49", "hardware.md#f5", "addons.md#order-2"),
)
def hyperpod_chart_before_cluster(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plane, elsewhere = control_plane_of(cluster, fleet)
    if plane is None and not elsewhere:
        return  # Slurm has no charts
    every = [each for each in ordered_addons(fleet) if name_of(each) in HYPERPOD_CHARTS]
    charts = [each for each in every if not _by_another_stack(each)]
    if not charts:
        yield from _without(cluster, plane, every, fleet, rule)
    elif all(_late(each, cluster) for each in charts):
        got = f"nothing has {display_name(cluster)} wait for HyperPod's chart ({charts[0].ref.name})"
        yield rule.finding(cluster.place, got, f"give it dependsOn: {charts[0].ref.name}")


def _late(chart: Addon | EksAddon, cluster: HyperPodCluster) -> bool:
    """Whether a program of another team may make the cluster first."""
    return chart.ref.type != KUBERNETES_ADDON and chart.ref not in cluster.after


def _by_another_stack(chart: Addon | EksAddon) -> str | None:
    """The stack of add-ons that installs it. Such a stack comes after the cluster's, HyperPod's cluster and all."""
    return chart.apart if isinstance(chart, Addon) else None


def _without(
    cluster: HyperPodCluster,
    plane: ControlPlane | None,
    later: list[Addon | EksAddon],
    fleet: Fleet,
    rule: Rule,
) -> Iterator[Verdict]:
    if any(name_of(each) is UNKNOWN for each in ordered_addons(fleet)):
        yield rule.unjudged(cluster.place, "which charts are installed, not known before creation")
        return
    if plane is None or plane.existing:
        known = fleet.facts.clusters.get(str(plane.name)) if fleet.facts and plane else None
        there = (known or ClusterFacts()).hyperpod_chart
        if there is None and not (plane and fleet.gone(ResourceKind.CLUSTER, plane.name)):
            yield rule.unjudged(cluster.place, fleet.missing("whether HyperPod's chart is on the EKS cluster"))
        if there is not False:
            return
    if later:
        got = f"HyperPod's chart comes with stack {_by_another_stack(later[0])}, after {display_name(cluster)}"
        remedy = "move `hyperpod: {repository: ...}` from that stack's addons to those of this one"
        yield rule.finding(cluster.place, got, remedy)
        return
    got = f"HyperPod's chart is not among what is installed before {display_name(cluster)}"
    theirs = "install helm_chart/HyperPodHelmChart of aws/sagemaker-hyperpod-cli, and have the cluster depend on it"
    ours = "add the chart: `hyperpod: {repository: ...}` below addons"
    yield rule.finding(cluster.place, got, ours if is_described(cluster.place) else theirs)
