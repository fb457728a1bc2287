"""What rules count of add-ons on nodes is what jobs are sized beside."""

from muster.fleet.amounts import MIB
from policies.reading.load import loads
from tests.factories import described


def test_every_container_counts() -> None:
    """The FSx CSI driver's pods have two more containers each than the one that its values speak of first."""
    fleet = described({"addons.fsx-csi-driver": {}})
    found = {each.workload.name: each.each for each in loads(fleet) if each.name.startswith("fsx-csi-driver's")}
    assert found == {
        "fsx-csi-node": {"pods": 1, "cpu": 30, "memory": 104 * MIB},
        "fsx-csi-controller": {"pods": 1, "cpu": 40, "memory": 136 * MIB},
    }
