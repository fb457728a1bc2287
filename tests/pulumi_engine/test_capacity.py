"""Capacity in the real engine: blocks that begin, end and are bought, groups of reservations."""

import pytest

from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED, Outcome
from tests.pulumi_engine.muster_stack import MusterStack, facts_of
from tests.pulumi_engine.provider import StandIn
from tests.pulumi_engine.refusals import BLOCK, SCHEDULE
from tests.stack_files import edited, filled_in, text_of

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

MANAGED, SELF_MANAGED = "p5-capacity-block", "p5-capacity-block-self-managed"
NODE_GROUP, AUTO_SCALING_GROUP = "aws:eks/nodeGroup:NodeGroup", "aws:autoscaling/group:Group"
MEMBER = "aws:resourcegroups/resource:Resource"
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
DURING, AFTER = "2026-12-02", "2026-12-16"


def named(outcome: Outcome) -> dict[tuple[str, str], str]:
    """What changed: (type, logical name) -> operation."""
    return {
        (urn.split("::")[2].rpartition("$")[2], urn.rpartition("::")[2]): operation
        for urn, operation in outcome.changes.items()
    }


def begin(it: MusterStack) -> None:
    """The block begins: the day comes, AWS says active, and the description follows."""
    it.on(DURING)
    it.describe(edited(it.text, "active: false", "active: true"), it.facts.replace('"scheduled"', '"active"'))


def end(it: MusterStack) -> None:
    """The block is over, and the description says so."""
    it.on(AFTER)
    it.describe(edited(it.text, "active: true", "active: false"), it.facts.replace('"active"', '"expired"'))


def test_a_managed_group_gets_its_nodes_when_the_block_begins(muster: MakeStack) -> None:
    """No nodes before; then the number that was described, by an update of the group and of nothing else."""
    it = muster(MANAGED)
    before = it.up().require().one(NODE_GROUP, "workers")
    assert before["inputs"]["scalingConfig"] == {"minSize": 0, "desiredSize": 0, "maxSize": 1}
    begin(it)
    begun = it.up().require()
    assert named(begun) == {(NODE_GROUP, "workers"): "update"}
    assert begun.one(NODE_GROUP, "workers")["inputs"]["scalingConfig"] == {
        "minSize": 1,
        "desiredSize": 1,
        "maxSize": 1,
    }


def test_a_group_of_ones_own_is_scaled_down_before_the_block_ends(muster: MakeStack, stand_in: StandIn) -> None:
    """The schedule comes with the nodes and goes with them; after it ran AWS forgets it, and nothing minds."""
    it = muster(SELF_MANAGED)
    made = it.up().require()
    assert made.one(AUTO_SCALING_GROUP)["inputs"]["desiredCapacity"] == 0
    begin(it)
    begun = it.up().require()
    assert named(begun) == {(AUTO_SCALING_GROUP, "workers"): "update", (SCHEDULE, "workers"): "create"}
    schedule = begun.one(SCHEDULE)["inputs"]
    assert schedule["startTime"] == "2026-12-15T10:30:00Z"
    assert (schedule["minSize"], schedule["desiredCapacity"], schedule["maxSize"]) == (0, 0, -1)
    assert begun.one(AUTO_SCALING_GROUP)["inputs"]["desiredCapacity"] == 1
    end(it)
    over = it.up().require()
    assert named(over)[AUTO_SCALING_GROUP, "workers"] == "update"
    assert named(over)[SCHEDULE, "workers"] == "delete"
    assert over.one(AUTO_SCALING_GROUP)["inputs"]["desiredCapacity"] == 0
    it.refresh().require()
    assert it.up().require().changes == {}
    assert it.destroy().require().resources == {}


BUY = "            buy: {offering: cb-0f7e8662751ff4036}\n"
APPROVED = (
    "            buy: {offering: cb-0f7e8662751ff4036, approved: {offering: cb-0f7e8662751ff4036, by: Ada Lovelace}}\n"
)


def purchase(stack: str, buy: str) -> str:
    """The stack's text with a block to buy in place of one that is there."""
    return edited(filled_in(text_of(stack)), f"            id: {filled_in('cr-fill-me-in')}\n", buy)


def test_nothing_is_bought_without_a_name(muster: MakeStack, stand_in: StandIn) -> None:
    """Refused by the gate, in words, with the key."""
    outcome = muster(MANAGED, text=purchase(MANAGED, BUY)).up()
    assert outcome.code != 0
    assert "capacity-block-purchase-approved: " in outcome.text
    assert "set approved: {offering: cb-0f7e8662751ff4036, by: NAME}" in outcome.text
    assert "Traceback" not in outcome.text
    assert stand_in.log.calls_of("create") == []


def test_a_block_is_bought_once(muster: MakeStack, stand_in: StandIn) -> None:
    """A second `up`, another approver, the block's end, and destroy: none of them buys or takes back anything."""
    it = muster(MANAGED, text=purchase(MANAGED, APPROVED))
    first = it.up().require()
    block = first.one(BLOCK)
    assert block["inputs"]["capacityBlockOfferingId"] == "cb-0f7e8662751ff4036"
    assert block["inputs"]["tags"]["muster:approved-by"] == "Ada Lovelace"
    target = first.one(TEMPLATE, "workers")["inputs"]["capacityReservationSpecification"]["capacityReservationTarget"]
    assert target == {"capacityReservationId": block["id"]}
    assert it.up().require().changes == {}

    it.describe(edited(it.text, "Ada Lovelace", "Grace Hopper"))
    assert set(named(it.up().require()).values()) <= {"update"}
    assert len(stand_in.log.calls_of("create", BLOCK)) == 1

    assert it.destroy().require().resources == {}
    assert stand_in.log.calls_of("delete", BLOCK) == []
    assert len(stand_in.log.calls_of("create", BLOCK)) == 1


def test_a_block_that_is_over_is_not_bought_again(muster: MakeStack, stand_in: StandIn) -> None:
    """AWS forgets a block that is over. A refresh then drops it; the next `up` must not buy the offering again."""
    it = muster(MANAGED, text=purchase(MANAGED, APPROVED))
    it.up().require()
    it.on(AFTER)
    it.refresh().require()
    it.up()
    assert len(stand_in.log.calls_of("create", BLOCK)) == 1


RESERVATIONS = ["cr-0123456789abcdef0", "cr-0123456789abcdef1"]
ARN = "arn:aws:ec2:us-west-2:210987654321:capacity-reservation/"


def test_a_group_of_reservations(muster: MakeStack, stand_in: StandIn) -> None:
    """Both configuration entries, every member in it before anything launches, and out of it only after."""
    members = ", ".join(f"{ARN}{each}" for each in RESERVATIONS)
    text = edited(filled_in(text_of("p5-odcr")), "          reservation:\n", "          reservation-group:\n")
    text = edited(text, f"            id: {filled_in('cr-fill-me-in')}\n", f"            create: [{members}]\n")
    it = muster("p5-odcr", text=text, facts=facts_of("p5-odcr").replace(filled_in("cr-fill-me-in"), RESERVATIONS[0]))
    made = it.up().require()
    group = made.one("aws:resourcegroups/group:Group")
    assert sorted(each["type"] for each in group["inputs"]["configurations"]) == [
        "AWS::EC2::CapacityReservationPool",
        "AWS::ResourceGroups::Generic",
    ]
    specification = made.one(TEMPLATE, "workers")["inputs"]["capacityReservationSpecification"]
    assert specification == {
        "capacityReservationPreference": "capacity-reservations-only",
        "capacityReservationTarget": {"capacityReservationResourceGroupArn": group["outputs"]["arn"]},
    }
    members_of_group = [(MEMBER, f"workers-{each}") for each in RESERVATIONS]
    created = [(call.token, call.name) for call in stand_in.log.calls_of("create")]
    assert max(created.index(each) for each in members_of_group) < created.index((NODE_GROUP, "workers"))

    it.describe(edited(it.text, f"[{members}]", f"[{members}, {ARN}cr-0123456789abcdef2]"))
    grown = it.up().require()
    assert named(grown) == {(MEMBER, "workers-cr-0123456789abcdef2"): "create"}

    assert it.destroy().require().resources == {}
    deleted = [(call.token, call.name) for call in stand_in.log.calls_of("delete")]
    assert deleted.index((NODE_GROUP, "workers")) < min(deleted.index(each) for each in members_of_group)
