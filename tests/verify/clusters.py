"""Clusters as an API server lists them: what the planned nodes are once every plugin runs, to be edited."""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext
from muster.addons.values import values_of, workloads_of
from muster.blueprint.cluster import Blueprint
from muster.rehearsal.kubernetes.nodes import planned_nodes
from muster.rehearsal.kubernetes.resource_claims import resource_slice
from muster.verify.expected import Expectations, expected_cluster
from muster.verify.nodes import MONITORED
from muster.verify.observed import ObservedCluster, observe
from muster.verify.verification import Verification, verify
from tests.factories import a_blueprint

Json = dict[str, Any]

IMAGES = {
    "nvidia-device-plugin": "nvcr.io/nvidia/k8s-device-plugin:v0.20.0",
    "aws-efa-k8s-device-plugin": "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/aws-efa-k8s-device-plugin:v0.5.22",
    "neuron-device-plugin": "public.ecr.aws/neuron/neuron-device-plugin:2.28.27.0",
    "hyperpod-helm-chart-nvidia-device-plugin": "nvcr.io/nvidia/k8s-device-plugin:v0.16.1",
    "neuron-device-plugin-daemonset": "public.ecr.aws/neuron/neuron-device-plugin:2.19.16.0",
}
EVERY_ADDON = {"addons": {"nvidia-device-plugin": {}, "efa-device-plugin": {}, "mpi-operator": {}}}


@dataclass
class Cluster:
    """One, healthy until it is edited."""

    blueprint: Blueprint
    expected: Expectations
    nodes: dict[str, Json]
    daemon_sets: dict[str, Json]
    pods: list[Json] = field(default_factory=list)
    deployments: list[Json] = field(default_factory=list)
    slices: list[Json] = field(default_factory=list)

    def seen(self) -> ObservedCluster:
        """As it is read."""
        found = {
            "nodes": list(self.nodes.values()),
            "pods": self.pods,
            "daemonsets": list(self.daemon_sets.values()),
            "deployments": self.deployments,
            "resourceslices": self.slices,
        }
        return observe("https://k8s", "here", self.expected, deepcopy(found))

    def verify(self) -> Verification:
        """What is said of it."""
        return verify(self.expected, self.seen())

    def rules(self) -> list[str]:
        """The findings' ids."""
        return [each.rule for each in self.verify().findings]

    def pod_of(self, daemon_set: str, node: str = "workers-0") -> Json:
        """The plugin's pod on a node."""
        return next(
            pod
            for pod in self.pods
            if pod["metadata"]["ownerReferences"][0]["name"] == daemon_set and pod["spec"]["nodeName"] == node
        )

    def add(self, thing: Json) -> None:
        """A pod beside those of the plugins."""
        self.pods.append(thing)


def a_cluster(
    edits: Json | None = None, counts: dict[str, int] | None = None, blueprint: Blueprint | None = None
) -> Cluster:
    """The default description's: one c5.2xlarge for the system, one p5.48xlarge for training, every add-on."""
    blueprint = blueprint or a_blueprint({**EVERY_ADDON, **(edits or {})})
    expected = expected_cluster(blueprint)
    nodes = {}
    for node in planned_nodes(blueprint, counts):
        made = deepcopy(node.manifest)
        for part in ("capacity", "allocatable"):
            made["status"][part] |= {
                resource: str(number)
                for name, served in node.devices.items()
                for resource, number in served.items()
                if name not in node.published
            }
        made["status"]["conditions"] += [{"type": each, "status": "True"} for each in MONITORED]
        nodes[node.name] = made
    cluster = Cluster(blueprint, expected, nodes, {})
    cluster.slices = [
        resource_slice(node.name, devices, len(devices.devices), 1)
        for node in planned_nodes(blueprint, counts)
        for devices in node.published.values()
    ]
    context = AddonContext.of_blueprint(blueprint)
    for plugin in expected.plugins:
        addon = CATALOGUE[plugin.addon]
        runs = workloads_of(addon, values_of(addon, context))
        placement = next(each.placement for each in runs if each.name == plugin.name)
        spec = {"containers": [{"name": "plugin", "image": IMAGES[plugin.name]}], **placement.pod_spec}
        cluster.daemon_sets[plugin.name] = a_daemon_set(plugin.name, spec)
        for name, node in nodes.items():
            if node["metadata"]["labels"]["muster/group"] in plugin.groups:
                cluster.add(a_plugin_pod(plugin.name, name))
    for operator in expected.operators:
        cluster.deployments.append(
            {
                "metadata": {"namespace": operator.namespace, "name": operator.name},
                "spec": {"replicas": 1},
                "status": {"readyReplicas": 1},
            }
        )
    return cluster


def a_daemon_set(name: str, spec: Json, namespace: str = "kube-system") -> Json:
    """A DaemonSet, as it is listed."""
    return {
        "metadata": {"namespace": namespace, "name": name},
        "spec": {"template": {"spec": spec}},
        "status": {"desiredNumberScheduled": 1, "numberReady": 1},
    }


def a_plugin_pod(daemon_set: str, node: str, namespace: str = "kube-system") -> Json:
    """A DaemonSet's pod that runs."""
    return {
        "metadata": {
            "namespace": namespace,
            "name": f"{daemon_set}-{node}",
            "ownerReferences": [{"kind": "DaemonSet", "name": daemon_set, "controller": True}],
        },
        "spec": {"nodeName": node, "containers": []},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }


def a_worker(name: str = "job-worker-0", node: str = "workers-0", gpus: int = 8, efa: int = 32, **spec: Any) -> Json:
    """A training job's pod, by default one that takes a whole p5.48xlarge."""
    asked = {"nvidia.com/gpu": gpus, "vpc.amazonaws.com/efa": efa, "hugepages-2Mi": "5120Mi"}
    container = {
        "name": "worker",
        "resources": {"limits": {resource: str(amount) for resource, amount in asked.items() if amount}},
        "env": [{"name": key, "value": value} for key, value in spec.pop("env", {}).items()],
    }
    return {
        "metadata": {"namespace": "jobs", "name": name, "labels": {"training.kubeflow.org/job-name": "job"}},
        "spec": {"nodeName": node, "containers": [container], **spec},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }
