"""NodePools of Karpenter, and the reservations of their classes."""

from dataclasses import replace
from typing import Any

from muster.fleet.resources import CapacityTarget, Fleet, NodePool, Ref
from muster.fleet.resources.ref import EC2_NODE_CLASS, NODE_POOL
from muster.unknown import UNKNOWN
from tests.factories import CR, a_fleet, a_group, a_template
from tests.policies.case import cases

CLASS = Ref(EC2_NODE_CLASS, "workers")


def pools(
    *given: dict[str, Any], selects: tuple[str, ...] = (CR,), instance: str = "p5.48xlarge", of: Ref = CLASS
) -> Fleet:
    """NodePools of one class, that selects these reservations."""
    target: CapacityTarget = CapacityTarget(reservation=selects[0] if selects else None)
    node_class = replace(a_template("workers", instance, target=target), ref=of, instance=None)
    own = {"managed": False, "template": of, "instance_types": (instance,), "capacity_type": None}
    groups = [
        replace(
            a_group(f"pool-{index}", **own, pool=NodePool(reservations=selects, **{**STAYS, **each})),
            ref=Ref(NODE_POOL, f"pool-{index}"),
        )
        for index, each in enumerate(given)
    ]
    return a_fleet(node_class, *groups)


STAYS: dict[str, Any] = {"expire_after": "Never", "consolidation": "WhenEmpty", "consolidate_after": "10m"}
RESERVED, ON_DEMAND = ({"capacity_types": (each,)} for each in ("reserved", "on-demand"))
BOTH = {"capacity_types": ("on-demand", "reserved")}

cases(
    "node-pool-reserved-capacity",
    a_pool_on_its_reservation=lambda: pools(RESERVED),
    a_pool_without_a_reservation=lambda: pools(RESERVED, selects=()),
)

cases(
    "node-pool-keeps-training-nodes",
    nodes_that_stay=lambda: pools(BOTH),
    nodes_that_expire_by_default=lambda: pools({**BOTH, "expire_after": None}),
    nodes_of_settings_that_are_not_known=lambda: pools({**BOTH, "expire_after": UNKNOWN}),
)
