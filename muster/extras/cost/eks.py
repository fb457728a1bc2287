"""The cost of a cluster on EKS, and of every EKS control plane."""

from collections.abc import Iterator
from datetime import date, timedelta

from muster.blueprint.kubernetes import Blueprint
from muster.config.description.node_group import Tier
from muster.config.description.node_settings import GP3_IOPS as BASE_IOPS
from muster.config.description.node_settings import GP3_MIBPS as BASE_MIBPS
from muster.config.description.node_settings import Family
from muster.extras.cost.backend_cost import BackendCost
from muster.extras.cost.lines import Line, Pricing, Span
from muster.extras.cost.prices import (
    CONTROL_PLANE,
    EXTENDED_SUPPORT,
    GP3,
    GP3_IOPS,
    GP3_THROUGHPUT,
    PUBLIC_ADDRESS,
    Kind,
)
from muster.extras.cost.reservations import nodes_of
from muster.versions import EKS_CALENDAR

_ONE = Span.fixed(1)


def control_plane_lines(blueprint: Blueprint, pricing: Pricing, as_of: date) -> Iterator[Line]:
    """The control plane that Muster creates, with extended support of its version."""
    if blueprint.control_plane.existing:
        return
    version = str(blueprint.control_plane.kubernetes)
    support = EKS_CALENDAR.get(version)
    until = f"standard support until {support.standard_ends}" if support else ""
    yield pricing.line(f"EKS control plane, Kubernetes {version}", CONTROL_PLANE, _ONE, note=until)
    if support and as_of > support.standard_ends:
        note = f"since {support.standard_ends + timedelta(days=1)}; to stop it, upgrade"
        yield pricing.line(f"Extended support of Kubernetes {version}", EXTENDED_SUPPORT, _ONE, note=note)


def _volumes(blueprint: Blueprint, pricing: Pricing) -> Iterator[Line]:
    for group in blueprint.eks_groups:
        volume, count = group.described.volume, nodes_of(group)
        gib = volume.size.gib
        yield pricing.line(f"{gib} GiB gp3 volume", GP3, count, group=group.name, size=gib)
        if (more := (volume.iops or BASE_IOPS) - BASE_IOPS) > 0:
            yield pricing.line(f"{more} additional IOPS", GP3_IOPS, count, group=group.name, size=more)
        if (more := (volume.throughput or BASE_MIBPS) - BASE_MIBPS) > 0:
            yield pricing.line(f"{more} additional MiB/s", GP3_THROUGHPUT, count, group=group.name, size=more)


def _addresses(blueprint: Blueprint, pricing: Pricing) -> Iterator[Line]:
    for group in blueprint.eks_groups:
        if group.described.subnets is Tier.PUBLIC:
            yield pricing.line("Public IPv4 address", PUBLIC_ADDRESS, nodes_of(group), group=group.name)


POD_VOLUMES = "volumes and load balancers that pods request"


def _not_counted(blueprint: Blueprint) -> Iterator[str]:
    yield POD_VOLUMES
    if any(group.described.family is Family.BOTTLEROCKET for group in blueprint.groups):
        yield "Bottlerocket's 2 GiB system volume beside each node's data volume"


COST = BackendCost(
    instances=Kind.INSTANCE,
    volumes=_volumes,
    service=control_plane_lines,
    addresses=_addresses,
    not_counted=_not_counted,
)
