"""Huge pages: whole ones only, and the EKS guide's number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.hardware.huge_pages import EKS_GUIDE_PAGES, NCCL_JOB, PAGE, default_for, pages
from muster.size import Size


@given(st.integers(0, 10**6))
def test_pages_of_an_amount(count: int) -> None:
    assert pages(Size(count * PAGE.mib)) == count


@given(st.integers(0, 10**6))
def test_half_a_page_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match=r"is not a multiple of 2MiB"):
        pages(Size(2 * count + 1))


@given(st.integers(1, 32))
def test_a_node_with_efa_has_the_guides_pages(efa: int) -> None:
    assert default_for(efa) == Size.parse("10256MiB")
    assert pages(default_for(efa)) == EKS_GUIDE_PAGES == 5128


def test_a_node_without_efa_has_none() -> None:
    assert default_for(0) == Size(0)


def test_the_guides_nccl_job_fits_the_guides_pages() -> None:
    assert default_for(32) >= NCCL_JOB
    assert NCCL_JOB.kubernetes == "5120Mi"
