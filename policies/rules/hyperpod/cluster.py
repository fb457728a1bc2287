"""A HyperPod cluster on EKS: its control plane, its chart, how it provisions nodes."""

from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, Fleet, HyperPodCluster, InstanceGroup, Reference
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
    plane = if_known(lambda: control_plane_of(cluster, fleet))
    stated = fleet.cluster_facts(plane.name).hyperpod_clusters if plane and plane.existing else None
    others = [display_name(each) for each in same if each.ref != cluster.ref]
    others += (observed := [each for each in stated or () if each != cluster.name])
    if others:
        # A rename replaces the cluster: AWS lists the former one, and no fact shows whose it is.
        former = f"; if {and_list(observed)} is the former name of this cluster, suppress this rule for the rename"
        got = f"the EKS cluster of {display_name(cluster)} also has {and_list(others)}, but can have only one"
        change = "add the instance groups to the existing HyperPod cluster, or create another EKS cluster"
        yield rule.finding(cluster, "", got=got, change=change + (former if observed else ""))
    plane = control_plane_of(cluster, fleet)
    if plane and plane.existing and not fleet.gone(ResourceKind.CLUSTER, plane.name):
        fleet.need(stated, f"the HyperPod clusters on {plane.name}")


_MODE, _EXISTING_MODE = "accessConfig.authenticationMode", "control-plane.existing.authentication"


def hyperpod_authentication_mode(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plane = control_plane_of(cluster, fleet)
    if plane is None or plane.authentication in ("API", "API_AND_CONFIG_MAP"):
        return
    mode, name = plane.authentication, stored(plane, "name", None) or plane.ref.name
    if plane.existing and mode is None:
        raise NotKnown(f"the authentication mode of {name}")
    got = f"EKS cluster {name} has authentication mode {mode or 'CONFIG_MAP, the default'}, with which nodes of "
    got += f"{display_name(cluster)} cannot join it"
    if plane.existing:
        command = f"`aws eks update-cluster-config --name {name} --access-config authenticationMode=API_AND_CONFIG_MAP`"
        switch = set_to("api-and-config-map", words=f"(run {command})", in_program="API_AND_CONFIG_MAP")
        yield rule.finding(plane, _EXISTING_MODE, got=got, change=switch)
    else:
        sure = rule if mode in (None, "CONFIG_MAP") else rule.advice
        yield sure.finding(plane, _MODE, got=got, change=set_to("API"))


def hyperpod_kubernetes_version(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plane = control_plane_of(cluster, fleet)
    if plane is None:
        return
    version, (first, last) = plane.kubernetes, HYPERPOD_KUBERNETES
    if version is None:
        raise NotKnown("the Kubernetes version of the EKS cluster, which EKS chooses")
    if not hyperpod_supports(version):
        late = (version_tuple(version) or ()) > (version_tuple(last) or ())
        got = f"HyperPod supports Kubernetes {first} to {last}, but the EKS cluster has {version}"
        how = "or check that HyperPod has images for it" if late else "(a live cluster one minor version at a time)"
        yield (rule.advice if late else rule).finding(plane, "kubernetes", got=got, change=set_to(last, words=how))


def hyperpod_chart_before_cluster(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if stored(cluster, "orchestrator") is None:
        return  # Slurm has no charts
    every = [each for each in ordered_addons(fleet) if if_known(lambda: name_of(each)) in HYPERPOD_CHARTS]
    # A stack of add-ons is deployed after the cluster's, with HyperPod's cluster.
    apart = {each.apart for each in every if isinstance(each, Addon)} - {None}
    charts = [each for each in every if not (isinstance(each, Addon) and each.apart)]
    if not charts:
        yield from _without_chart(cluster, apart, fleet, rule)
    elif all(each.ref.type != KUBERNETES_ADDON and each.ref not in cluster.after for each in charts):
        chart = charts[0].ref.name
        got = f"{display_name(cluster)} does not depend on HyperPod's chart ({chart})"
        yield rule.finding(cluster, "", got=got, change=f"make the cluster depend on {chart}")


def _without_chart(cluster: HyperPodCluster, apart: set[str | None], fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for addon in ordered_addons(fleet):
        name_of(addon)  # one that is not known may be the chart
    plane = control_plane_of(cluster, fleet)
    if plane and plane.existing:
        there = fleet.cluster_facts(plane.name).hyperpod_chart
        gone = fleet.gone(ResourceKind.CLUSTER, plane.name)
        if gone or fleet.need(there, "whether HyperPod's chart is on the EKS cluster"):
            return
    later = f", only after it by stack {and_list(apart)}" if apart else ""
    got = f"HyperPod's chart is not installed before {display_name(cluster)}{later}"
    chart = "helm_chart/HyperPodHelmChart of aws/sagemaker-hyperpod-cli"
    yield rule.finding(cluster, "", got=got, change=f"add the chart ({chart}; in a description addons.hyperpod)")


_CONTINUOUS = set_to("continuous", at="/hyperpod.provisioning", in_program="Continuous")


def hyperpod_autoscaling_complete(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.autoscaler is None:
        return
    there = {
        "provisioning": cluster.provisioning == "Continuous",
        "cluster-role": cluster.has_cluster_role,
        "node-recovery": cluster.node_recovery == "Automatic",
    }
    missing = and_list(rule.key(cluster, field) for field, is_set in there.items() if not is_set)
    if not all(there.values()):
        got = f"{display_name(cluster)} uses Karpenter, which also needs {missing}"
        yield rule.finding(cluster, "autoscaling", got=got, change=(f"set {missing}", remove()))


def hyperpod_minimum_needs_continuous(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or stored(group, "minimum") is None or cluster.provisioning == "Continuous":
        return
    if (group.minimum or 0) < group.nodes_start:
        got = f"{display_name(group)} sets a minimum of {group.minimum} of {group.nodes_start} instances, which "
        got += "HyperPod ignores without continuous provisioning"
        yield rule.finding(group, "nodes.minimum", got=got, change=(_CONTINUOUS, remove()))


def hyperpod_spot_needs_continuous(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or not stored(group, "spot", False) or cluster.provisioning == "Continuous":
        return  # spot-not-for-training reports an unknown `spot`
    got = f"{display_name(group)} uses spot instances, but {display_name(cluster)} has no continuous provisioning"
    yield rule.finding(group, "capacity.spot", got=got, change=(_CONTINUOUS, "use on-demand instances"))


def hyperpod_karpenter_has_a_group(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if stored(cluster, "autoscaler", None) is None or not cluster.groups_known:
        return  # hyperpod-autoscaling-complete reports an unknown autoscaler
    groups = groups_of(cluster, fleet)
    if groups and not any(map(_scales, groups)):
        got = f"Karpenter can scale no group of {display_name(cluster)}: each has a training plan, deep health checks "
        got += "or ARM instances"
        yield rule.finding(cluster, "autoscaling", got=got, change=("add a group that has none of these", remove()))


def _scales(group: InstanceGroup) -> bool:
    if group.training_plan is not None or group.deep_checks:
        return False
    return {each.architecture for each in machines(group)} != {"arm64"}
