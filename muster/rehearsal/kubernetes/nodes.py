"""The planned nodes as Kubernetes objects, on EKS and HyperPod, before any device plugin runs."""

import hashlib
import ipaddress
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

from muster import backends
from muster.blueprint.cluster import Blueprint
from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.group import KubernetesGroup
from muster.blueprint.labels import HOST_NAME, ZONE, kubernetes_architecture, machine_labels
from muster.blueprint.node import DEVICE_CLASSES, EFA_RESOURCE, HUGE_PAGES_RESOURCE, Node
from muster.hardware.allocatable import certain, memory_capacity_mib
from muster.hardware.ami import Family, plugin_in_image
from muster.hardware.catalogue import Accelerator, Hardware
from muster.hardware.dra_devices import PublishedDevices, published_efa, published_gpus
from muster.kubernetes_quantity import Quantity, base_units
from muster.rehearsal.kubernetes.client import Client, JsonObject
from muster.rehearsal.kubernetes.ultraserver_nodes import ultraserver_labels
from muster.whole_number import version_numbers

_SYSTEMS = {Family.AL2023: "Amazon Linux 2023", Family.BOTTLEROCKET: "Bottlerocket OS"}
_ADDRESSES = ipaddress.IPv4Address("10.0.0.1")

_PLUGIN_LABEL_SINCE = (1, 35)
"""nodeadm labels GPU nodes with `nvidia.com/gpu.present` from this kubelet on (awslabs/amazon-eks-ami,
`nodeadm/internal/kubelet/config.go`); the NVIDIA plugin's chart selects nodes by that label."""

NETWORK_NODE = "topology.k8s.aws/network-node-layer-"
"""The start of the labels with a node's place in EC2's network."""

_DISK_RESERVED_GIB = 1
_DISK_KEPT_FREE_PERCENT = 10
"""nodeadm's kubeReserved and the kubelet's eviction threshold, `nodefs.available`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendNodes:
    """The parts of nodes that depend on the service that runs them. Each function accepts groups of that backend."""

    identity: Callable[[Blueprint, Any, str, int, str], tuple[str, str]]
    """A node's name and provider id, by its group, its zone, its number in the group and its instance's id."""
    labels: Callable[[Blueprint, Any], Mapping[str, str]]
    """The labels that the service sets on the nodes of a group."""
    disk_gib: Callable[[Any], int]
    """The size in GiB of the kubelet's file system on a node of a group."""
    image_of_eks: bool
    """Whether the nodes' image is EKS's own, whose kubelet labels GPUs. No source states this for HyperPod's image."""


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """One node that will join the cluster."""

    name: str
    group: str
    zone: str
    """Empty if it is unknown."""
    manifest: JsonObject
    """The Node, with the resources that need no plugin."""
    devices: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """The resource that a plugin serves (``nvidia.com/gpu``), or the DeviceClass of a DRA driver -> the devices that
    the node offers once the plugin or the driver runs."""
    index: int = 0
    """Its number in its group."""
    number: int = 0
    """Its number in the cluster."""
    built_in: Mapping[str, int] = field(default_factory=dict)
    """Devices that it offers as it joins: their plugin is built into its image."""
    published: Mapping[str, PublishedDevices] = field(default_factory=dict)
    """DeviceClass -> the devices that its DRA driver publishes."""


def planned_nodes(blueprint: Blueprint, counts: Mapping[str, int] | None = None) -> tuple[PlannedNode, ...]:
    """Every node of a cluster.

    Args:
        blueprint: the cluster.
        counts: group -> its number of nodes, if it is not the number that the group starts with. (A group that waits
            for its Capacity Block starts with 0 nodes, and is planned with its later number.)
    """
    numbers = count()
    return tuple(node for group in blueprint.groups for node in _of_group(blueprint, group, counts or {}, numbers))


def additional_node(blueprint: Blueprint, nodes: Iterable[PlannedNode], group: str, zone: str) -> PlannedNode:
    """One more node of a group.

    Args:
        blueprint: the cluster.
        nodes: the existing and former nodes; the new node gets the next number.
        group: the group's name.
        zone: its zone.
    """
    every = tuple(nodes)
    index = 1 + max((node.index for node in every if node.group == group), default=-1)
    return _node(blueprint, blueprint.group(group), zone, index, 1 + max((node.number for node in every), default=-1))


def _of_group(
    blueprint: Blueprint, group: KubernetesGroup, counts: Mapping[str, int], numbers: Iterator[int]
) -> Iterator[PlannedNode]:
    how_many = counts.get(group.name, group.described.nodes.start)
    zones = blueprint.zones(group) or ("",)
    for index in range(how_many):
        # In order of the zones, as EC2 Auto Scaling balances them.
        yield _node(blueprint, group, zones[index % len(zones)], index, next(numbers))


def _node(blueprint: Blueprint, group: KubernetesGroup, zone: str, index: int, number: int) -> PlannedNode:
    own_digest = digest(blueprint.stack, f"{group.name}-{index}")
    own = _of_backend(blueprint)
    name, provider_id = own.identity(blueprint, group, zone, index, f"i-{own_digest[:17]}")
    machine, node, family = group.node.hardware, group.node, group.described.family
    kubernetes = blueprint.described.kubernetes
    devices: dict[str, dict[str, int]] = dict(node.devices)
    at_once = {
        resource: number
        for served in plugin_in_image(family, frozenset(devices), of_auto_mode=group.described.by_auto_mode)
        for resource, number in devices.pop(served).items()
    }
    disk = own.disk_gib(group)
    offered = certain(machine, node.allocatable)
    shared = {
        "pods": str(offered.pods),
        HUGE_PAGES_RESOURCE: node.huge_pages.kubernetes,
        "hugepages-1Gi": "0",
        **{resource: str(amount) for resource, amount in at_once.items()},
    }
    manifest: JsonObject = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": _labels(blueprint, group, name, zone, index)},
        "spec": {
            "providerID": provider_id,
            "taints": [taint.manifest for taint in sorted(group.taints)],
        },
        "status": {
            "capacity": {
                "cpu": str(machine.vcpus),
                "memory": f"{memory_capacity_mib(machine)}Mi",
                "ephemeral-storage": f"{disk}Gi",
                **shared,
            },
            "allocatable": {
                **node.allocatable_resources,
                "memory": f"{offered.memory_mib}Mi",
                "ephemeral-storage": f"{disk * (100 - _DISK_KEPT_FREE_PERCENT) // 100 - _DISK_RESERVED_GIB}Gi",
                **shared,
            },
            "conditions": [_ready()],
            "addresses": [
                {"type": "InternalIP", "address": str(_ADDRESSES + number)},
                {"type": "Hostname", "address": name},
            ],
            "nodeInfo": {
                "architecture": kubernetes_architecture(machine),
                "operatingSystem": "linux",
                "osImage": _SYSTEMS[family],
                "kubeletVersion": f"v{kubernetes}.0",
                "containerRuntimeVersion": "containerd://2",
            },
        },
    }
    published = dict(_published(node))
    driven = {each: {each: len(found.devices)} for each, found in published.items()}
    return PlannedNode(name, group.name, zone, manifest, {**devices, **driven}, index, number, at_once, published)


def _published(node: Node) -> Iterator[tuple[str, PublishedDevices]]:
    """The DeviceClasses of a node's DRA drivers, and what they publish."""
    found = {GPU: published_gpus(node.hardware), EFA_RESOURCE: published_efa(node.hardware, node.efa)}
    for resource, devices in found.items():
        name = DEVICE_CLASSES[resource]
        if devices is not None and name in node.claims:
            yield name, devices


def _labels(blueprint: Blueprint, group: KubernetesGroup, name: str, zone: str, index: int) -> dict[str, str]:
    """The labels that the kubelet, EKS or HyperPod, and the AWS cloud provider set, and those of the group's
    description."""
    machine, kubernetes = group.node.hardware, blueprint.described.kubernetes
    labels = {
        HOST_NAME: name,
        **machine_labels(machine, group.described.instance_type),
        "beta.kubernetes.io/arch": kubernetes_architecture(machine),
        "topology.kubernetes.io/region": blueprint.region,
        "k8s.io/cloud-provider-aws": "rehearsal",
        "beta.kubernetes.io/os": "linux",
        "failure-domain.beta.kubernetes.io/region": blueprint.region,
    }
    if zone:
        labels |= {ZONE: zone, "failure-domain.beta.kubernetes.io/zone": zone}
        zone_id = next(
            (each.zone_id for each in blueprint.subnets.values() if each.zone == zone and each.zone_id), None
        )
        labels |= {"topology.k8s.aws/zone-id": zone_id} if zone_id else {}
        labels |= _network_labels(blueprint, group, zone)
    own = _of_backend(blueprint)
    labels |= own.labels(blueprint, group)
    if own.image_of_eks and _labels_its_gpus(machine, group.described.family, kubernetes):
        labels["nvidia.com/gpu.present"] = "true"
    ultraserver = ultraserver_labels(blueprint, group, index, digest(blueprint.stack, "ultraservers"))
    return {**labels, **ultraserver, **group.labels}


def _network_labels(blueprint: Blueprint, group: KubernetesGroup, zone: str) -> dict[str, str]:
    """EC2's network nodes above an instance, from the outermost to its own (kubernetes/cloud-provider-aws, since 1.30;
    `pkg/providers/v1/instances_v2.go`).

    Instances of a reservation share its first ones (EC2 user guide, "How Amazon EC2 topology works"). For the others,
    Muster assumes that they, or else those of a group in a zone, are as close together as possible. HyperPod has three
    labels (SageMaker AI guide, "Using topology-aware scheduling in Amazon SageMaker HyperPod").
    """
    held = group.described.capacity.held
    place = getattr(held, "id", None) or getattr(held, "arn", None) or group.name
    layers = group.node.hardware.network_node_layers
    return {
        f"{NETWORK_NODE}{layer}": f"nn-{digest(blueprint.stack, place, zone, layer)[:17]}"
        for layer in range(1, 1 + (min(layers, 3) if blueprint.hyperpod else layers))
    }


def _of_backend(blueprint: Blueprint) -> BackendNodes:
    nodes = backends.of(blueprint).simulated_nodes
    assert nodes is not None, "every backend with Kubernetes has them"
    found: BackendNodes = nodes.load()
    return found


def digest(*of: object) -> str:
    """The same digest for the same values, in every run."""
    return hashlib.sha256("/".join(map(str, of)).encode()).hexdigest()


def _labels_its_gpus(machine: Hardware, family: Family, kubernetes: str) -> bool:
    since = version_numbers(kubernetes)[:2] >= _PLUGIN_LABEL_SINCE
    return machine.accelerator is Accelerator.GPU and family is Family.AL2023 and since


def _ready() -> dict[str, str]:
    now = _now()
    said = {"reason": "KubeletReady", "message": "kubelet is posting ready status"}
    return {"type": "Ready", "status": "True", **said, "lastHeartbeatTime": now, "lastTransitionTime": now}


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def create_nodes(client: Client, nodes: Iterable[PlannedNode]) -> None:
    """Creates nodes that are ready."""
    client.each(client.create, [node.manifest for node in nodes])


def left_over(allocatable: Mapping[str, str], taken: Mapping[str, int]) -> dict[str, str]:
    """What pods leave of each resource that they take from a node, as the kubelet writes it."""
    return {
        name: f"{base_units(name, Quantity.parse(allocatable[name])) - number}{'m' if name == 'cpu' else ''}"
        for name, number in taken.items()
        if name in allocatable
    }


def register_csi_drivers(client: Client, nodes: Iterable[PlannedNode], drivers: Iterable[str]) -> None:
    """Creates the CSINode of each node, as its kubelet does when drivers register there. Volcano's scheduler places
    pods with a driver's volume only on nodes with a CSINode; kube-scheduler ignores it while no driver has a limit."""
    listed = sorted(drivers)

    def register(node: PlannedNode) -> None:
        spec = {"drivers": [{"name": each, "nodeID": node.name, "topologyKeys": []} for each in listed]}
        found = {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": node.name}, "spec": spec}
        client.apply(found)

    client.each(register, nodes if listed else ())


def update_labels(client: Client, node: PlannedNode) -> None:
    """Sets the labels and taints of an existing node to those of this manifest."""
    metadata, spec = node.manifest["metadata"], node.manifest["spec"]
    change = {"metadata": {"labels": metadata["labels"]}, "spec": {"taints": spec["taints"]}}
    client.patch(f"/api/v1/nodes/{node.name}", change)


def delete_node(client: Client, name: str) -> None:
    """Deletes a node with its pods, as the controllers do once EC2 reports that the instance is terminated.

    It does exactly what kube-controller-manager's pod garbage collector does (`pkg/controller/podgc`, `gcOrphaned`),
    which runs every 20 s and waits 40 s more.
    """
    client.delete(f"/api/v1/nodes/{name}")
    for pod in client.items("/api/v1/pods", fieldSelector=f"spec.nodeName={name}"):
        path = f"/api/v1/namespaces/{pod['metadata']['namespace']}/pods/{pod['metadata']['name']}"
        kept = [each for each in pod["status"].get("conditions", ()) if each["type"] != "DisruptionTarget"]
        gone = {
            "type": "DisruptionTarget",
            "status": "True",
            "reason": "DeletionByPodGC",
            "message": "PodGC: node no longer exists",
            "lastTransitionTime": _now(),
        }
        client.patch(f"{path}/status", {"status": {"phase": "Failed", "conditions": [*kept, gone]}})
        client.delete(path, gracePeriodSeconds=0, preconditions={"uid": pod["metadata"]["uid"]})
