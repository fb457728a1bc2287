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
from muster.rehearsal.kubernetes.control_plane import ControlPlane
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
    """A node in each zone of each group, those that have none at first among them."""
    blueprint = open_stack(ROOT, stack).derive()
    assert blueprint.on_kubernetes
    counts = {group.name: max(1, len(blueprint.zones(group))) for group in blueprint.groups}
    with lent(plane):
        cluster = PlannedCluster(plane, blueprint, counts=counts)
        cluster.join()
        groups = {node.name: node.group for node in cluster.nodes}
        offered = {
            each["metadata"]["name"]: devices(each["status"]["allocatable"])
            for each in plane.client.items("/api/v1/nodes")
        }
        assert offered == {name: planned(blueprint.group(group)) for name, group in groups.items()}
        assert served(plane, cluster) == needed(blueprint, groups)
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


def needed(blueprint: Blueprint, groups: dict[str, str]) -> Counter[tuple[str, str]]:
    """Device and node of what no image offers by itself, each once."""
    context = AddonContext.of_blueprint(blueprint)
    every = {
        name for nodes in context.nodes for name in nodes.offers if "/" in name and name != "aws.amazon.com/neuroncore"
    }
    having = {device: {nodes.group for nodes in context.offering(device)} for device in every}
    having |= {name: {nodes.group for nodes in context.driven(each)} for each, name in DEVICE_CLASSES.items()}
    return Counter((device, node) for device in having for node, group in groups.items() if group in having[device])
