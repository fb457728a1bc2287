"""Pods, addresses, zones, updates and repair of nodes."""

from tests.factories import (
    a_fleet,
    a_template,
)
from tests.policies.case import cases

# max-pods-within-addresses


cases(
    nobody_tells_the_kubelet_of_efa_only_on_card_0=lambda: a_fleet(a_template(max_pods=None)),
)


# instance-offered-in-zone


COUNT = "maxParallelNodesRepairedCount"
