"""What DaemonSets take of the nodes of each group."""

from muster.addons.daemon_sets import DAEMONS, daemon_sets_on, deployments_on, used_of
from muster.addons.daemon_sets import OF_EKS as NAMES_OF_EKS
from muster.blueprint.cluster import Blueprint
from muster.kubernetes_quantity import MIB
from muster.versions import EKS_ADDONS
from tests.hardware_types import CLUSTER_TYPES, WITH_PODS, every
from tests.jobs.clusters import a_group, a_hyperpod_cluster, a_stored_cluster, a_system_group, with_options

OF_EKS = {each.name for each in DAEMONS}


def names(blueprint: Blueprint, group: str) -> set[str]:
    return {each.name for each in daemon_sets_on(blueprint, blueprint.group(group))} - OF_EKS


def test_hyperpods_daemons_take_of_its_nodes_and_eks_agent_does_not() -> None:
    """By the labels that HyperPod sets: its agent asks for them, and EKS's keeps off. Plugins know its types by their
    own name, and the chart's are not there twice."""
    agent = {"eks_node_monitoring_agent": {}}
    on_hyperpod, on_eks = a_hyperpod_cluster(**agent), with_options(a_stored_cluster(), **agent)
    plugins, everywhere = {"nvidia-device-plugin", "aws-efa-k8s-device-plugin"}, {"fsx-csi-node"}
    assert names(on_hyperpod, "workers") == {*plugins, *everywhere, "health-monitoring-agent"}
    assert names(on_hyperpod, "system") == everywhere
    assert names(on_eks, "workers") == {*plugins, *everywhere, "eks-node-monitoring-agent", "dcgm-server"}
    assert names(on_eks, "system") == {*everywhere, "eks-node-monitoring-agent"}


def test_deployments_may_land_where_no_taint_keeps_them_off() -> None:
    """With all their pods: on HyperPod no taint is derived. What is for one group alone lands there alone."""
    kueue = {"kueue": {"values": {"controllerManager": {"replicas": 2}}}, "kuberay_operator": {}}
    on_eks, on_hyperpod = with_options(a_stored_cluster(), **kueue), a_hyperpod_cluster(**kueue)
    expected = {
        "coredns": {"pods": 2, "cpu": 200, "memory": 140 * MIB},
        "kueue-controller-manager": {"pods": 2, "cpu": 1000, "memory": 1024 * MIB},
        "kuberay-operator": {"pods": 1, "cpu": 100, "memory": 512 * MIB},
        "training-operator": {"pods": 1},
    }
    for blueprint, group in ((on_eks, "system"), (on_hyperpod, "system"), (on_hyperpod, "workers")):
        found = {each.name: each.takes for each in deployments_on(blueprint, blueprint.group(group))}
        assert {name: found[name] for name in expected} == expected
    assert deployments_on(on_eks, on_eks.group("workers")) == ()
    (volcano,) = (
        each for each in deployments_on(on_hyperpod, on_hyperpod.group("workers")) if "scheduler" in each.name
    )
    assert volcano.name == "volcano-scheduler"


@every([each.instance for each in WITH_PODS if each.instance in CLUSTER_TYPES])
def test_eks_takes_its_part_everywhere(instance: str) -> None:
    """On every group; what rehearsals take off each node for it."""
    groups = {"system": a_system_group(taints={"team": "NoSchedule"}), "workers": a_group(instance=instance)}
    blueprint = a_stored_cluster(groups)
    for group in blueprint.groups:
        own = tuple(each for each in daemon_sets_on(blueprint, group) if each.name in OF_EKS)
        for resource in ("cpu", "memory", "pods"):
            assert used_of(own, resource) == used_of(DAEMONS, resource)


def test_every_pinned_addon_of_eks_is_accounted_for() -> None:
    """One that is pinned and not known here would take room that a rehearsal does not see."""
    assert all(set(pinned) == {*NAMES_OF_EKS} for pinned in EKS_ADDONS.values())


def test_what_they_take_from_every_node() -> None:
    """Three pods and 150m."""
    assert {each: used_of(DAEMONS, each) for each in ("cpu", "memory", "pods")} == {
        "cpu": 150,
        "memory": 0,
        "pods": 3,
    }
