"""Clusters on AWS PCS."""

from typing import Any

from muster.fleet.resources import (
    CapacityTarget,
    Fleet,
    LaunchTemplate,
)
from muster.unknown import UNKNOWN
from tests.factories import (
    CR,
    reservation_facts,
)
from tests.factories.pcs_fleets import (
    BLOCK,
    a_node_group,
    a_pcs_cluster,
    a_pcs_fleet,
    a_pcs_security_group,
    a_pcs_template,
)
from tests.policies.case import cases

# the controller


cases(
    thirty_two_nodes_and_a_login_node=lambda: a_pcs_fleet(a_node_group(nodes_min=32, nodes_max=32)),
    a_size_not_yet_known=lambda: a_pcs_fleet(a_pcs_cluster(size=UNKNOWN)),
)


# its security groups


cases(
    a_group_that_does_not_allow_itself=lambda: a_pcs_fleet(a_pcs_security_group(allows=frozenset())),
)


# compute node groups


cases(
    types_of_two_architectures=lambda: a_pcs_fleet(
        a_node_group("cpu", instance_types=("m5.8xlarge", "m7g.8xlarge")), a_pcs_template("cpu", None)
    ),
    types_with_a_type_that_is_not_known=lambda: a_pcs_fleet(a_node_group(instance_types=("p5.48xlarge", "p99.large"))),
    one_image_on_two_architectures=lambda: a_pcs_fleet(
        a_node_group("arm", instance_types=("m7g.8xlarge",)), a_pcs_template("arm", None)
    ),
    a_group_without_a_template=lambda: a_pcs_fleet(a_node_group(template=None), without=(LaunchTemplate,)),
)


# capacity


def on_capacity(
    *, kind: str = "default", purchase: Any = BLOCK, market: Any = "capacity-block", nodes: int = 4
) -> Fleet:
    """Workers on a reservation of four p5.48xlarge."""
    dates = {"start": "2026-11-14T11:30:00Z", "end": "2026-12-28T11:30:00Z"} if kind == "capacity-block" else {}
    return a_pcs_fleet(
        a_node_group(capacity_type=purchase, nodes_max=nodes),
        a_pcs_template(
            market_type=market,
            target=CapacityTarget(reservation=CR),
            settings=frozenset({"networkInterfaces", "capacityReservationSpecification", "instanceMarketOptions"}),
        ),
        facts=reservation_facts(reservationType=kind, totalInstances=4, **dates),
    )


cases(
    on_a_block_without_the_purchase_option=lambda: on_capacity(kind="capacity-block", purchase="ONDEMAND"),
    on_a_block_with_a_purchase_option_not_yet_known=lambda: on_capacity(kind="capacity-block", purchase=UNKNOWN),
)
