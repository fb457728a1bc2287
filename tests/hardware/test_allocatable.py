"""What is left for pods, against the formulas' laws and numbers that others published."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.blueprint.node import EFA_RESOURCE, HUGE_PAGES_RESOURCE, Node
from muster.hardware.allocatable import (
    allocatable,
    hyperpod_allocatable,
    hyperpod_max_pods,
    kube_reserved_cpu_millicores,
    kube_reserved_memory_mib,
    managed_group_pod_cap,
    max_pods,
)
from muster.hardware.catalogue import Hardware, hardware
from muster.hardware.huge_pages import default_for
from muster.hardware.interfaces import Layout, slots
from muster.size import Size
from tests.hardware_types import WITH_PODS, every

PAGES = [Size(mib) for mib in (0, 2, 10256, 16000)]


def test_p5_as_karpenter_publishes_it() -> None:
    """Karpenter's instance type page for p5.48xlarge, which knows no huge pages."""
    machine = hardware("p5.48xlarge")
    offered = allocatable(machine, slots(machine, Layout.CLASSIC), Size(0))
    assert offered.cpu_millicores == 191_450
    assert offered.memory_mib == 1_938_410
    assert offered.pods == 100


@pytest.mark.parametrize(("pods", "memory"), [(58, 893), (100, 1355), (198, 2433), (234, 2829), (737, 8362)])
def test_memory_as_nodeadm_reserves_it(pods: int, memory: int) -> None:
    assert kube_reserved_memory_mib(pods) == memory


@pytest.mark.parametrize(
    ("instance", "classic", "aws"),
    [
        ("p5.48xlarge", 100, 51),
        ("p5en.48xlarge", 198, 149),
        ("p6-b200.48xlarge", 198, 149),
        ("p6-b300.48xlarge", 198, 198),
        ("trn1.32xlarge", 247, 198),
        ("trn2.3xlarge", 30, 16),
        ("trn2.48xlarge", 100, 51),
        ("hpc7a.96xlarge", 100, 51),
        ("p4d.24xlarge", 250, 250),
        ("g5.8xlarge", 234, 205),
        ("c5.2xlarge", 58, 58),
    ],
)
def test_pods_by_layout(instance: str, classic: int, aws: int) -> None:
    """An efa-only interface on card 0 holds no addresses; managed groups cap the rest."""
    machine = hardware(instance)
    assert max_pods(machine, slots(machine, Layout.CLASSIC)) == classic
    assert max_pods(machine, slots(machine, Layout.AWS)) == aws


@given(st.integers(1, 448))
def test_cpu_reserved_grows_with_cpus_and_never_beyond_a_tenth(vcpus: int) -> None:
    reserved = kube_reserved_cpu_millicores(vcpus)
    assert reserved <= kube_reserved_cpu_millicores(vcpus + 1)
    assert 0 < reserved <= vcpus * 100


@every(WITH_PODS, Layout, PAGES)
def test_huge_pages_are_taken_from_memory_and_from_nothing_else(machine: Hardware, layout: Layout, pages: Size) -> None:
    laid_out = slots(machine, layout)
    without, with_ = allocatable(machine, laid_out, Size(0)), allocatable(machine, laid_out, pages)
    assert without.memory_mib - with_.memory_mib == pages.mib == with_.huge_pages_mib
    assert (without.cpu_millicores, without.pods) == (with_.cpu_millicores, with_.pods)


@every(WITH_PODS, Layout)
def test_something_is_left_on_every_type(machine: Hardware, layout: Layout) -> None:
    node = Node.of(machine, slots(machine, layout), default_for(machine.max_efa))
    assert 0 < node.allocatable.memory_mib < machine.memory_mib
    assert 0 < node.allocatable.cpu_millicores < machine.vcpus * 1000
    assert 0 < node.allocatable.pods <= managed_group_pod_cap(machine.vcpus)


@every(WITH_PODS)
def test_the_aws_layout_never_holds_more_pods_than_the_classic_one(machine: Hardware) -> None:
    assert max_pods(machine, slots(machine, Layout.AWS)) <= max_pods(machine, slots(machine, Layout.CLASSIC))


def test_small_types_are_capped_at_110() -> None:
    assert (managed_group_pod_cap(29), managed_group_pod_cap(30)) == (110, 250)


@every(WITH_PODS, Layout, PAGES)
def test_a_node_offers_its_devices_and_nothing_it_has_none_of(machine: Hardware, layout: Layout, pages: Size) -> None:
    offers = Node.of(machine, slots(machine, layout), pages).offers
    assert 0 not in offers.values()
    assert offers.get(machine.resource_name or "", 0) == machine.accelerators
    assert offers.get(EFA_RESOURCE, 0) == (0 if layout is Layout.PLAIN else machine.max_efa)
    assert offers.get(HUGE_PAGES_RESOURCE, "0Mi") == pages.kubernetes


def test_what_no_source_states_is_not_known() -> None:
    machine = hardware("p6e-gb200.36xlarge")
    left = allocatable(machine, slots(machine, Layout.AWS), Size(0))
    assert (left.pods, left.memory_mib) == (None, None)
    assert left.cpu_millicores


@pytest.mark.parametrize(
    ("instance", "pods"),
    [
        ("m5.2xlarge", 14),
        ("c5.2xlarge", 14),
        ("g5.8xlarge", 29),
        ("p5.48xlarge", 49),
        ("p4d.24xlarge", 49),
        ("trn1.32xlarge", 49),
    ],
)
def test_pods_of_a_hyperpod_node(instance: str, pods: int) -> None:
    """14 where interfaces hold 15 (ml.g5.xlarge: awslabs/ai-on-sagemaker-hyperpod#142), 49 where they hold 50
    (aws/amazon-vpc-cni-k8s#3753)."""
    assert hyperpod_max_pods(hardware(instance)) == pods


@pytest.mark.parametrize(
    ("instance", "threads", "vcpus", "cpu"),
    [
        ("p5.48xlarge", 1, 96, 95_690),
        ("p5.48xlarge", 2, 192, 191_450),
        ("trn1.32xlarge", 1, 64, 63_770),
        ("m5.2xlarge", 1, 4, 3_920),
        ("hpc7a.96xlarge", 1, 192, 191_450),
        ("hpc7a.96xlarge", 2, 192, 191_450),
    ],
)
def test_cpu_of_a_hyperpod_node_by_its_threads(instance: str, threads: int, vcpus: int, cpu: int) -> None:
    """With one thread a core p5.48xlarge has 96 vCPUs, and leaves what other types of 96 do; a type that has one thread
    a core has no other number."""
    machine = hardware(instance).with_threads(threads)
    assert machine.vcpus == vcpus
    assert hyperpod_allocatable(machine, Size(0)).cpu_millicores == cpu


@every(WITH_PODS, Layout, PAGES, [1, 2])
def test_a_hyperpod_node_holds_what_an_eks_node_does_but_for_pods_and_threads(
    machine: Hardware, layout: Layout, pages: Size, threads: int
) -> None:
    """Memory, huge pages and devices are the hardware's; one interface is for pods, whatever the layout."""
    laid_out = slots(machine, layout)
    ours, eks = (
        Node.of(machine.with_threads(threads), laid_out, pages, hyperpod=True),
        Node.of(machine, laid_out, pages),
    )
    assert ours.offers == eks.offers
    assert ours.allocatable.memory_mib == eks.allocatable.memory_mib
    assert ours.allocatable.pods == machine.need("ipv4_per_eni") - 1
    assert ours.allocatable.cpu_millicores <= eks.allocatable.cpu_millicores
