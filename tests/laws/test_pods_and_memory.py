"""What of a node is left for pods: by the formulas of nodeadm and the kubelet, and by numbers that others published."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.blueprint.node import EFA_RESOURCE, Node
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
from muster.hardware.interfaces import Layout, pods_lost_to_efa_only, slots
from muster.size import Size
from tests.hardware_types import WITH_PODS, every

PAGES = [Size(mib) for mib in (0, 2, 10256, 16000)]


def test_the_memory_of_p5_is_what_karpenter_publishes() -> None:
    """Its instance type page, which knows no huge pages."""
    machine = hardware("p5.48xlarge")
    assert allocatable(machine, slots(machine, Layout.CLASSIC), Size(0)).memory_mib == 1_938_410


@pytest.mark.parametrize(("pods", "memory"), [(58, 893), (100, 1355), (198, 2433), (234, 2829), (737, 8362)])
def test_memory_as_nodeadm_reserves_it(pods: int, memory: int) -> None:
    """11 MiB a pod and 255 MiB (nodeadm)."""
    assert kube_reserved_memory_mib(pods) == memory


PUBLISHED = {
    "g4dn.8xlarge": (31850, 58, 44),
    "g4dn.12xlarge": (47810, 234, 205),
    "g4dn.metal": (95690, 250, 688),
    "g5.8xlarge": (31850, 234, 205),
    "g5.12xlarge": (47810, 250, 688),
    "g5.48xlarge": (191450, 250, 296),
    "g6.8xlarge": (31850, 234, 205),
    "g6.48xlarge": (191450, 250, 688),
    "g6e.12xlarge": (47810, 250, 263),
    "g6e.24xlarge": (95690, 250, 443),
    "g6e.48xlarge": (191450, 250, 443),
    "p3dn.24xlarge": (95690, 250, 688),
    "p4d.24xlarge": (95690, 250, 688),
    "p4de.24xlarge": (95690, 250, 688),
    "p5.48xlarge": (191450, 100, 51),
    "p5e.48xlarge": (191450, 100, 51),
    "p5en.48xlarge": (191450, 198, 149),
    "p6-b200.48xlarge": (191450, 198, 149),
    "p6-b300.48xlarge": (191450, 198, 198),
    "trn1.2xlarge": (7910, 58, None),
    "trn1.32xlarge": (127610, 247, 198),
    "trn1n.32xlarge": (127610, 247, 198),
    "trn2.3xlarge": (11900, 30, 16),
    "trn2.48xlarge": (191450, 100, 51),
    "inf2.48xlarge": (191450, 250, None),
    "c5.2xlarge": (7910, 58, None),
    "m5.8xlarge": (31850, 234, None),
    "hpc7a.96xlarge": (191450, 100, 51),
    "c5n.18xlarge": (71750, 250, 688),
}
"""Type -> allocatable CPU (millicores), pods on a managed node, pods by card 0's addresses once an efa-only interface
takes one of its interfaces (before the managed cap). Karpenter v1.14's instance-types page and `types.go`."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_is_left_is_what_is_published(name: str) -> None:
    """A slip in a row of the catalogue cannot hide in a law."""
    cpu, pods, beside_efa_only = PUBLISHED[name]
    machine = hardware(name)
    classic, aws = (slots(machine, layout) for layout in (Layout.CLASSIC, Layout.AWS))
    assert allocatable(machine, classic, Size(0)).cpu_millicores == cpu
    assert max_pods(machine, classic) == pods
    if beside_efa_only is not None:
        assert machine.need("max_pods") - pods_lost_to_efa_only(aws, machine) == beside_efa_only
        assert max_pods(machine, aws) == min(beside_efa_only, managed_group_pod_cap(machine.vcpus))


@given(st.integers(1, 448))
def test_cpu_reserved_grows_with_cpus_and_never_beyond_a_tenth(vcpus: int) -> None:
    """nodeadm: 6 % of the first core, 1 % of the second, 0.5 % of the next two, 0.25 % of the rest."""
    reserved = kube_reserved_cpu_millicores(vcpus)
    assert reserved <= kube_reserved_cpu_millicores(vcpus + 1)
    assert 0 < reserved <= vcpus * 100


@every(WITH_PODS, Layout)
def test_something_is_left_on_every_type(machine: Hardware, layout: Layout) -> None:
    """And never more than there is."""
    node = Node.of(machine, slots(machine, layout), default_for(machine.max_efa))
    assert 0 < node.allocatable.memory_mib < machine.memory_mib
    assert 0 < node.allocatable.cpu_millicores < machine.vcpus * 1000
    assert 0 < node.allocatable.pods <= managed_group_pod_cap(machine.vcpus)


@every(WITH_PODS)
def test_the_aws_layout_never_holds_more_pods_than_the_classic_one(machine: Hardware) -> None:
    """An efa-only interface on card 0 holds no addresses."""
    assert max_pods(machine, slots(machine, Layout.AWS)) <= max_pods(machine, slots(machine, Layout.CLASSIC))


def test_small_types_are_capped_at_110() -> None:
    """EKS user guide: a managed group takes 110 pods a node below 30 vCPUs, and 250 from there."""
    assert (managed_group_pod_cap(29), managed_group_pod_cap(30)) == (110, 250)


@every(WITH_PODS, Layout, PAGES)
def test_a_node_offers_its_devices_and_nothing_it_has_none_of(machine: Hardware, layout: Layout, pages: Size) -> None:
    """As device plugins do: an extended resource is a whole number above zero."""
    offers = Node.of(machine, slots(machine, layout), pages).offers
    assert 0 not in offers.values()
    assert offers.get(machine.resource_name or "", 0) == machine.accelerators
    assert offers.get(EFA_RESOURCE, 0) == (0 if layout is Layout.PLAIN else machine.max_efa)


def test_what_no_source_states_is_not_known() -> None:
    """Never a zero, and never a guess."""
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
