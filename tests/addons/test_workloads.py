"""What the add-ons run, and where: as their charts' templates have it (`test_real_charts.py` compares)."""

from typing import Any

import pytest

from addons.catalogue import CATALOGUE
from addons.context import GroupNodes
from addons.stand_in import stand_in
from addons.values import values_of
from addons.workload import JobKind, Workload, full_name
from muster.config.description.addons import AddonOptions
from muster.fleet.resources import Taint
from tests.addons.contexts import a_site, said_of

GPU = frozenset({Taint("nvidia.com/gpu", "true", "NoSchedule")})
NODES = (
    GroupNodes("workers", "p5.48xlarge", frozenset({"nvidia.com/gpu", "vpc.amazonaws.com/efa"}), GPU),
    GroupNodes("trainium", "trn1.32xlarge", frozenset({"aws.amazon.com/neuron", "vpc.amazonaws.com/efa"}), frozenset()),
    GroupNodes(
        "system",
        "c5.2xlarge",
        frozenset(),
        frozenset({Taint("CriticalAddonsOnly", "true", "NoSchedule")}),
        purpose="system",
    ),
)
CRITICAL = {"key": "CriticalAddonsOnly", "operator": "Exists"}
NOT_AUTO = {"key": "eks.amazonaws.com/compute-type", "operator": "NotIn", "values": ["auto"]}
NOT_EC2 = {**NOT_AUTO, "values": ["fargate", "hybrid", "auto"]}
INSTANCE = "node.kubernetes.io/instance-type"


def workloads(name: str, own: dict[str, Any] | None = None) -> dict[str, Workload]:
    """As they are on the nodes above, with a user's own values."""
    return {each.name: each for each in CATALOGUE[name].workloads(values_over(name, own))}


def values_over(name: str, own: dict[str, Any] | None = None, **said: Any) -> dict[str, Any]:
    """What it is given on the nodes above."""
    options = said_of(name, values=own or {}, **said) if takes_values(name) else said_of(name, **said)
    return values_of(CATALOGUE[name], a_site(*NODES, **{name: options}))


def takes_values(name: str) -> bool:
    """Whether it is a chart or an EKS add-on."""
    return isinstance(said_of(name), AddonOptions)


def terms(workload: Workload) -> list[list[dict[str, Any]]]:
    node = workload.placement.affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    return [term["matchExpressions"] for term in node["nodeSelectorTerms"]]


def among(key: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": "In", "values": list(values)}


def test_the_nvidia_plugin_is_where_our_values_say() -> None:
    """Beside it there is the chart's daemon for MPS, which wants a label that no node has."""
    made = workloads("nvidia-device-plugin")
    assert set(made) == {"nvidia-device-plugin", "nvidia-device-plugin-mps-control-daemon"}
    plugin, sharing = made.values()
    assert terms(plugin) == [[among(INSTANCE, "p5.48xlarge"), among("muster/group", "workers")]]
    assert plugin.placement.tolerations == [CRITICAL, {"key": "nvidia.com/gpu", "operator": "Exists"}]
    assert (plugin.placement.priority_class, plugin.placement.node_selector) == ("system-node-critical", {})
    assert (plugin.kind, plugin.namespace, plugin.resources) == ("DaemonSet", "kube-system", {})
    assert sharing.placement.node_selector == {"nvidia.com/mps.capable": "true"}
    assert (plugin.serves, sharing.serves) == ("nvidia.com/gpu", None)


def test_the_nvidia_charts_own_placement_lands_where_labels_are() -> None:
    """What a user gets who takes our values away: three labels, of which a node must have one."""
    (plugin, _) = CATALOGUE["nvidia-device-plugin"].workloads({})
    assert terms(plugin) == [
        [among("feature.node.kubernetes.io/pci-10de.present", "true")],
        [among("feature.node.kubernetes.io/cpu-model.vendor_id", "NVIDIA")],
        [among("nvidia.com/gpu.present", "true")],
    ]
    assert plugin.placement.tolerations == [
        CRITICAL,
        {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"},
    ]
    assert workloads("nvidia-device-plugin", {"affinity": None})["nvidia-device-plugin"].placement.affinity == {}


def test_the_nvidia_plugin_by_a_users_values() -> None:
    """Names, namespace, selector, requests, priority; a list replaces ours."""
    own = {
        "fullnameOverride": "gpus",
        "namespaceOverride": "gpu-system",
        "nodeSelector": {"team": "vision"},
        "tolerations": [],
        "priorityClassName": None,
        "resources": {"requests": {"cpu": "50m"}},
    }
    plugin, sharing = workloads("nvidia-device-plugin", own).values()
    assert (plugin.name, sharing.name, plugin.namespace) == ("gpus", "gpus-mps-control-daemon", "gpu-system")
    assert sharing.placement.node_selector == {"nvidia.com/mps.capable": "true", "team": "vision"}
    assert (plugin.placement.tolerations, plugin.placement.priority_class) == ([], None)
    assert plugin.resources == sharing.resources == {"requests": {"cpu": "50m"}}
    assert workloads("nvidia-device-plugin", {"devicePlugin": {"enabled": False}}) == {}
    assert workloads("nvidia-device-plugin", {"devicePlugin": None}) == {}


def test_the_efa_plugin_appends_tolerations_and_makes_its_own_affinity() -> None:
    """Of the keys given only the last keeps off Auto Mode."""
    (plugin,) = workloads("efa-device-plugin").values()
    assert plugin.placement.tolerations == [CRITICAL, {"key": "nvidia.com/gpu", "operator": "Exists"}]
    names = ("trainium", "workers")
    assert terms(plugin) == [[among("muster/group", *names), NOT_AUTO]]
    assert plugin.placement.priority_class == "system-node-critical"
    assert plugin.resources == {"requests": {"cpu": "10m", "memory": "20Mi"}}
    assert (plugin.name, plugin.serves) == ("aws-efa-k8s-device-plugin", "vpc.amazonaws.com/efa")
    own = {"supportedInstanceLabels": {"keys": ["a", "b"]}, "tolerations": None, "affinity": {"unheard": "of"}}
    (plugin,) = workloads("efa-device-plugin", own).values()
    assert terms(plugin) == [[among("a", *names)], [among("b", *names), NOT_AUTO]]
    assert plugin.placement.tolerations == [CRITICAL]
    assert set(plugin.placement.affinity) == {"nodeAffinity"}


def test_the_neuron_plugins_affinity_is_filled_with_the_types() -> None:
    """Its own and a user's."""
    (plugin,) = workloads("neuron-device-plugin").values()
    assert terms(plugin) == [[among(INSTANCE, "trn1.32xlarge"), NOT_EC2]]
    assert plugin.placement.tolerations == [CRITICAL]
    assert (plugin.name, plugin.namespace, plugin.serves) == (
        "neuron-device-plugin",
        "kube-system",
        "aws.amazon.com/neuron",
    )
    filled = {"key": "__INSTANCE_TYPE_KEY__", "operator": "NotIn", "values": "__NEURON_INSTANCES__"}
    term = {"matchExpressions": [filled]}
    own = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}
    (plugin,) = workloads("neuron-device-plugin", {"devicePlugin": {"affinity": own}}).values()
    assert terms(plugin) == [[{"key": INSTANCE, "operator": "NotIn", "values": ["trn1.32xlarge"]}]]


def test_the_neuron_charts_own_types_and_tolerations() -> None:
    """23 types, of which none is `ml.trn2`; HyperPod's taint is tolerated."""
    (plugin,) = CATALOGUE["neuron-device-plugin"].workloads({})
    ((types, _),) = terms(plugin)
    assert len(set(types["values"])) == len(types["values"]) == 23
    assert not any(each.startswith("ml.trn2") for each in types["values"])
    assert [each["key"] for each in plugin.placement.tolerations] == [
        "CriticalAddonsOnly",
        "aws.amazon.com/neuron",
        "sagemaker.amazonaws.com/node-health-status",
    ]


def test_the_mpi_operator_tolerates_what_the_system_groups_ask_and_runs_mpi_jobs() -> None:
    """And nothing else: its manifest tolerates nothing at all."""
    addon = CATALOGUE["mpi-operator"]
    (operator,) = stand_in(addon, values_over("mpi-operator"))
    pod = operator["spec"]["template"]["spec"]
    assert set(pod) == {"automountServiceAccountToken", "containers", "tolerations"}
    assert [each["key"] for each in pod["tolerations"]] == ["CriticalAddonsOnly"]
    assert (operator["kind"], operator["metadata"]["namespace"]) == ("Deployment", "mpi-operator")
    assert operator["spec"]["replicas"] == 1
    assert addon.runs == (JobKind("kubeflow.org/v2beta1", "MPIJob"),)


def test_what_a_pod_asks_for_is_of_all_its_containers() -> None:
    """A limit stands in for a request that is missing; parts are added up before they are rounded."""
    workload = Workload(
        "DaemonSet",
        "agents",
        "default",
        resources={"requests": {"cpu": "10m", "memory": "1Mi"}, "limits": {"cpu": "1", "example.org/tape": 2}},
        beside=({"limits": {"cpu": "500u"}, "requests": None}, {"requests": {"cpu": "500u"}}, {}),
    )
    assert workload.asked == {"cpu": 11, "memory": 2**20, "example.org/tape": 2}
    with pytest.raises(ValueError, match="'much' is not an amount"):
        _ = Workload("DaemonSet", "agents", "default", resources={"requests": {"cpu": "much"}}).asked


@pytest.mark.parametrize("name", CATALOGUE)
def test_what_an_addon_serves_one_of_its_daemon_sets_serves(name: str) -> None:
    """And an operator runs something instead. HyperPod's chart brings plugins of its own where there are no others."""
    addon = CATALOGUE[name]
    made = addon.workloads(values_over(name))
    served = [each.serves for each in made if each.serves]
    assert served == ([addon.serves] if addon.serves else []) or name == "hyperpod"
    assert all(each.kind == "DaemonSet" for each in made if each.serves)
    assert not (addon.runs and addon.serves)


def test_a_stand_in_is_the_placement_the_requests_and_the_name() -> None:
    """And nothing else, but that nothing in it speaks to the API server."""
    addon = CATALOGUE["efa-device-plugin"]
    values = values_over("efa-device-plugin", {"nodeSelector": {"team": "vision"}})
    (placed,) = addon.workloads(values)
    name = "aws-efa-k8s-device-plugin"
    labels = {"app.kubernetes.io/name": name}
    assert stand_in(addon, values) == (
        {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": {"name": name, "namespace": "kube-system", "labels": labels},
            "spec": {
                "selector": {"matchLabels": labels},
                "template": {
                    "metadata": {"labels": labels},
                    "spec": {
                        "priorityClassName": "system-node-critical",
                        "nodeSelector": {"team": "vision"},
                        "affinity": placed.placement.affinity,
                        "tolerations": [CRITICAL, {"key": "nvidia.com/gpu", "operator": "Exists"}],
                        "automountServiceAccountToken": False,
                        "containers": [
                            {"name": name, "image": name, "resources": {"requests": {"cpu": "10m", "memory": "20Mi"}}}
                        ],
                    },
                },
            },
        },
    )


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({}, "chart"),
        ({"nameOverride": "char"}, "chart"),
        ({"nameOverride": "other"}, "chart-other"),
        ({"fullnameOverride": "whole", "nameOverride": "other"}, "whole"),
        ({"fullnameOverride": "x" * 62 + "-y"}, "x" * 62),
    ],
)
def test_names_as_helms_scaffold_makes_them(values: dict[str, str], name: str) -> None:
    """No longer than a label may be, and with no stroke at the end."""
    assert full_name("chart", values) == name
