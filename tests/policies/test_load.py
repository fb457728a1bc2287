"""What rules count of add-ons on nodes is what jobs are sized beside."""

from typing import Any

import pytest

from addons.eks_daemons import Daemon
from muster.fleet.amounts import MIB
from muster.fleet.description.group_core import Purpose
from muster.fleet.hardware import hardware
from muster.fleet.unknown import UNKNOWN
from policies.catalogue import rule_of
from policies.judgement import judge
from policies.reading import load
from policies.reading.landing import hyperpod_spot, spots
from policies.reading.load import daemons_on, loads
from policies.reading.pods import efa_of
from tests.factories import a_fleet, a_group, a_template, an_interface, described
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
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


# EKS user guide, Choosing an EC2 instance type: 250 pods beyond 30 vCPUs; amazon-eks-ami, eni-max-pods.txt
@pytest.mark.parametrize(
    ("instance", "told", "own", "pods"),
    [
        ("c5.2xlarge", 7, False, 7),
        ("c5.2xlarge", 7, True, 7),
        ("c5.2xlarge", None, False, 58),
        ("p4d.24xlarge", None, False, 250),
        ("p4d.24xlarge", UNKNOWN, False, 250),
        ("p4d.24xlarge", None, True, 737),
        ("p5.48xlarge", None, False, 100),
    ],
)
def test_a_kubelet_takes_the_pods_it_is_told(instance: str, told: Any, own: bool, pods: int) -> None:
    """Without a word its type's number, up to EKS's limit where the image is EKS's; how many have an address, which of
    p5 with AWS's layout fewer have, is another question."""
    template = a_template(instance=instance, max_pods=told, image="ami-0123456789abcdef0" if own else None)
    fleet = a_fleet(template)
    (spot,) = spots(fleet)
    room = load.room_on(spot, fleet)
    assert room is not None
    assert room["pods"] == pods


NICS = tuple(an_interface(card, 0, kind) for card, kind in enumerate(("efa", "interface", "efa-only")))


@pytest.mark.parametrize(
    ("group", "template", "number"),
    [
        (a_group(), a_template(interfaces=NICS), 2),
        (a_group(), a_template(interfaces=()), 0),
        (a_group(), a_template(interfaces=(*NICS, an_interface(3, 0, UNKNOWN))), None),
        (a_group(), a_template(interfaces=UNKNOWN), None),
        (a_group(template=None, instance_types=("p5.48xlarge",)), a_template(), 0),
        (a_group(template=UNKNOWN, instance_types=("p5.48xlarge",)), a_template(), None),
    ],
    ids=["two", "none", "one that nobody knows", "nobody knows any", "no template", "a template that nobody knows"],
)
def test_the_efa_interfaces_of_a_node(group: Any, template: Any, number: int | None) -> None:
    """Those of its template; none where it has none, and no number where nobody knows."""
    fleet = a_fleet(group, template)
    (spot,) = spots(fleet)
    assert efa_of(spot, fleet) == number


def test_the_efa_interfaces_of_a_node_that_sagemaker_makes() -> None:
    """All that its type has, whether or not its group is here."""
    fleet = a_hyperpod_fleet(an_instance_group())
    (spot,) = spots(fleet)
    assert [efa_of(each, fleet) for each in (spot, hyperpod_spot(hardware("p5.48xlarge")))] == [32, 32]
