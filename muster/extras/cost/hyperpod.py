"""The cost of a cluster on SageMaker HyperPod."""

from collections.abc import Iterator

from muster.blueprint.kubernetes import Blueprint, HyperPodGroup
from muster.extras.cost.backend_cost import BackendCost
from muster.extras.cost.eks import POD_VOLUMES, control_plane_lines
from muster.extras.cost.lines import Line, Pricing, Span
from muster.extras.cost.prices import HYPERPOD_VOLUME, Kind, tracking_server
from muster.extras.cost.reservations import nodes_of


def _volumes(blueprint: Blueprint, pricing: Pricing) -> Iterator[Line]:
    for group in (each for each in blueprint.groups if isinstance(each, HyperPodGroup)):
        gib = group.described.hyperpod.volume.size.gib
        count = nodes_of(group)
        yield pricing.line(f"{gib} GiB volume", HYPERPOD_VOLUME, count, group=group.name, size=gib)


def _mlflow(blueprint: Blueprint, pricing: Pricing) -> Iterator[Line]:
    if blueprint.hyperpod and blueprint.hyperpod.tracking_server and not blueprint.hyperpod.tracking_server.serverless:
        size = str(blueprint.hyperpod.tracking_server.size)
        yield pricing.line(f"MLflow tracking server ({size})", tracking_server(size), Span.fixed(1))


def _not_counted(blueprint: Blueprint) -> Iterator[str]:
    yield POD_VOLUMES
    yield "the root volumes of HyperPod's instances, whose size HyperPod sets"
    if blueprint.hyperpod and blueprint.hyperpod.tracking_server and blueprint.hyperpod.tracking_server.serverless:
        yield "the MLflow App: no document of AWS that Muster cites has its price"


COST = BackendCost(
    instances=Kind.HYPERPOD,
    volumes=_volumes,
    service=control_plane_lines,
    extras=_mlflow,
    not_counted=_not_counted,
)
