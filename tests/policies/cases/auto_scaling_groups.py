"""Auto Scaling groups of other teams: what they say beside their launch template."""

from typing import Any

from muster.fleet.resources import CapacityTarget, Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import CR, a_fleet, a_group, a_template, elsewhere, on, reservation_facts
from tests.policies.case import case

GROUP = "urn:pulumi:dev::theirs::aws:eks/nodeGroup:NodeGroup::workers"
WORKERS = "groups.workers"


def theirs(*things: Any, template: dict[str, Any] | None = None, facts: Any = None, **group: Any) -> Fleet:
    """A self-managed group of another team."""
    made = elsewhere(a_group(**{"managed": False, "capacity_type": None, **group}), "workers")
    return a_fleet(a_template(**(template or {})), made, *things, facts=facts)


PLAIN = {"interfaces": ()}


@case()
def types_that_stand_before_the_templates_own() -> Fleet:
    """The template's own type, which has no EFA, is launched by nobody."""
    p5 = a_template()
    template = {"instance": "c5.2xlarge", "interfaces": p5.interfaces, "max_pods": p5.max_pods}
    return theirs(template=template, instance_types=("p5.48xlarge",))


@case()
def more_types_than_eks_takes() -> Fleet:
    return theirs(template={"instance": None, **PLAIN}, instance_types=21 * ("c5.2xlarge",))


@case(f"instance-type-stated @ {GROUP}")
def no_type_anywhere() -> Fleet:
    return theirs(template={"instance": None, **PLAIN})


@case(
    unjudged=tuple(
        f"{rule} @ {GROUP}"
        for rule in (
            "custom-image-alone",
            "efa-single-zone",
            "image-fits-hardware",
            "image-parameter-fixed",
            "image-release-pinned",
            "instance-offered-in-zone",
            "instance-type-stated",
            "max-pods-within-addresses",
            "node-template-reaches-control-plane",
            "reservation-covers-nodes",
            "reservation-instance-type-matches",
            "reservation-zone-matches-subnet",
            "several-interfaces-private-subnets",
            "instance-type-catalogued",
            "subnet-holds-nodes",
        )
    )
)
def several_templates() -> Fleet:
    made = elsewhere(a_group(managed=False, capacity_type=None, template=UNKNOWN), "workers")
    return a_fleet(a_template(**PLAIN), made)


@case(f"spot-not-for-training @ {GROUP}")
def efa_on_a_share_of_spot() -> Fleet:
    return theirs(capacity_type="SPOT")


@case(unjudged=(f"spot-not-for-training @ {GROUP}",))
def efa_on_a_share_not_yet_known() -> Fleet:
    return theirs(capacity_type=UNKNOWN)


@case()
def no_efa_on_a_share_not_yet_known() -> Fleet:
    return theirs(template={"instance": "c5.2xlarge", **PLAIN}, capacity_type=UNKNOWN)


# reservations of its own


@case()
def a_reservation_of_its_own() -> Fleet:
    return theirs(target=CapacityTarget(reservation=CR), facts=reservation_facts())


@case(f"reservation-instance-type-matches @ {GROUP}")
def a_reservation_of_its_own_of_another_type() -> Fleet:
    return theirs(target=CapacityTarget(reservation=CR), facts=reservation_facts(instanceType="p4d.24xlarge"))


@case()
def a_reservation_of_its_own_before_its_templates() -> Fleet:
    """The template's is for another zone, and used by nobody."""
    facts = reservation_facts()
    return theirs(template=on("cr-0fedcba9876543210"), target=CapacityTarget(reservation=CR), facts=facts)


@case()
def no_reservation_whatever_its_template_says() -> Fleet:
    return theirs(template=on(), target=CapacityTarget("none"))


@case(
    unjudged=tuple(
        f"reservation-{rule} @ {GROUP}" for rule in ("covers-nodes", "instance-type-matches", "zone-matches-subnet")
    )
)
def several_reservations_of_its_own() -> Fleet:
    return theirs(target=CapacityTarget(reservation=UNKNOWN))


@case(f"capacity-block-template @ {WORKERS}.capacity", f"capacity-block-drained @ {GROUP}")
def a_block_of_its_own_and_no_market_type() -> Fleet:
    facts = reservation_facts(reservationType="capacity-block", end="2026-11-28T11:30:00Z")
    return theirs(target=CapacityTarget(reservation=CR), facts=facts)


# settings of managed groups


@case(f"managed-settings-only @ {WORKERS}.node-repair", f"managed-settings-only @ {WORKERS}.updates")
def updates_and_repair_of_a_self_managed_group() -> Fleet:
    return a_fleet(a_template(), a_group(managed=False, capacity_type=None, ignored=("node-repair", "updates")))
