"""The cost of a Slurm cluster on ParallelCluster."""

from collections.abc import Iterator
from datetime import date

from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
from muster.config.description.node_group import Tier
from muster.extras.cost.backend_cost import BackendCost
from muster.extras.cost.lines import Line, Pricing, Span
from muster.extras.cost.prices import GP3, PUBLIC_ADDRESS, Item, Kind
from muster.extras.cost.reservations import nodes_of

_ONE = Span.fixed(1)


def _volumes(blueprint: ParallelClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    head = blueprint.described.head
    yield pricing.line(f"{head.root.gib} GiB gp3 volume", GP3, _ONE, group="head", size=head.root.gib)
    yield pricing.line(f"{head.apps.gib} GiB gp3 volume", GP3, _ONE, group="head", size=head.apps.gib, note="/apps")
    for queue in blueprint.queues:
        gib = queue.described.root.gib
        for each in queue.groups:
            yield pricing.line(f"{gib} GiB gp3 volume", GP3, nodes_of(each), group=each.name, size=gib)


def _head_node(blueprint: ParallelClusterBlueprint, pricing: Pricing, _as_of: date) -> Iterator[Line]:
    head = blueprint.described.head.instance
    yield pricing.line(head, Item(Kind.INSTANCE, head), _ONE, group="head", note="the head node")
    for name, pool in sorted(blueprint.described.login_nodes.items()):
        count = Span.fixed(pool.nodes)
        item = Item(Kind.INSTANCE, pool.instance)
        yield pricing.line(pool.instance, item, count, group=name, note="login nodes")


def _addresses(blueprint: ParallelClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    if blueprint.described.head.subnets is Tier.PUBLIC:
        yield pricing.line("Public IPv4 address", PUBLIC_ADDRESS, _ONE, group="head")


def _not_counted(blueprint: ParallelClusterBlueprint) -> Iterator[str]:
    yield "ParallelCluster's other resources: a hosted zone, a table, functions; cents per day"
    if blueprint.described.login_nodes:
        yield "load balancers of login nodes, billed by the hour and by their use; root volumes of login nodes"
    if blueprint.described.os.startswith("rhel"):
        yield "Red Hat's license, billed by the hour of every instance: the prices are those of Linux"
    if blueprint.described.accounting is not None:
        yield "the existing database of Slurm's accounting"


COST = BackendCost(
    instances=Kind.INSTANCE,
    volumes=_volumes,
    service=_head_node,
    addresses=_addresses,
    not_counted=_not_counted,
)
