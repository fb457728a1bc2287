"""What happens to a planned cluster: devices break, nodes are lost and replaced."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from muster.blueprint.node import EFA_RESOURCE
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from tests.factories import a_blueprint
from tests.rehearsal.clusters import GPU
from tests.rehearsal.shared_plane import lent

pytestmark = pytest.mark.rehearsal

THREE = {"workers": 3, "system": 1}


Cluster = Callable[..., PlannedCluster]


@pytest.fixture
def a_cluster(plane: ControlPlane) -> Iterator[Cluster]:
    """Makes the default cluster with some edits."""
    with lent(plane):

        def make(edits: Mapping[str, Any] | None = None, counts: Mapping[str, int] | None = None) -> PlannedCluster:
            cluster = PlannedCluster(plane, a_blueprint(edits), counts=counts)
            cluster.join()
            return cluster

        yield make


def offered(cluster: PlannedCluster, name: str, resource: str = GPU) -> tuple[int, int, int]:
    """How many devices a node has, offers and keeps in its capacity."""
    node = next(each for each in cluster.live() if each.name == name)
    capacity = cluster._client.get(f"/api/v1/nodes/{name}")["status"]["capacity"]
    return node.planned(resource), node.offered(resource), int(capacity.get(resource, 0))


def test_nodes_in_the_place_of_lost_ones_offer_their_devices_when_replace_returns(a_cluster: Cluster):
    """Each time: what the DaemonSets' status says may be of the moment before they joined."""
    cluster = a_cluster(counts=THREE)
    for lost, expected in (("workers-0", "workers-3"), ("workers-3", "workers-4"), ("workers-1", "workers-5")):
        cluster.remove_nodes([lost])
        assert [node.name for node in cluster.replace()] == [expected]
        assert offered(cluster, expected) == (8, 8, 8)
        assert offered(cluster, expected, EFA_RESOURCE) == (32, 32, 32)


def test_a_node_whose_plugin_finds_no_room_is_not_waited_for(plane: ControlPlane):
    """A DaemonSet's pod that the scheduler refuses serves nothing; that is for the job's explanation to say."""
    cluster = PlannedCluster(plane, a_blueprint())
    cluster.nodes = tuple(map(without_pods, cluster.nodes))
    with lent(plane):
        cluster.join()
        assert offered(cluster, "workers-0") == (8, 0, 0)


def without_pods(node: PlannedNode) -> PlannedNode:
    """The node, but that it takes no pod at all."""
    status = node.manifest["status"]
    none = {**status, "allocatable": {**status["allocatable"], "pods": "0"}}
    return replace(node, manifest={**node.manifest, "status": none})
