"""NodePools of Karpenter, and the reservations of their classes."""

from dataclasses import replace
from typing import Any

from muster.fleet.resources import CapacityTarget, DisruptionBudget, Fleet, NodePool, Ref
from muster.fleet.resources.ref import EC2_NODE_CLASS, NODE_CLASS, NODE_POOL
from muster.unknown import UNKNOWN
from tests.factories import CR, a_fleet, a_group, a_template
from tests.policies.case import cases

CLASS, OF_AUTO_MODE = Ref(EC2_NODE_CLASS, "workers"), Ref(NODE_CLASS, "workers")


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
    a_pool_that_falls_back_to_on_demand=lambda: pools(BOTH),
    a_pool_that_may_fall_back_without_a_reservation=lambda: pools(BOTH, selects=()),
    a_class_whose_reservation_no_pool_uses=lambda: pools(ON_DEMAND),
    a_class_of_two_pools_of_which_one_uses_it=lambda: pools(ON_DEMAND, RESERVED),
    a_pool_of_auto_mode_without_a_reservation=lambda: pools(RESERVED, selects=(), of=OF_AUTO_MODE),
    a_pool_of_any_capacity_type=lambda: pools({"capacity_types": ()}),
    a_pool_of_a_capacity_type_that_is_not_known=lambda: pools({"capacity_types": UNKNOWN}),
)

cases(
    "node-pool-keeps-training-nodes",
    nodes_that_stay=lambda: pools(BOTH),
    nodes_that_expire_by_default=lambda: pools({**BOTH, "expire_after": None}),
    nodes_whose_pods_move_by_default=lambda: pools({**BOTH, "consolidation": None, "consolidate_after": None}),
    nodes_of_auto_mode_that_expire=lambda: pools({**BOTH, "expire_after": "480h"}, of=OF_AUTO_MODE),
    nodes_of_auto_mode_that_expire_by_default=lambda: pools({**BOTH, "expire_after": None}, of=OF_AUTO_MODE),
    nodes_of_a_static_pool=lambda: pools({**BOTH, "consolidation": None, "static": True}),
    nodes_of_auto_mode_whose_pods_move=lambda: pools({**BOTH, "consolidation": None}, of=OF_AUTO_MODE),
    nodes_that_are_never_consolidated=lambda: pools({**BOTH, "consolidation": None, "consolidate_after": "Never"}),
    nodes_that_balance_and_expire=lambda: pools({**BOTH, "consolidation": "Balanced", "expire_after": "720h"}),
    nodes_without_accelerators=lambda: pools({**BOTH, "expire_after": None}, instance="c5.2xlarge"),
    nodes_whose_images_stay=lambda: pools({**BOTH, "budgets": (DisruptionBudget("0", frozenset({"Drifted"})),)}),
    nodes_of_which_a_tenth_may_go=lambda: pools({**BOTH, "budgets": (DisruptionBudget("10%"),)}),
    nodes_of_settings_that_are_not_known=lambda: pools({**BOTH, "expire_after": UNKNOWN}),
)
