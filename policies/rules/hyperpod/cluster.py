"""A HyperPod cluster on EKS: its control plane, its chart, its CNI, how it provisions nodes."""

from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, EksAddon, Fleet, HyperPodCluster, InstanceGroup, Reference
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import cluster_of, control_plane_of, display_name, groups_of, machines
from muster.policies.lookups.installed_addons import HYPERPOD_CHARTS, name_of, ordered_addons
from muster.policies.lookups.versions import hyperpod_supports, version_tuple
from muster.unknown import NotKnown, if_known, stored
from muster.versions import HYPERPOD_KUBERNETES


def hyperpod_alone_on_eks(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    on = stored(cluster, "orchestrator")
    same = fleet.having(HyperPodCluster, "orchestrator", on) if isinstance(on, Reference) else ()
    others = [display_name(each) for each in same if each.ref != cluster.ref]
    plane = if_known(lambda: control_plane_of(cluster, fleet))
    stated = fleet.cluster_facts(plane.name).hyperpod_clusters if plane and plane.existing else None
    observed = [each for each in stated or () if each != cluster.name]
    others += observed
    if others:
        # A rename replaces the cluster: AWS lists the former one, and no fact shows whose it is.
        former = f"; if {and_list(observed)} is the former name of this cluster, suppress this rule for the rename"
        renamed = former if observed else ""
        where = stored(plane, "name", None) or "its EKS cluster" if plane else "its EKS cluster"
        yield rule.finding(
            cluster,
            "",
            got=f"{where} has {and_list(others)} beside {display_name(cluster)}, but an EKS cluster can have only one "
            "HyperPod cluster",
            change="add the instance groups to the existing HyperPod cluster, or create another EKS cluster" + renamed,
        )
    plane = control_plane_of(cluster, fleet)
    if plane and plane.existing and not fleet.gone(ResourceKind.CLUSTER, plane.name):
        fleet.need(stated, f"the HyperPod clusters on {plane.name}")


_MODE, _EXISTING_MODE = "accessConfig.authenticationMode", "control-plane.existing.authentication"
_ACCEPTED, _REFUSED = ("API", "API_AND_CONFIG_MAP"), (None, "CONFIG_MAP")


def hyperpod_authentication_mode(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plane = control_plane_of(cluster, fleet)
    if plane is None:
        return
    mode, name = plane.authentication, stored(plane, "name", None) or plane.ref.name
    if plane.existing and mode is None:
        raise NotKnown(f"the authentication mode of {name}")
    if mode in _REFUSED:
        given = f"authentication mode {mode}" if mode else "no authentication mode (default: CONFIG_MAP)"
        command = f"`aws eks update-cluster-config --name {name} --access-config authenticationMode=API_AND_CONFIG_MAP`"
        switch = set_to("api-and-config-map", words=f"(run {command})", in_program="API_AND_CONFIG_MAP")
        got = f"EKS cluster {name} has {given}, so the nodes of {display_name(cluster)} cannot join it"
        if plane.existing:
            yield rule.finding(plane, _EXISTING_MODE, got=got, change=switch)
        else:
            yield rule.finding(plane, _MODE, got=got, change=set_to("API"))
    elif mode not in _ACCEPTED:
        got = f"EKS cluster {name} has authentication mode {mode}, which Muster does not know"
        change = (set_to("API"), "check that EKS and HyperPod accept this mode")
        yield rule.advice.finding(plane, _MODE, got=got, change=change)


_FIRST, _LAST = HYPERPOD_KUBERNETES
_CHECK, _STEPS = "or check that HyperPod has images for it", "(a cluster that exists: one minor version at a time)"


def hyperpod_kubernetes_version(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plane = control_plane_of(cluster, fleet)
    if plane is None:
        return
    version = plane.kubernetes
    if version is None:
        raise NotKnown("the Kubernetes version of the EKS cluster, which EKS chooses")
    if not hyperpod_supports(version):
        late = (version_tuple(version) or ()) > (version_tuple(_LAST) or ())
        got = f"HyperPod supports Kubernetes {_FIRST} to {_LAST}, but the EKS cluster has {version}"
        change = set_to(_LAST, words=_CHECK if late else _STEPS)
        yield (rule.advice if late else rule).finding(plane, "kubernetes", got=got, change=change)


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


_CONTINUOUS = set_to("continuous", at="/hyperpod.provisioning", in_program="Continuous")


def hyperpod_autoscaling_complete(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.autoscaler is None:
        return
    lacking = {
        "provisioning": "" if cluster.provisioning == "Continuous" else "continuous provisioning",
        "cluster-role": "" if cluster.has_cluster_role else "a cluster role",
        "node-recovery": "" if cluster.node_recovery == "Automatic" else "automatic node recovery",
    }
    missing = {field: what for field, what in lacking.items() if what}
    if missing:
        got = f"{display_name(cluster)} uses Karpenter autoscaling without {and_list(missing.values())}"
        needed = and_list(rule.key(cluster, field) for field in missing)
        yield rule.finding(cluster, "autoscaling", got=got, change=(f"set {needed}", remove()))


def hyperpod_minimum_needs_continuous(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or stored(group, "minimum") is None or cluster.provisioning == "Continuous":
        return
    if (group.minimum or 0) < group.nodes_start:
        yield rule.finding(
            group,
            "nodes.minimum",
            got=f"{display_name(group)} sets a minimum of {group.minimum} of {group.nodes_start} instances, which "
            "HyperPod ignores without continuous provisioning",
            change=(_CONTINUOUS, remove()),
        )


def hyperpod_spot_needs_continuous(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or not stored(group, "spot", False) or cluster.provisioning == "Continuous":
        return  # spot-not-for-training reports an unknown `spot`
    yield rule.finding(
        group,
        "capacity.spot",
        got=f"{display_name(group)} uses spot instances, but {display_name(cluster)} has no continuous provisioning",
        change=(_CONTINUOUS, "use on-demand instances"),
    )


def hyperpod_karpenter_has_a_group(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if stored(cluster, "autoscaler", None) is None or not cluster.groups_known:
        return  # hyperpod-autoscaling-complete reports an unknown autoscaler
    reasons: list[str] = []
    for group in groups_of(cluster, fleet):
        why = _unsupported(group)
        if not why:
            return
        reasons.append(f"{display_name(group)} has {why}")
    if reasons:
        got = f"Karpenter can scale no group of {display_name(cluster)}: {and_list(reasons)}"
        yield rule.finding(cluster, "autoscaling", got=got, change=("add a group that has none of these", remove()))


def _unsupported(group: InstanceGroup) -> str:
    """Why Karpenter does not scale a group; empty if it does."""
    if group.training_plan is not None:
        return "a training plan"
    if group.deep_checks:
        return "deep health checks"
    return "ARM instances" if {each.architecture for each in machines(group)} == {"arm64"} else ""
