"""Auto Scaling groups of other teams: what they say beside their launch template."""

from typing import Any

from muster.fleet.resources import CapacityTarget, Fleet
from muster.unknown import UNKNOWN
from tests.factories import CR, a_fleet, a_group, a_template, elsewhere, on, reservation_facts
from tests.policies.case import case, cases


def theirs(*things: Any, template: dict[str, Any] | None = None, facts: Any = None, **group: Any) -> Fleet:
    """A self-managed group of another team."""
    made = elsewhere(a_group(**{"managed": False, "capacity_type": None, **group}), "workers")
    return a_fleet(a_template(**(template or {})), made, *things, facts=facts)


PLAIN = {"interfaces": ()}


@case
def types_that_stand_before_the_templates_own() -> Fleet:
    """The template's own type, which has no EFA, is launched by nobody."""
    p5 = a_template()
    template = {"instance": "c5.2xlarge", "interfaces": p5.interfaces, "max_pods": p5.max_pods}
    return theirs(template=template, instance_types=("p5.48xlarge",))


cases(
    more_types_than_eks_takes=lambda: theirs(template={"instance": None, **PLAIN}, instance_types=21 * ("c5.2xlarge",)),
    no_type_anywhere=lambda: theirs(template={"instance": None, **PLAIN}),
    several_templates=lambda: a_fleet(
        a_template(**PLAIN), elsewhere(a_group(managed=False, capacity_type=None, template=UNKNOWN), "workers")
    ),
    efa_on_a_share_of_spot=lambda: theirs(capacity_type="SPOT"),
    efa_on_a_share_not_yet_known=lambda: theirs(capacity_type=UNKNOWN),
    no_efa_on_a_share_not_yet_known=lambda: theirs(template={"instance": "c5.2xlarge", **PLAIN}, capacity_type=UNKNOWN),
)


# reservations of its own


cases(
    a_reservation_of_its_own=lambda: theirs(target=CapacityTarget(reservation=CR), facts=reservation_facts()),
    a_reservation_of_its_own_of_another_type=lambda: theirs(
        target=CapacityTarget(reservation=CR), facts=reservation_facts(instanceType="p4d.24xlarge")
    ),
    # The template's is for another zone, and used by nobody.
    a_reservation_of_its_own_before_its_templates=lambda: theirs(
        template=on("cr-0fedcba9876543210"), target=CapacityTarget(reservation=CR), facts=reservation_facts()
    ),
    no_reservation_whatever_its_template_says=lambda: theirs(template=on(), target=CapacityTarget("none")),
    several_reservations_of_its_own=lambda: theirs(target=CapacityTarget(reservation=UNKNOWN)),
    a_block_of_its_own_and_no_market_type=lambda: theirs(
        target=CapacityTarget(reservation=CR),
        facts=reservation_facts(reservationType="capacity-block", end="2026-11-28T11:30:00Z"),
    ),
)


# settings of managed groups


cases(
    updates_and_repair_of_a_self_managed_group=lambda: a_fleet(
        a_template(), a_group(managed=False, capacity_type=None, ignored=("node-repair", "updates"))
    ),
)
