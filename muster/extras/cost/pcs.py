"""The cost of a Slurm cluster on AWS PCS."""

from collections.abc import Iterator
from datetime import date

from muster.blueprint.pcs.cluster import PcsBlueprint
from muster.config.description.node_group import Tier
from muster.extras.cost.backend_cost import BackendCost, no_lines
from muster.extras.cost.lines import Line, Pricing, Span
from muster.extras.cost.prices import PUBLIC_ADDRESS, Item, Kind


def _login_nodes(blueprint: PcsBlueprint, pricing: Pricing, _as_of: date) -> Iterator[Line]:
    for each in blueprint.login_groups:
        item, count = Item(Kind.INSTANCE, each.described.instance), Span.fixed(each.described.nodes)
        yield pricing.line(each.described.instance, item, count, group=each.name, note="login nodes")


def _addresses(blueprint: PcsBlueprint, pricing: Pricing) -> Iterator[Line]:
    for each in blueprint.login_groups:
        if each.described.subnets is Tier.PUBLIC:
            count = Span.fixed(each.described.nodes)
            yield pricing.line("Public IPv4 address", PUBLIC_ADDRESS, count, group=each.name)


def _not_counted(blueprint: PcsBlueprint) -> Iterator[str]:
    """Fees for which Muster has no price: AWS's page of prices is not among its sources."""
    size = blueprint.described.size.value
    yield f"the hourly fees of AWS PCS for the controller (size {size}) and for each running node"
    if blueprint.described.slurm.accounting is not None:
        yield "the fees of AWS PCS for accounting: by the hour, and for the storage of its records"
    yield "the root volumes of nodes, whose size the image sets"


COST = BackendCost(
    instances=Kind.INSTANCE,
    volumes=no_lines,
    service=_login_nodes,
    addresses=_addresses,
    not_counted=_not_counted,
)
