"""The cost of a cluster on SageMaker HyperPod with Slurm."""

from collections.abc import Iterator
from datetime import date

from muster.blueprint.hyperpod.slurm import HyperPodSlurmBlueprint
from muster.extras.cost.backend_cost import BackendCost
from muster.extras.cost.lines import Line, Pricing, Span
from muster.extras.cost.prices import HYPERPOD_VOLUME, Item, Kind
from muster.extras.cost.reservations import nodes_of

_TEXTS = {"controller": "the controller", "login": "login nodes"}


def _volumes(blueprint: HyperPodSlurmBlueprint, pricing: Pricing) -> Iterator[Line]:
    for each in blueprint.service_nodes:
        gib, count = each.described.hyperpod.volume.size.gib, Span.fixed(_number(each.instance_group.nodes_start))
        yield pricing.line(f"{gib} GiB volume", HYPERPOD_VOLUME, count, group=each.described.name, size=gib)
    for group in blueprint.groups:
        gib = group.described.hyperpod.volume.size.gib
        yield pricing.line(f"{gib} GiB volume", HYPERPOD_VOLUME, nodes_of(group), group=group.name, size=gib)


def _service_nodes(blueprint: HyperPodSlurmBlueprint, pricing: Pricing, _as_of: date) -> Iterator[Line]:
    for each in blueprint.service_nodes:
        instance, count = each.described.instance, Span.fixed(_number(each.instance_group.nodes_start))
        name, note = each.described.name, _TEXTS[each.key]
        yield pricing.line(each.described.instance_type, Item(Kind.HYPERPOD, instance), count, group=name, note=note)


def _number(value: object) -> int:
    assert isinstance(value, int), "the number of instances of a description is known"
    return value


def _not_counted(blueprint: HyperPodSlurmBlueprint) -> Iterator[str]:
    yield "the root volumes of HyperPod's instances, whose size HyperPod sets"
    if blueprint.described.accounting is not None:
        yield "the existing database of Slurm's accounting"
    if blueprint.described.home is not None:
        yield "the existing FSx for OpenZFS file system of home directories"


COST = BackendCost(
    instances=Kind.HYPERPOD,
    volumes=_volumes,
    service=_service_nodes,
    not_counted=_not_counted,
)
