"""What DRA drivers publish on a running cluster, beside what its description plans."""

import pytest

from tests.factories import DROP
from tests.verify.clusters import Cluster, a_cluster, a_worker

DRIVERS = {
    "addons": {"nvidia-dra-driver": {}, "efa-dra-driver": {}, "mpi-operator": {}},
}


@pytest.fixture
def cluster() -> Cluster:
    """Healthy, with both drivers."""
    return a_cluster(DRIVERS)


def _devices(cluster: Cluster, driver: str) -> list[object]:
    return next(each["spec"]["devices"] for each in cluster.slices if each["spec"]["driver"] == driver)


def test_nodes_that_publish_what_is_planned(cluster: Cluster) -> None:
    """No finding. What pods request is not evaluated: their claims are not read."""
    verified = cluster.verify()
    assert verified.findings == ()
    assert "efa-pod-asks-for-all" in {each.rule for each in verified.not_evaluated}


@pytest.mark.parametrize("driver", ["gpu.nvidia.com", "dra.net"])
def test_a_node_that_publishes_nothing(cluster: Cluster, driver: str) -> None:
    """With the class that pods wait for."""
    cluster.slices = [each for each in cluster.slices if each["spec"]["driver"] != driver]
    (finding,) = cluster.verify().findings
    assert finding.rule == "node-offers"


def test_a_node_that_publishes_fewer(cluster: Cluster) -> None:
    """With both numbers."""
    del _devices(cluster, "dra.net")[:2]
    (finding,) = cluster.verify().findings
    assert finding.rule == "node-offers"


def test_pods_that_claim_interfaces_are_not_blamed() -> None:
    """A worker whose interfaces are in a claim requests no EFA from a plugin."""
    mixed = {"addons.efa-device-plugin": DROP, "addons.efa-dra-driver": {}}
    cluster = a_cluster(mixed)
    cluster.add(a_worker(efa=0))
    assert cluster.rules() == []
