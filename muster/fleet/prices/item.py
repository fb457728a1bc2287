"""What has a price."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple


class Kind(StrEnum):
    """Kinds of things that AWS asks money for, each with the unit it is asked for in."""

    INSTANCE = "instance"
    """An EC2 instance: Linux, shared tenancy, on demand. Its name is the type."""
    CAPACITY_BLOCK = "capacity-block"
    """An instance of a Capacity Block, what a new one is sold for. Its name is the type."""
    HYPERPOD = "hyperpod"
    """An instance of HyperPod, on demand. Its name is the type, as EC2 has it."""
    SAGEMAKER = "sagemaker"
    """The same instance elsewhere in SageMaker (Studio, notebooks): near HyperPod's price, and not the same."""
    LUSTRE = "lustre"
    """Storage of FSx for Lustre: ``persistent-2-ssd-250``, ``scratch-ssd``."""
    VOLUME = "volume"
    """EBS: ``gp3``, and what it is given beyond its base, ``gp3-iops`` and ``gp3-throughput``; ``hyperpod``."""
    SERVICE = "service"
    """Things by the hour: the names below."""


class Item(NamedTuple):
    """One thing that has a price."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"

    @property
    def words(self) -> str:
        """What people call it: ``an EKS control plane``; where nothing else is said, by its kind and name."""
        return _WORDS.get(self) or _OF_KIND.get(self.kind, "{}").format(self.name)


CONTROL_PLANE = Item(Kind.SERVICE, "eks")
EXTENDED_SUPPORT = Item(Kind.SERVICE, "eks-extended-support")
"""The surcharge: what an old Kubernetes version costs beside the control plane itself."""
NAT_GATEWAY = Item(Kind.SERVICE, "nat-gateway")
PUBLIC_ADDRESS = Item(Kind.SERVICE, "public-ipv4")
ENDPOINT = Item(Kind.SERVICE, "interface-endpoint")
"""Of one service in one zone."""
GP3, GP3_IOPS, GP3_THROUGHPUT = (Item(Kind.VOLUME, each) for each in ("gp3", "gp3-iops", "gp3-throughput"))
HYPERPOD_VOLUME = Item(Kind.VOLUME, "hyperpod")
METADATA_IOPS = Item(Kind.LUSTRE, "metadata-iops")
"""Metadata operations a second that somebody asks for; those of the automatic mode cost nothing."""


def tracking_server(size: str) -> Item:
    """A tracking server of managed MLflow: ``Small``."""
    return Item(Kind.SERVICE, f"mlflow-{size.lower()}")


_WORDS: Mapping[Item, str] = MappingProxyType(
    {
        CONTROL_PLANE: "an EKS control plane",
        EXTENDED_SUPPORT: "extended support of an EKS control plane",
        NAT_GATEWAY: "a NAT gateway",
        PUBLIC_ADDRESS: "a public IPv4 address",
        ENDPOINT: "an interface endpoint",
        GP3: "gp3 volumes",
        GP3_IOPS: "IOPS of gp3 volumes",
        GP3_THROUGHPUT: "throughput of gp3 volumes",
        HYPERPOD_VOLUME: "HyperPod's volumes",
    }
)
_OF_KIND: Mapping[Kind, str] = MappingProxyType({Kind.HYPERPOD: "ml.{} of HyperPod", Kind.LUSTRE: "FSx for Lustre {}"})
"""With the item's name; others are their name: ``p5.48xlarge``."""
