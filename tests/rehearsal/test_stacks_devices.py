"""Every stack by the real scheduler: nodes offer what the blueprint says, by one plugin or driver each, and none
strays."""

from collections import Counter
from typing import Any

import pytest

from muster.addons.context import AddonContext
from muster.blueprint.cluster import Blueprint
from muster.blueprint.dra import published_devices
from muster.blueprint.group import KubernetesGroup
from muster.blueprint.node import DEVICE_CLASSES
from muster.jobs.pod_requests import pod_requests
from muster.kubernetes_quantity import BUILT_IN, Quantity, base_units
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.devices import FIRST
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.kubernetes.resource_claims import SLICES
from muster.stack.project import open_stack
from tests.rehearsal.shared_plane import lent
from tests.stack_files import ON_KUBERNETES, ROOT

pytestmark = pytest.mark.rehearsal


def devices(resources: dict[str, Any]) -> dict[str, str]:
    """Devices and huge pages, of all that a node has; none of it is none."""
    return {
        name: str(amount)
        for name, amount in resources.items()
        if ("/" in name or name.startswith("hugepages-")) and str(amount) != "0"
    }


@pytest.mark.parametrize("stack", ON_KUBERNETES)
def test_nodes_offer_what_is_planned_and_plugins_are_where_it_is(plane: ControlPlane, stack: str) -> None:
    """Two nodes in each zone of each group, those that have none at first among them: the pods of DaemonSets run on the
    first, and the second has as much left."""
    blueprint = open_stack(ROOT, stack).derive()
    assert blueprint.on_kubernetes
    counts = {group.name: 2 * max(1, len(blueprint.zones(group))) for group in blueprint.groups}
    with lent(plane):
        cluster = PlannedCluster(plane, blueprint, counts=counts)
        cluster.join()
        groups = {node.name: node.group for node in cluster.nodes}
        zones = {node.name: node.zone for node in cluster.nodes}
        offered = {
            each["metadata"]["name"]: devices(each["status"]["allocatable"])
            for each in plane.client.items("/api/v1/nodes")
        }
        assert offered == {name: planned(blueprint.group(group)) for name, group in groups.items()}
        found = plane.client.items("/api/v1/nodes", labelSelector=FIRST)
        first = {each["metadata"]["name"] for each in found}
        places = {(groups[name], zones[name]) for name in groups}
        assert {(groups[name], zones[name]) for name in first} == places
        assert served(plane, cluster) == needed(blueprint, {name: groups[name] for name in first})
        left = {(groups[name], zones[name], tuple(amounts)) for name, amounts in free(plane).items()}
        assert len(left) == len(places)
        claimed = {name: blueprint.group(group).node.claims for name, group in groups.items()}
        published = published_devices(plane.client.items(SLICES))
        assert published == {name: claims for name, claims in claimed.items() if claims}


def planned(group: KubernetesGroup) -> dict[str, str]:
    """What a node of a group is to offer; a plugin may offer one device by several names (Neuron's: cores)."""
    named = {name: amount for served in group.node.devices.values() for name, amount in served.items()}
    return devices({**group.node.offers, **named})


def served(plane: ControlPlane, cluster: PlannedCluster) -> Counter[tuple[str, str]]:
    """Device and node of every plugin's pod."""
    plugins = {(each.namespace, each.daemon_set): each.serves for each in cluster.installed.plugins}
    found: Counter[tuple[str, str]] = Counter()
    for pod in plane.client.items("/api/v1/pods"):
        for owner in pod["metadata"].get("ownerReferences", ()):
            device = plugins.get((pod["metadata"]["namespace"], owner["name"]))
            if owner["kind"] == "DaemonSet" and device:
                found[device, pod["spec"].get("nodeName", "nowhere")] += 1
    return found


def free(plane: ControlPlane) -> dict[str, list[int]]:
    """CPU, memory and pods of each node that the pods of DaemonSets leave."""
    taken: dict[str, Counter[str]] = {}
    for pod in plane.client.items("/api/v1/pods"):
        if any(owner["kind"] == "DaemonSet" for owner in pod["metadata"].get("ownerReferences", ())):
            taken.setdefault(pod["spec"]["nodeName"], Counter()).update({**pod_requests(pod["spec"]), "pods": 1})
    return {
        name: [base_units(each, Quantity.parse(has[each])) - taken.get(name, Counter())[each] for each in BUILT_IN]
        for node in plane.client.items("/api/v1/nodes")
        if (name := node["metadata"]["name"]) and (has := node["status"]["allocatable"])
    }


def needed(blueprint: Blueprint, groups: dict[str, str]) -> Counter[tuple[str, str]]:
    """Device and node of what no image offers by itself, each once."""
    context = AddonContext.of_blueprint(blueprint)
    every = {
        name for nodes in context.nodes for name in nodes.offers if "/" in name and name != "aws.amazon.com/neuroncore"
    }
    having = {device: {nodes.group for nodes in context.offering(device)} for device in every}
    having |= {name: {nodes.group for nodes in context.driven(each)} for each, name in DEVICE_CLASSES.items()}
    return Counter((device, node) for device in having for node, group in groups.items() if group in having[device])
