"""What rules count of add-ons on nodes is what jobs are sized beside."""

import pytest

from addons.eks_daemons import Daemon
from muster.fleet.amounts import MIB
from muster.fleet.description.group_core import Purpose
from muster.fleet.unknown import UNKNOWN
from policies.catalogue import rule_of
from policies.judgement import judge
from policies.reading import load
from policies.reading.landing import spots
from policies.reading.load import daemons_on, loads
from tests.factories import a_fleet, a_group, a_template, described
from tests.policies.addons import a_manifest


def test_every_container_counts() -> None:
    """The FSx CSI driver's pods have two more containers each than the one that its values speak of first."""
    fleet = described({"addons.fsx-csi-driver": {}})
    found = {each.workload.name: each.each for each in loads(fleet) if each.name.startswith("fsx-csi-driver's")}
    assert found == {
        "fsx-csi-node": {"pods": 1, "cpu": 30, "memory": 104 * MIB},
        "fsx-csi-controller": {"pods": 1, "cpu": 40, "memory": 136 * MIB},
    }


def test_what_every_node_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """EKS's daemons, of add-ons that are installed: with thousandths of a core, and bytes."""
    eks = [Daemon(each, f"{each}-node", cpu_millicores=50, memory_mib=64, pods=2) for each in ("vpc-cni", "kube-proxy")]
    monkeypatch.setattr(load, "DAEMONS", eks)
    (spot,) = spots(a_fleet())
    assert daemons_on(spot, a_fleet()) == [("vpc-cni-node", {"pods": 2, "cpu": 50, "memory": 64 * MIB})]


def test_a_node_of_interfaces_not_yet_known_has_room_that_nobody_knows() -> None:
    """So that whoever needs it says what is missing."""
    fleet = a_fleet(
        a_template(interfaces=UNKNOWN), a_group(purpose=Purpose.SYSTEM), a_manifest("mpi-operator", "v0.8.2")
    )
    (spot,) = spots(fleet)
    assert load.room_on(spot, fleet) is None
    found = judge(fleet, rules=[rule_of("operators-fit-nodes")])
    assert [each.missing for each in found.not_evaluated] == ["what the nodes for operators have for pods"]
