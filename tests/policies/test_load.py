"""What rules count of add-ons on nodes is what jobs are sized beside."""

from typing import Any

import pytest

from muster.addons.eks_daemons import Daemon
from muster.config.description.node_group import Purpose
from muster.hardware.catalogue import hardware
from muster.kubernetes_quantity import MIB
from muster.policies.engine.catalogue import rule_of
from muster.policies.engine.judgement import judge
from muster.policies.lookups.pods import efa_of
from muster.policies.lookups.scheduling import hyperpod_node_kind, node_kinds
from muster.policies.rules.addons import room_on_nodes
from muster.policies.rules.addons.room_on_nodes import daemons_on, loads
from muster.unknown import UNKNOWN
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
    monkeypatch.setattr(room_on_nodes, "DAEMONS", eks)
    (spot,) = node_kinds(a_fleet())
    assert daemons_on(spot, a_fleet()) == [("vpc-cni-node", {"pods": 2, "cpu": 50, "memory": 64 * MIB})]


def test_a_node_of_interfaces_not_yet_known_has_room_that_nobody_knows() -> None:
    """So that whoever needs it says what is missing."""
    fleet = a_fleet(
        a_template(interfaces=UNKNOWN), a_group(purpose=Purpose.SYSTEM), a_manifest("mpi-operator", "v0.8.2")
    )
    (spot,) = node_kinds(fleet)
    assert room_on_nodes.room_on(spot, fleet) is None
    found = judge(fleet, rules=[rule_of("operators-fit-nodes")])
    assert [each.missing for each in found.not_evaluated] == ["the allocatable resources of the nodes for operators"]


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
    (spot,) = node_kinds(fleet)
    room = room_on_nodes.room_on(spot, fleet)
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
    (spot,) = node_kinds(fleet)
    assert efa_of(spot, fleet) == number


def test_the_efa_interfaces_of_a_node_that_sagemaker_makes() -> None:
    """All that its type has, whether or not its group is here."""
    fleet = a_hyperpod_fleet(an_instance_group())
    (spot,) = node_kinds(fleet)
    assert [efa_of(each, fleet) for each in (spot, hyperpod_node_kind(hardware("p5.48xlarge")))] == [32, 32]


@pytest.mark.parametrize(
    ("wanted", "there", "lacking"),
    [
        ((4, 0, 0), (4, 0, 0), []),
        ((5, 0, 0), (4, 0, 0), ["5 pods (available: 4)"]),
        ((1, 0, 0), (0, 0, 0), ["1 pods (available: 0)"]),
        ((1, 0, 0), (-2, 0, 0), ["1 pods (available: 0)"]),
        ((0, 8200, 0), (0, 8200, 0), []),
        ((0, 8200, 0), (0, 7910, 0), ["8200m CPU (available: 7910m)"]),
        ((0, 100, 0), (0, -100, 0), ["100m CPU (available: 0)"]),
        ((0, 0, 65 * MIB), (0, 0, 64 * MIB), ["65Mi memory (available: 64Mi)"]),
        ((0, 0, MIB), (0, 0, -MIB), ["1Mi memory (available: 0)"]),
        (
            (2, 2, 2 * MIB),
            (1, 1, MIB),
            ["2 pods (available: 1)", "2m CPU (available: 1m)", "2Mi memory (available: 1Mi)"],
        ),
        ((0, 0, 0), (0, 0, 0), []),
    ],
)
def test_what_there_is_too_little_of(wanted: Any, there: Any, lacking: list[str]) -> None:
    """With the arithmetic: of less than nothing there is none."""
    assert (
        room_on_nodes.shortfall(*(dict(zip(("pods", "cpu", "memory"), each, strict=True)) for each in (wanted, there)))
        == lacking
    )


@pytest.mark.parametrize(
    ("start", "most", "scaled", "now"),
    [
        (2, 5, None, 2),
        (2, 5, "karpenter", 5),
        (UNKNOWN, 5, None, None),
        (2, UNKNOWN, "karpenter", None),
        (0, 5, None, 0),
    ],
)
def test_the_nodes_that_there_are(start: Any, most: Any, scaled: str | None, now: int | None) -> None:
    """Those that it starts with; where somebody moves the number, no more than the most are sure to be enough."""
    assert room_on_nodes.nodes_now(a_group(nodes_start=start, nodes_max=most, scaled_by=scaled)) == now
