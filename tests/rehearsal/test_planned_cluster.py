"""What happens to a planned cluster: nodes are lost and replaced, plugins find no room."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from muster.blueprint.node import EFA_RESOURCE
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from tests.factories import a_blueprint
from tests.rehearsal.clusters import GPU
from tests.rehearsal.shared_plane import lent

pytestmark = pytest.mark.rehearsal


@pytest.fixture
def cluster(plane: ControlPlane) -> Iterator[PlannedCluster]:
    """The default one, of three workers."""
    with lent(plane):
        yield PlannedCluster(plane, a_blueprint(), counts={"workers": 3, "system": 1})


def offered(cluster: PlannedCluster, name: str, resource: str = GPU) -> tuple[int, int]:
    """How many devices a node has and offers."""
    (node,) = (each for each in cluster.live() if each.name == name)
    return node.planned(resource), node.offered(resource)


def test_nodes_in_the_place_of_lost_ones_offer_their_devices_when_replace_returns(cluster: PlannedCluster) -> None:
    """Each time: what the DaemonSets' status says may be of the moment before they joined."""
    cluster.join()
    for lost, expected in (("workers-0", "workers-3"), ("workers-3", "workers-4"), ("workers-1", "workers-5")):
        cluster.remove_nodes([lost])
        assert [node.name for node in cluster.replace()] == [expected]
        assert offered(cluster, expected) == (8, 8)
        assert offered(cluster, expected, EFA_RESOURCE) == (32, 32)


def test_a_node_whose_plugin_finds_no_room_is_not_waited_for(cluster: PlannedCluster) -> None:
    """A DaemonSet's pod that the scheduler refuses serves nothing; that is for the job's explanation to say."""
    cluster.nodes = tuple(map(without_pods, cluster.nodes))
    cluster.join()
    assert offered(cluster, "workers-0") == (8, 0)


def without_pods(node: PlannedNode) -> PlannedNode:
    """The node, but that it takes no pod at all."""
    status = node.manifest["status"]
    none = {**status, "allocatable": {**status["allocatable"], "pods": "0"}}
    return replace(node, manifest={**node.manifest, "status": none})
