"""Each deviation of a cluster from its description gives exactly one finding; what is as it may be gives none."""

from typing import Any

import pytest

from muster.addons.image_names import PLUGIN_IMAGES
from muster.finding import Level
from muster.verify.checks import CHECKS
from muster.verify.expected import expected_cluster
from tests.factories import DROP, a_blueprint
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.verify.cluster_edits import (
    EFA,
    EFA_SET,
    GPU,
    NVIDIA_SET,
    Edit,
    another_nvidia_plugin,
    beside_the_plugin,
    conditioned,
    crashing,
    labelled,
    landing_nowhere,
    node,
    not_tolerating,
    offering,
    pod_spec,
    pods,
    tainted,
    unscheduled,
    without_pod,
)
from tests.verify.clusters import EVERY_ADDON, IMAGES, Cluster, Json, a_cluster, a_worker

M, A = Level.MANDATORY, Level.ADVISORY
WORKERS = "groups.workers"
SAGEMAKER = "sagemaker.amazonaws.com/"
HEALTH, DEEP = f"{SAGEMAKER}node-health-status", f"{SAGEMAKER}deep-health-check-status"
ZONE, TYPE = "topology.kubernetes.io/zone", "node.kubernetes.io/instance-type"
REPLACED, REBOOTED = "UnschedulablePendingReplacement", "UnschedulablePendingReboot"
INFINIBAND = {"volumes": [{"name": "x", "hostPath": {"path": "/dev/infiniband"}}]}
FEATURES = beside_the_plugin("nvidia-device-plugin-gpu-feature-discovery", {"command": ["gpu-feature-discovery"]})


def kubelet(version: str) -> Edit:
    return lambda cluster: node(cluster)["status"]["nodeInfo"].update(kubeletVersion=version)


def container_of(cluster: Cluster) -> Json:
    """The NVIDIA plugin's."""
    found: Json = pod_spec(cluster, NVIDIA_SET)["containers"][0]
    return found


def without_pages() -> Json:
    pod = a_worker()
    del pod["spec"]["containers"][0]["resources"]["limits"]["hugepages-2Mi"]
    return pod


DEVIATIONS: dict[str, tuple[Edit, str, Level, str]] = {
    "none joined": (lambda c: c.nodes.pop("system-0"), "nodes-joined", M, "groups.system.nodes"),
    "not ready": (conditioned("Ready", "Unknown"), "node-ready", M, WORKERS),
    "another zone": (labelled(**{ZONE: "us-west-2b"}), "node-zone", M, f"{WORKERS}.zone"),
    "another type": (labelled(**{TYPE: "p5en.48xlarge"}), "node-instance-type", M, f"{WORKERS}.instance"),
    "an older kubelet": (kubelet("v1.34.2-eks-113cf36"), "node-kubelet-version", A, WORKERS),
    "a newer kubelet": (kubelet("v1.36.0"), "node-kubelet-version", A, WORKERS),
    "a far older kubelet": (kubelet("v1.31.9"), "node-kubelet-version", M, WORKERS),
    "no label of its purpose": (labelled(**{"muster/purpose": None}), "node-labels", A, f"{WORKERS}.labels"),
    "no taint": (lambda c: node(c)["spec"].update(taints=[]), "node-taints", A, f"{WORKERS}.taints"),
    "another taint": (tainted(("team", "a", "NoSchedule")), "node-taints", A, f"{WORKERS}.taints"),
    "one interface unhealthy": (offering(EFA, "31", "32"), "node-offers", M, WORKERS),
    "fewer interfaces": (offering(EFA, "4"), "node-offers", M, WORKERS),
    "no GPU": (offering(GPU, None), "node-offers", M, WORKERS),
    "more interfaces": (offering(EFA, "34"), "node-offers", M, WORKERS),
    "Neuron devices": (offering("aws.amazon.com/neuron", "16"), "node-offers", A, WORKERS),
    "no huge pages": (offering("hugepages-2Mi", "0"), "node-offers", M, f"{WORKERS}.huge-pages"),
    "more huge pages": (offering("hugepages-2Mi", "20Gi"), "node-offers", A, f"{WORKERS}.huge-pages"),
    "less cpu": (offering("cpu", "189"), "node-offers", M, WORKERS),
    "less memory": (offering("memory", "1800Gi"), "node-offers", M, WORKERS),
    "other pods": (offering("pods", "100"), "node-offers", A, WORKERS),
    "cordoned": (lambda c: node(c)["spec"].update(unschedulable=True), "node-healthy", A, WORKERS),
    "a GPU's fault": (conditioned("AcceleratedHardwareReady", "False"), "node-healthy", M, WORKERS),
    "a full disk": (conditioned("DiskPressure", "True"), "node-healthy", M, WORKERS),
    "HyperPod replaces it": (labelled(**{HEALTH: REPLACED, DEEP: "InProgress"}), "node-healthy", M, WORKERS),
    "HyperPod checks it": (labelled(**{HEALTH: "Unschedulable", DEEP: "InProgress"}), "node-healthy", A, WORKERS),
    "a deep check failed": (labelled(**{DEEP: "Failed"}), "node-healthy", M, WORKERS),
    "no plugin": (
        lambda c: (c.daemon_sets.pop(EFA_SET), without_pod(EFA_SET, EFA)(c)),
        "plugin-ready",
        M,
        "addons.efa-device-plugin",
    ),
    "a plugin that does not tolerate the taint": (not_tolerating, "plugin-ready", M, "addons.efa-device-plugin"),
    "a plugin that lands nowhere": (landing_nowhere, "plugin-ready", M, "addons.nvidia-device-plugin"),
    "feature discovery in the place of a plugin": (
        lambda c: (without_pod(NVIDIA_SET, GPU)(c), FEATURES(c)),
        "plugin-ready",
        M,
        "addons.nvidia-device-plugin",
    ),
    "a plugin that crashes": (crashing, "plugin-ready", M, "addons.efa-device-plugin"),
    "a plugin that has no room": (unscheduled, "plugin-ready", M, "addons.efa-device-plugin"),
    "two plugins": (another_nvidia_plugin, "one-nvidia-plugin", M, WORKERS),
    "MOFED by default": (
        lambda c: container_of(c).update(image="nvcr.io/nvidia/k8s-device-plugin:v0.19.1"),
        "efa-left-to-its-plugin",
        M,
        WORKERS,
    ),
    "MOFED by its variable": (
        lambda c: container_of(c).update(env=[{"name": "MOFED_ENABLED", "value": "true"}]),
        "efa-left-to-its-plugin",
        M,
        WORKERS,
    ),
    "no operator": (lambda c: c.deployments.clear(), "operator-ready", M, "addons.mpi-operator"),
    "an operator that is not ready": (
        lambda c: c.deployments[0]["status"].update(readyReplicas=0),
        "operator-ready",
        M,
        "addons.mpi-operator",
    ),
    "a pod without interfaces, alone": (pods(a_worker(efa=0)), "efa-pod-asks-for-all", A, WORKERS),
    "a pod without huge pages": (pods(without_pages()), "efa-pod-huge-pages", A, WORKERS),
    "a host path": (pods(a_worker(**INFINIBAND)), "efa-pod-without-host-path", A, WORKERS),
    **{
        f"{name}={value}": (pods(a_worker(env={name: value})), "efa-pod-environment", M, WORKERS)
        for name, value in (
            ("FI_PROVIDER", "tcp"),
            ("FI_PROVIDER", "^efa"),
            ("NCCL_NET", "Socket"),
            ("NCCL_NET_PLUGIN", "none"),
        )
    },
}
"""The edit, and the rule, level and place of its only finding."""

ON_HYPERPOD: dict[str, tuple[Edit, str, Level, str]] = {
    **{
        str(labels): (labelled(**labels), "node-healthy", M, WORKERS)
        for labels in (
            {HEALTH: REPLACED, DEEP: "InProgress"},
            {HEALTH: REBOOTED},
            {HEALTH: "Unschedulable"},
            {DEEP: "Failed"},
        )
    },
    **{
        f"{key}={value}": (labelled(**{f"{SAGEMAKER}{key}": value}), "node-labels", M, f"{WORKERS}.labels")
        for key, value in (("compute-type", None), ("instance-group-name", "others"), ("cluster-name", "b"))
    },
}


@pytest.mark.parametrize("name", [*DEVIATIONS, *ON_HYPERPOD])
def test_each_deviation_gives_exactly_its_finding(name: str) -> None:
    hyperpod = name in ON_HYPERPOD
    edit, rule, level, where = (ON_HYPERPOD if hyperpod else DEVIATIONS)[name]
    cluster = a_cluster(blueprint=a_hyperpod_blueprint() if hyperpod else None)
    edit(cluster)
    (found,) = cluster.verify().findings
    assert (found.rule, found.level, found.where) == (rule, level, where)
    assert found.remedy == CHECKS[rule].remedy


def another_name(cluster: Cluster) -> None:
    """The GPU Operator and eksctl call the plugin otherwise: it is known by what runs in it."""
    theirs = cluster.daemon_sets.pop(NVIDIA_SET)
    theirs["metadata"]["name"] = "nvidia-device-plugin-daemonset"
    cluster.daemon_sets["theirs"] = theirs
    cluster.pod_of(NVIDIA_SET)["metadata"]["ownerReferences"][0]["name"] = "nvidia-device-plugin-daemonset"


def ended() -> Json:
    pod = a_worker("ended", efa=0)
    pod["status"]["phase"] = "Succeeded"
    return pod


SOUND: dict[str, Edit] = {
    "the plugin by another name": another_name,
    "MOFED that is switched off": lambda c: container_of(c).update(
        image="nvcr.io/nvidia/k8s-device-plugin:v0.19.1", env=[{"name": "MOFED_ENABLED", "value": "false"}]
    ),
    "a wish": tainted(("wish", "1", "PreferNoSchedule")),
    "what the Cluster Autoscaler may do": tainted(("DeletionCandidateOfClusterAutoscaler", "1", "PreferNoSchedule")),
    "what the Cluster Autoscaler is about to do": tainted(("ToBeDeletedByClusterAutoscaler", "1", "NoSchedule")),
    "pods as they should be": pods(a_worker(env={"FI_PROVIDER": "efa", "NCCL_NET": "AWS Libfabric"})),
    "a pod that has ended": pods(ended()),
    "a pod without devices": pods(a_worker(gpus=0, efa=0, **INFINIBAND)),
}


@pytest.mark.parametrize("name", SOUND)
def test_what_is_as_it_may_be_is_no_finding(name: str) -> None:
    cluster = a_cluster()
    SOUND[name](cluster)
    assert cluster.rules() == []


# Device plugins.

BESIDE = {
    "the chart's feature discovery": FEATURES,
    "under another name": beside_the_plugin("mine", {"command": ["/usr/bin/gpu-feature-discovery"]}),
    "the operator's": beside_the_plugin("gpu-feature-discovery", {}, "gpu-operator"),
    "by its arguments": beside_the_plugin("mine", {"args": ["gpu-feature-discovery", "--oneshot"]}),
    "by its container's name": beside_the_plugin("mine", {"name": "mps-control-daemon-ctr"}),
}


@pytest.mark.parametrize("beside", BESIDE)
def test_what_else_runs_from_the_plugin_s_image_is_no_plugin(beside: str) -> None:
    """Feature discovery and the MPS daemon have DaemonSets of their own: beside the plugin they are no second one, and
    on their own they offer nothing."""
    cluster = a_cluster()
    BESIDE[beside](cluster)
    assert cluster.rules() == []
    cluster.daemon_sets.pop(NVIDIA_SET)
    without_pod(NVIDIA_SET, GPU)(cluster)
    assert cluster.rules() == ["plugin-ready"]


def test_the_image_s_own_plugin_counts() -> None:
    """Bottlerocket brings NVIDIA's: another beside it is one too many; none beside it is right."""
    cluster = a_cluster({"groups.workers.image": "bottlerocket", "addons": {"efa-device-plugin": {}}})
    assert cluster.rules() == []
    another_nvidia_plugin(cluster)
    assert cluster.rules() == ["one-nvidia-plugin"]


def test_every_image_of_a_plugin_is_one_that_is_known() -> None:
    """The charts' images are those that a plugin of another name is known by."""
    assert {each.rpartition("/")[2].partition(":")[0] for each in IMAGES.values()} == set(PLUGIN_IMAGES.values())


@pytest.mark.parametrize(
    ("addon", "values", "expected"),
    [
        ("nvidia-device-plugin", {"fullnameOverride": "mine"}, [("kube-system", "mine")]),
        ("nvidia-device-plugin", {"namespaceOverride": "gpus"}, [("gpus", "nvidia-device-plugin")]),
        ("nvidia-device-plugin", {"devicePlugin": {"enabled": False}}, []),
        ("efa-device-plugin", {"nameOverride": "x"}, [("kube-system", "aws-efa-k8s-device-plugin-x")]),
    ],
)
def test_a_plugin_is_expected_where_its_values_put_it(
    addon: str, values: Json, expected: list[tuple[str, str]]
) -> None:
    """The same values that its chart is given: who renames it is not told that it is missing."""
    plugins = expected_cluster(a_blueprint({**EVERY_ADDON, f"addons.{addon}.values": values})).plugins
    assert [(each.namespace, each.name) for each in plugins if each.addon == addon] == expected


NEURON = {
    "groups.workers.instance": "trn2.48xlarge",
    "groups.workers.capacity": {"on-demand": {}},
    "addons": {"neuron-device-plugin": {}, "efa-device-plugin": {}},
}
CORES = "aws.amazon.com/neuroncore"


@pytest.mark.parametrize(
    ("offered", "asked", "rules"),
    [
        ("64", 0, []),
        ("128", 0, []),
        ("96", 0, ["node-offers"]),
        ("32", 0, ["node-offers"]),
        ("64", 63, []),
        ("64", 64, ["efa-pod-asks-for-all"]),
        ("128", 64, []),
        ("128", 128, ["efa-pod-asks-for-all"]),
    ],
)
def test_cores_of_neuron_may_be_paired_or_not(offered: str, asked: int, rules: list[str]) -> None:
    """What a node is set to is in no description: both are as planned, and nothing else. A pod that asks for all cores
    takes the node as one that asks for all devices, and is judged by its EFA."""
    cluster = a_cluster(NEURON)
    offering(CORES, offered)(cluster)
    pod = a_worker(gpus=0, efa=0)
    pod["spec"]["containers"][0]["resources"]["limits"] = {CORES: str(asked)} if asked else {}
    cluster.add(pod)
    assert cluster.rules() == rules


# What DRA drivers publish.


def test_what_nodes_publish_is_compared_with_what_is_planned() -> None:
    """Nothing, and fewer. What pods request is not evaluated: their claims are not read."""
    cluster = a_cluster({"addons": {"nvidia-dra-driver": {}, "efa-dra-driver": {}, "mpi-operator": {}}})
    verified = cluster.verify()
    assert verified.findings == ()
    assert "efa-pod-asks-for-all" in {each.rule for each in verified.not_evaluated}
    every = list(cluster.slices)
    for driver in ("gpu.nvidia.com", "dra.net"):
        cluster.slices = [each for each in every if each["spec"]["driver"] != driver]
        assert cluster.rules() == ["node-offers"]
    cluster.slices = every
    del next(each["spec"]["devices"] for each in every if each["spec"]["driver"] == "dra.net")[:2]
    assert cluster.rules() == ["node-offers"]


def test_pods_that_claim_interfaces_are_not_blamed() -> None:
    """A worker whose interfaces are in a claim requests no EFA from a plugin."""
    cluster = a_cluster({"addons.efa-device-plugin": DROP, "addons.efa-dra-driver": {}})
    cluster.add(a_worker(efa=0))
    assert cluster.rules() == []


# Pods of one job.

DEPLOYMENT = {"ownerReferences": [{"kind": "ReplicaSet", "name": "server-5d9", "controller": True}], "labels": {}}
LWS = "leaderworkerset.sigs.k8s.io"


def of_lws(group: int) -> dict[str, Any]:
    return {"labels": {f"{LWS}/name": "lws", f"{LWS}/group-index": str(group)}}


@pytest.mark.parametrize(
    ("one", "other", "level"),
    [
        (DEPLOYMENT, DEPLOYMENT, A),
        ({"labels": {}}, {"labels": {}}, A),
        (of_lws(0), of_lws(1), A),
        (of_lws(0), of_lws(0), M),
        ({"labels": {"ray.io/cluster": "ray"}}, {"labels": {"ray.io/cluster": "ray"}}, M),
        ({}, {}, M),
    ],
    ids=["a Deployment's", "pods of their own", "two groups", "one group", "one cluster", "one job"],
)
@pytest.mark.parametrize("efa", [0, 1])
def test_pods_are_one_job_where_a_label_says_so(one: Json, other: Json, level: Level, efa: int) -> None:
    """Two replicas that have a node each need no EFA: each may be whole in itself."""
    cluster = a_cluster({"groups.workers.nodes": 2}, {"workers": 2})
    for number, metadata in enumerate((one, other)):
        pod = a_worker(f"pod-{number}", f"workers-{number}", efa=efa)
        pod["metadata"] |= metadata
        cluster.add(pod)
    (found,) = cluster.verify().findings
    assert (found.rule, found.level) == ("efa-pod-asks-for-all", level)
