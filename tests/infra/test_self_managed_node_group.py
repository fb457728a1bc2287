"""A group in an Auto Scaling group: who lets its nodes in, what they are told, who scales them."""

from functools import cache
from typing import Any

import pytest

from muster.fleet.resources import ref as types
from tests.factories import CR, DROP
from tests.infra.registered import Registered, registered

SCHEDULE = "aws:autoscaling/schedule:Schedule"
ROLE = "aws:iam/role:Role"
OWN = {"groups.workers.self-managed": True}
BLOCK = {"id": CR, "zone": "us-west-2a", "count": 2, "starts": "2026-12-01", "ends": "2026-12-15"}
EXISTING = {"name": "theirs", "security-group": "sg-0123456789abcdef0", "authentication": "api"}
JOINING = {"control-plane": {"existing": EXISTING}, "api": DROP, "groups.system": DROP}


@cache
def made(kind: str = "new") -> Registered:
    """With a new cluster, or joining one that exists."""
    return registered(OWN if kind == "new" else {**OWN, **JOINING})


def test_its_primary_interface_carries_the_clusters_group() -> None:
    """EKS attaches it to managed nodes only; without it a node never joins. Of a cluster that exists, too."""
    nics = made("existing").one(types.LAUNCH_TEMPLATE, "workers").inputs["networkInterfaces"]
    efa = made("existing").one(types.SECURITY_GROUP, "efa").id
    assert sorted(nics[0]["securityGroups"]) == sorted(["sg-0123456789abcdef0", str(efa)])
    plain = registered({**OWN, "groups.workers.interfaces": "plain"}).one(types.LAUNCH_TEMPLATE, "workers").inputs
    cluster = made().one(types.CLUSTER, "cluster-eksCluster").outputs["vpcConfig"]["clusterSecurityGroupId"]
    assert plain["vpcSecurityGroupIds"] == [cluster]
    assert "networkInterfaces" not in plain


@pytest.mark.parametrize(
    ("nodes", "ignored"),
    [(1, None), ({"min": 0, "start": 1, "max": 2, "scaled-by": "you"}, ["desiredCapacity"])],
)
def test_who_holds_the_number(nodes: Any, ignored: list[str] | None) -> None:
    """A range belongs to the live cluster after creation; a fixed number to the description."""
    program = registered({**OWN, "groups.workers.nodes": nodes, "groups.workers.capacity": DROP})
    assert program.one(types.AUTO_SCALING_GROUP, "workers").options.get("ignoreChanges") == ignored


def test_what_is_held_is_replaced_by_leaving_first() -> None:
    assert made().one(types.AUTO_SCALING_GROUP, "workers").options["deleteBeforeReplace"] is True
    free = registered({**OWN, "groups.workers.capacity": DROP}).one(types.AUTO_SCALING_GROUP, "workers")
    assert "deleteBeforeReplace" not in free.options


def test_before_a_block_ends_it_has_no_nodes() -> None:
    """Max stays as it is: unset would be 0."""
    edits = {**OWN, "groups.workers.capacity": {"capacity-block": {**BLOCK, "active": True}}, "groups.workers.nodes": 2}
    program = registered(edits)
    group = program.one(types.AUTO_SCALING_GROUP, "workers")
    assert program.one(SCHEDULE, "workers").inputs == {
        "scheduledActionName": "before-the-block-ends",
        "autoscalingGroupName": group.outputs["name"],
        "startTime": "2026-12-15T10:30:00Z",
        "minSize": 0,
        "desiredCapacity": 0,
        "maxSize": -1,
    }
    template = program.one(types.LAUNCH_TEMPLATE, "workers").inputs
    assert template["instanceMarketOptions"] == {"marketType": "capacity-block"}
    assert template["capacityReservationSpecification"] == {"capacityReservationTarget": {"capacityReservationId": CR}}
    assert "placement" not in template
