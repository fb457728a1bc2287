"""Pods, addresses, zones, updates and repair of nodes."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.factories import (
    a_fleet,
    a_group,
    a_subnet,
    a_template,
)
from tests.policies.case import cases

# max-pods-within-addresses


cases(
    nobody_tells_the_kubelet_of_efa_only_on_card_0=lambda: a_fleet(a_template(max_pods=None)),
    # p4d.24xlarge has 688 addresses for pods beside efa-only; EKS stops at 250.
)


# subnet-holds-nodes, subnet-holds-all-nodes


OTHERS = a_group("others", nodes_start=1, nodes_max=1)


# instance-offered-in-zone


def in_zone(zone_id: str | None, instance: str = "trn1.32xlarge", **more: Any) -> Fleet:
    return a_fleet(a_template(instance=instance), subnets=[a_subnet(zone_id=zone_id)], **more)


COUNT = "maxParallelNodesRepairedCount"
