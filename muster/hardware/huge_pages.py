"""Huge pages: how many 2 MiB pages a node sets aside.

The EKS guide ("EFA on EKS") states that instances with the EFA driver come with 5128 pages of 2 MiB. On today's
AL2023 images that is not so: the AMI sets none (awslabs/amazon-eks-ami#2367 reports 0), and AWS's own EFA check asks
for another number. So our nodes set the amount themselves, before the kubelet starts, and every number that depends
on it reads the amount from here.
"""

from muster.size import Size

PAGE = Size(2)
"""One huge page: 2 MiB, the resource `hugepages-2Mi`."""

EKS_GUIDE_PAGES = 5128
"""The EKS guide's number, and the default for a node with EFA interfaces: 10256 MiB."""

NCCL_JOB = Size(5120)
"""What the EKS guide's NCCL test requests of a node (its manifest; the text beside it has 5210)."""


def pages(amount: Size) -> int:
    """How many 2 MiB pages an amount is.

    Raises:
        ValueError: not a multiple of 2 MiB.
    """
    if amount.mib % PAGE.mib:
        below, above = amount.neighbours(PAGE.mib)
        raise ValueError(f"{amount} is not a multiple of {PAGE}; write {below} or {above}")
    return amount.mib // PAGE.mib


def default_for(efa_interfaces: int) -> Size:
    """The EKS guide's 5128 pages where EFA is used, none elsewhere."""
    return Size(EKS_GUIDE_PAGES * PAGE.mib if efa_interfaces else 0)
