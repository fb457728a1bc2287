"""Programs with Karpenter's NodePools and EC2NodeClasses."""

from collections.abc import Sequence
from typing import Any

import pulumi_kubernetes as kubernetes

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import CR, a_world

STAYS = {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "10m"}


def a_pool(
    *capacity_types: str,
    instance: str = "p5.48xlarge",
    reservations: Sequence[str] = (CR,),
    expires: str | None = "Never",
    disruption: Any = None,
) -> None:
    """A cluster with a NodePool of one type, and its class."""
    world = a_world()
    primary = {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}
    efa = [
        {"networkCardIndex": card, "deviceIndex": 1, "interfaceType": "efa-only"}
        for card in range(32 if instance.startswith("p5") else 0)
    ]
    kubernetes.apiextensions.CustomResource(
        "class",
        api_version="karpenter.k8s.aws/v1",
        kind="EC2NodeClass",
        metadata={"name": "workers"},
        spec={
            "amiSelectorTerms": [{"alias": "al2023@v20260903"}],
            "subnetSelectorTerms": [{"id": world.subnets[0].id}],
            "securityGroupSelectorTerms": [{"id": world.cluster_group}],
            "role": world.node_role.name,
            "networkInterfaces": [primary, *efa],
            "capacityReservationSelectorTerms": [{"id": each} for each in reservations],
        },
    )
    requirements = [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": [instance]}]
    if capacity_types:
        requirements.append({"key": "karpenter.sh/capacity-type", "operator": "In", "values": list(capacity_types)})
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "workers"}
    nodes = {"nodeClassRef": reference, "requirements": requirements, **({"expireAfter": expires} if expires else {})}
    kubernetes.apiextensions.CustomResource(
        "pool",
        api_version="karpenter.sh/v1",
        kind="NodePool",
        metadata={"name": "workers"},
        spec={
            "template": {"spec": nodes},
            "disruption": STAYS if disruption is None else disruption,
            "limits": {"nodes": "2"},
        },
    )


keeps("node-pool-reserved-capacity")(lambda: a_pool("reserved", instance="c5.2xlarge"))
breaks(
    "node-pool-reserved-capacity",
    "A NodePool for reserved capacity whose class selects no reservation.",
    at={"pool"},
)(lambda: a_pool("reserved", instance="c5.2xlarge", reservations=()))
