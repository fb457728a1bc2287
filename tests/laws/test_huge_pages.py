"""Huge pages: whole ones, the EKS guide's number on a node with EFA, and taken from a node's memory alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.blueprint.node import HUGE_PAGES_RESOURCE, Node
from muster.hardware.allocatable import allocatable
from muster.hardware.catalogue import Hardware
from muster.hardware.huge_pages import EKS_GUIDE_PAGES, NCCL_JOB, PAGE, default_for, pages
from muster.hardware.interfaces import Layout, slots
from muster.size import Size
from tests.hardware_types import EVERY_TYPE, WITH_PODS, every
from tests.strategies import Described, legal

PAGES = [Size(mib) for mib in (0, 2, 10256, 16000)]


@given(st.integers(0, 10**6))
def test_an_amount_is_whole_pages_of_2_mib_or_refused(count: int) -> None:
    """Linux, hugetlbpage: the pool counts pages."""
    assert pages(Size(count * PAGE.mib)) == count
    with pytest.raises(ValueError, match=r"is not a multiple of 2MiB"):
        pages(Size(2 * count + 1))


@every(EVERY_TYPE)
def test_a_node_with_efa_has_5128_pages_and_one_without_has_none(machine: Hardware) -> None:
    """EKS user guide, "machine learning training with EFA"."""
    assert default_for(machine.max_efa) == (Size.parse("10256MiB") if machine.max_efa else Size(0))
    assert EKS_GUIDE_PAGES == 5128


def test_the_guides_nccl_job_fits_the_guides_pages() -> None:
    """Its manifest requests 5120Mi (the same page)."""
    assert default_for(32) >= NCCL_JOB
    assert NCCL_JOB.kubernetes == "5120Mi"


@every(WITH_PODS, Layout, PAGES)
def test_huge_pages_are_taken_from_memory_and_from_nothing_else(machine: Hardware, layout: Layout, pages: Size) -> None:
    """Kubernetes, "Manage HugePages": the kubelet takes preallocated pages off a node's memory."""
    laid_out = slots(machine, layout)
    without, with_ = allocatable(machine, laid_out, Size(0)), allocatable(machine, laid_out, pages)
    assert without.memory_mib - with_.memory_mib == pages.mib == with_.huge_pages_mib
    assert (without.cpu_millicores, without.pods) == (with_.cpu_millicores, with_.pods)
    assert Node.of(machine, laid_out, pages).offers.get(HUGE_PAGES_RESOURCE, "0Mi") == pages.kubernetes


@given(legal())
def test_nodes_set_aside_what_the_plan_offers(described: Described) -> None:
    """The pages of a group are those that its nodes offer, and its memory keeps more than them."""
    for group in described.blueprint().groups:
        offered = group.node.offers.get(HUGE_PAGES_RESOURCE, "0Mi")
        assert offered == group.node.huge_pages.kubernetes
        assert pages(group.node.huge_pages) * PAGE.mib == group.node.allocatable.huge_pages_mib
        assert group.node.allocatable.memory_mib > 0
