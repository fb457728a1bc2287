"""EBS volumes: every node has its own."""

from collections.abc import Iterator

from muster.fleet.blueprint import Blueprint, ClusterBlueprint, EksGroup, HyperPodGroup
from muster.fleet.cost.amounts import Span
from muster.fleet.cost.held import nodes_of
from muster.fleet.cost.line import Line, Pricing
from muster.fleet.description.volume import GP3_IOPS as BASE_IOPS
from muster.fleet.description.volume import GP3_MIBPS as BASE_MIBPS
from muster.fleet.prices.item import GP3, GP3_IOPS, GP3_THROUGHPUT, HYPERPOD_VOLUME
from muster.fleet.slurm_blueprint import SlurmBlueprint


def volumes(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    """What the volumes of all nodes cost."""
    if isinstance(blueprint, Blueprint):
        for group in blueprint.groups:
            if isinstance(group, EksGroup):
                yield from _of_eks(group, pricing)
            elif isinstance(group, HyperPodGroup):
                gib = group.described.hyperpod.volume.size.gib
                count = nodes_of(group)
                yield pricing.line(f"{gib} GiB volume", HYPERPOD_VOLUME, count, group=group.name, size=gib)
    if isinstance(blueprint, SlurmBlueprint):
        head = blueprint.described.head
        one = Span.fixed(1)
        yield pricing.line(f"{head.root.gib} GiB gp3 volume", GP3, one, group="head", size=head.root.gib)
        yield pricing.line(f"{head.apps.gib} GiB gp3 volume", GP3, one, group="head", size=head.apps.gib, note="/apps")
        for queue in blueprint.queues:
            gib = queue.described.root.gib
            for each in queue.groups:
                count = nodes_of(each)
                yield pricing.line(f"{gib} GiB gp3 volume", GP3, count, group=each.name, size=gib)


def _of_eks(group: EksGroup, pricing: Pricing) -> Iterator[Line]:
    volume, count = group.described.volume, nodes_of(group)
    gib = volume.size.gib
    yield pricing.line(f"{gib} GiB gp3 volume", GP3, count, group=group.name, size=gib)
    if (more := (volume.iops or BASE_IOPS) - BASE_IOPS) > 0:
        yield pricing.line(f"{more} IOPS more", GP3_IOPS, count, group=group.name, size=more)
    if (more := (volume.throughput or BASE_MIBPS) - BASE_MIBPS) > 0:
        yield pricing.line(f"{more} MiB/s more", GP3_THROUGHPUT, count, group=group.name, size=more)
