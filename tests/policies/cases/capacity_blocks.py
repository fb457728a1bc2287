"""Capacity Blocks: in descriptions, and in programs of other teams."""

from datetime import date
from typing import Any

from muster.fleet.description.capacity import Capacity
from muster.fleet.facts import Facts
from muster.fleet.resources import CapacityBlockPurchase, CapacityTarget, Fleet, Place, Ref
from muster.fleet.resources.place import CAPACITY_BLOCK, PLACEMENT_GROUP
from muster.fleet.unknown import UNKNOWN
from tests.factories import AS_OF, CR, A, B, a_fleet, a_group, a_template, facts, on, reservation_facts
from tests.policies.case import case

WORKERS = "groups.workers"
BLOCK = f"{WORKERS}.capacity.capacity-block"
RULE = "capacity-block"
NOBODY_SAYS = (f"reservation-instance-type-matches @ {WORKERS}", f"reservation-usable @ {WORKERS}")
NEXT = {"starts": "2026-12-01", "ends": "2026-12-15"}
"""A block that has not begun."""
NOW = {"starts": "2026-11-14", "ends": "2026-11-28", "active": True}
"""One that runs."""


def known(*without: str, **more: Any) -> Facts:
    """Everything AWS says of the default block, which runs."""
    dates = {"start": "2026-11-14T11:30:00Z", "end": "2026-11-28T11:30:00Z"}
    said = {"reservationType": "capacity-block", **dates, **more}
    made = reservation_facts(**said)
    return made if not without else facts(reservations={CR: {k: v for k, v in said.items() if k not in without}})


WAITING = {"state": "scheduled", "start": "2026-12-01T11:30:00Z", "end": "2026-12-15T11:30:00Z"}


def described(*things: Any, template: dict[str, Any] | None = None, facts: Facts | None = None, **said: Any) -> Fleet:
    """The default group on a block that its description says everything of."""
    group = {key: said.pop(key) for key in ("nodes_start", "nodes_max", "managed", "zero_at", "subnets") if key in said}
    block = {"zone": "us-west-2a", "count": 1, **said}
    block |= {} if "buy" in block else {"id": CR}
    running = bool(block.get("active"))
    settings = {"market_type": "capacity-block", **on(), **(template or {})}
    if group.get("managed") is False:
        group["capacity_type"] = None
    defaults = {"capacity_type": "CAPACITY_BLOCK", "nodes_min": 0, "nodes_start": int(running), **group}
    capacity = Capacity.model_validate({"capacity-block": block})
    return a_fleet(a_template(**settings), a_group(capacity=capacity, **defaults), *things, facts=facts)


def theirs(
    *things: Any,
    template: dict[str, Any] | None = None,
    facts: Facts | None = None,
    as_of: date = AS_OF,
    **group: Any,
) -> Fleet:
    """A group of another team on the default block."""
    settings = {"market_type": "capacity-block", **on(), **(template or {})}
    made = a_group(**{"capacity_type": "CAPACITY_BLOCK", **group})
    return a_fleet(a_template(**settings), made, *things, facts=facts or known(), as_of=as_of)


@case()
def a_block_that_runs() -> Fleet:
    return described(**NOW, facts=known())


@case()
def a_block_that_has_not_begun() -> Fleet:
    return described(**NEXT, facts=known(**WAITING))


@case()
def a_scheduled_block_of_which_ec2_counts_no_instances_yet() -> Fleet:
    return described(**NEXT, facts=known(totalInstances=0, **WAITING))


@case(unjudged=NOBODY_SAYS)
def a_block_nobody_knows() -> Fleet:
    """Its zone and size stand in the description."""
    return described(**NEXT)


@case()
def a_foreign_group_on_a_block_that_runs() -> Fleet:
    return theirs()


# its kind


@case(f"reservation-usable @ {BLOCK}.id")
def a_reservation_under_the_wrong_key() -> Fleet:
    return described(**NOW, facts=known(reservationType="default"))


@case(f"reservation-usable @ {BLOCK}.id")
def a_block_whose_payment_failed() -> Fleet:
    return described(**NEXT, facts=known(**{**WAITING, "state": "payment-failed"}))


@case()
def a_block_that_is_being_paid() -> Fleet:
    return described(**NEXT, facts=known(**{**WAITING, "state": "payment-pending"}))


@case(f"reservation-usable @ {BLOCK}.id")
def a_foreign_group_on_a_block_that_ends_today() -> Fleet:
    return theirs(facts=known(end="2026-11-21T11:30:00Z"))


@case(f"reservation-usable @ {BLOCK}.id")
def a_foreign_group_on_a_block_that_has_ended() -> Fleet:
    return theirs(as_of=date(2026, 12, 1))


# the template


@case(f"{RULE}-template @ {WORKERS}.capacity")
def a_template_without_market_type() -> Fleet:
    return theirs(template={"market_type": None})


@case(f"{RULE}-template @ {WORKERS}.capacity")
def a_block_targeted_like_a_reservation() -> Fleet:
    return theirs(template={"market_type": None}, capacity_type="ON_DEMAND")


@case(f"{RULE}-template @ {WORKERS}.capacity")
def a_template_without_target() -> Fleet:
    return theirs(template={"target": CapacityTarget()})


@case(f"{RULE}-template @ {WORKERS}.capacity", unjudged=(f"{RULE}-instance-type @ {WORKERS}", NOBODY_SAYS[0]))
def a_template_without_instance_type() -> Fleet:
    return theirs(template={"instance": None, "interfaces": ()})


@case(unjudged=(f"{RULE}-template @ {WORKERS}", f"managed-template-settings @ {WORKERS}"))
def a_market_type_not_yet_known() -> Fleet:
    return theirs(template={"market_type": UNKNOWN})


@case(f"{RULE}-template @ {WORKERS}.capacity")
def a_spot_market_on_a_block() -> Fleet:
    return theirs(template={"market_type": "spot"})


@case(f"{RULE}-template @ {WORKERS}.capacity")
def a_spot_market_on_a_self_managed_groups_block() -> Fleet:
    end = ("2026-11-28T10:30:00Z",)
    return theirs(template={"market_type": "spot"}, managed=False, capacity_type=None, zero_at=end)


# the managed group


@case(f"{RULE}-managed-group @ {WORKERS}")
def spot_beside_a_blocks_template() -> Fleet:
    return theirs(capacity_type="SPOT")


@case(f"{RULE}-managed-group @ {WORKERS}")
def on_demand_beside_a_blocks_template() -> Fleet:
    return theirs(capacity_type=None)


@case(f"{RULE}-managed-group @ {WORKERS}", f"instance-offered-in-zone @ {WORKERS}.zone")
def two_types_on_a_block() -> Fleet:
    types = ("p5.48xlarge", "p5e.48xlarge")
    return theirs(template={"instance": None, "interfaces": ()}, instance_types=types)


@case(f"{RULE}-managed-group @ {WORKERS}", f"instance-offered-in-zone @ {WORKERS}.zone")
def two_types_beside_the_templates_own() -> Fleet:
    return theirs(instance_types=("p5.48xlarge", "p5e.48xlarge"))


@case(f"{RULE}-managed-group @ {WORKERS}")
def a_block_without_template() -> Fleet:
    return a_fleet(a_group(template=None, capacity_type="CAPACITY_BLOCK", instance_types=("p5.48xlarge",)))


@case(unjudged=(f"{RULE}-managed-group @ {WORKERS}",))
def a_capacity_type_not_yet_known() -> Fleet:
    return theirs(capacity_type=UNKNOWN)


# its type


@case(f"{RULE}-instance-type @ {WORKERS}.instance")
def a_block_of_g5() -> Fleet:
    return described(**NOW, template={"instance": "g5.48xlarge"}, facts=known(instanceType="g5.48xlarge"))


@case(f"{RULE}-instance-type @ {WORKERS}.instance", f"instance-offered-in-zone @ {WORKERS}.zone")
def a_block_of_trn1n() -> Fleet:
    template = {"instance": "trn1n.32xlarge", "interfaces": ()}
    return described(**NOW, template=template, facts=known(instanceType="trn1n.32xlarge"))


@case(f"{RULE}-instance-type @ {WORKERS}.instance", unjudged=(f"subnet-holds-nodes @ {WORKERS}",))
def a_block_of_single_gb200() -> Fleet:
    template = {"instance": "p6e-gb200.36xlarge", "interfaces": ()}
    return theirs(template=template, facts=known(instanceType="p6e-gb200.36xlarge"))


@case(
    "instance-type-catalogued @ groups.workers.instance",
    unjudged=(
        f"{RULE}-instance-type @ {WORKERS}",
        f"image-fits-hardware @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    ),
)
def a_block_of_a_type_that_is_not_catalogued() -> Fleet:
    return theirs(template={"instance": "p9.48xlarge", "interfaces": ()}, facts=known(instanceType="p9.48xlarge"))


# zone and size


@case(f"reservation-zone-matches-subnet @ {BLOCK}.zone")
def a_block_in_two_zones() -> Fleet:
    return theirs(subnets=(A, B))


@case(
    f"reservation-zone-matches-subnet @ {BLOCK}.zone", unjudged=(*NOBODY_SAYS, f"reservation-covers-nodes @ {WORKERS}")
)
def a_block_that_nobody_knows_in_two_zones() -> Fleet:
    return theirs(subnets=(A, B), facts=facts())


@case(f"reservation-zone-matches-subnet @ {BLOCK}.zone")
def a_block_in_another_zone() -> Fleet:
    return described(**{**NOW, "zone": "us-west-2b"}, facts=known(zone="us-west-2b"))


@case(f"reservation-covers-nodes @ {BLOCK}.count")
def more_nodes_than_the_block_holds() -> Fleet:
    return described(**NOW, nodes_max=2, facts=known())


@case(f"reservation-covers-nodes @ {BLOCK}.count", unjudged=NOBODY_SAYS)
def more_nodes_than_the_block_is_said_to_hold() -> Fleet:
    return described(**NEXT, nodes_max=2)


@case(f"{RULE}-size @ {BLOCK}.count")
def a_block_of_65() -> Fleet:
    return described(**{**NOW, "count": 65}, nodes_max=65, facts=known(totalInstances=65))


@case()
def a_block_of_64() -> Fleet:
    return described(**{**NOW, "count": 64}, nodes_max=64, facts=known(totalInstances=64))


UNCOUNTED = known(totalInstances=None)


@case(f"{RULE}-size @ {WORKERS}", unjudged=(f"reservation-covers-nodes @ {WORKERS}",))
def a_foreign_group_larger_than_any_block() -> Fleet:
    return theirs(nodes_max=65, facts=UNCOUNTED)


@case(
    unjudged=(
        f"{RULE}-size @ {WORKERS}",
        f"nodes-in-order @ {WORKERS}",
        f"reservation-covers-nodes @ {WORKERS}",
        f"subnet-holds-all-nodes @ {WORKERS}",
    )
)
def a_foreign_group_of_a_size_not_yet_known() -> Fleet:
    return theirs(nodes_max=UNKNOWN, facts=UNCOUNTED)


# length and dates


def lasting(starts: str, ends: str, **more: Any) -> Fleet:
    times = {"start": f"{starts}T11:30:00Z", "end": f"{ends}T11:30:00Z"}
    state = {} if more.get("active") else {"state": "scheduled"}
    return described(starts=starts, ends=ends, facts=known(**times, **state), **more)


@case()
def a_block_of_one_day() -> Fleet:
    return lasting("2026-12-01", "2026-12-02")


@case()
def a_block_of_15_days() -> Fleet:
    """It was extended, by a day."""
    return lasting("2026-12-01", "2026-12-16")


@case()
def a_block_of_three_weeks() -> Fleet:
    return lasting("2026-12-01", "2026-12-22")


@case()
def a_block_that_began_at_once_and_lasts_hours_longer() -> Fleet:
    return lasting("2026-11-14", "2027-05-16", active=True)


@case()
def a_block_of_182_days() -> Fleet:
    return lasting("2026-12-01", "2027-06-01")


@case(f"{RULE}-length @ {BLOCK}.ends")
def a_block_of_189_days() -> Fleet:
    return lasting("2026-12-01", "2027-06-08")


@case(f"{RULE}-length @ {BLOCK}.ends")
def a_block_that_ends_before_it_starts() -> Fleet:
    return lasting("2026-12-15", "2026-12-01")


@case(f"{RULE}-length @ {BLOCK}.ends")
def a_block_that_ends_on_the_day_it_starts() -> Fleet:
    return lasting("2026-12-15", "2026-12-15")


@case(f"{RULE}-length @ {BLOCK}.ends")
def a_block_of_no_days_that_is_over() -> Fleet:
    """That it has ended is no news."""
    return lasting("2026-11-14", "2026-11-14")


@case(f"{RULE}-dates @ {BLOCK}.active")
def active_before_it_starts() -> Fleet:
    return lasting("2026-11-22", "2026-11-29", active=True)


@case()
def active_on_the_day_it_starts() -> Fleet:
    return lasting("2026-11-21", "2026-11-28", active=True)


@case(f"{RULE}-dates @ {BLOCK}.active")
def active_on_the_day_it_ends() -> Fleet:
    return lasting("2026-11-14", "2026-11-21", active=True)


@case(f"{RULE}-begun @ {BLOCK}.active")
def not_active_though_it_runs() -> Fleet:
    times = {"start": "2026-11-21T11:30:00Z", "end": "2026-11-28T11:30:00Z"}
    return described(starts="2026-11-21", ends="2026-11-28", facts=known(**times))


@case(f"{RULE}-begun @ {BLOCK}.active")
def over_and_not_active() -> Fleet:
    return lasting("2026-11-07", "2026-11-21")


EXTENDED = known(end="2026-12-05T11:30:00Z")
OUT_OF_DATE = {"starts": "2026-11-14", "ends": "2026-11-21"}


@case(f"reservation-as-declared @ {BLOCK}.ends")
def an_extended_block_with_its_first_end() -> Fleet:
    return described(**OUT_OF_DATE, active=True, facts=EXTENDED)


@case(f"reservation-as-declared @ {BLOCK}.ends")
def an_extended_block_drained_before_its_first_end() -> Fleet:
    drained_at = ("2026-11-21T10:30:00Z",)
    return described(**OUT_OF_DATE, active=True, facts=EXTENDED, managed=False, zero_at=drained_at)


@case(f"{RULE}-begun @ {BLOCK}.active", f"reservation-as-declared @ {BLOCK}.ends")
def an_extended_block_that_is_not_said_to_run() -> Fleet:
    return described(**OUT_OF_DATE, facts=EXTENDED)


@case(f"reservation-as-declared @ {BLOCK}.starts")
def a_block_that_began_before_it_was_said_to() -> Fleet:
    return described(**{**NOW, "starts": "2026-11-22"}, facts=known())


@case(f"reservation-usable @ {BLOCK}.id", f"reservation-as-declared @ {BLOCK}.ends")
def a_block_that_aws_says_is_over() -> Fleet:
    return described(**NOW, facts=known(end="2026-11-20T11:30:00Z"))


@case()
def a_block_that_waits_on_its_first_day() -> Fleet:
    times = {"start": "2026-11-21T11:30:00Z", "end": "2026-11-28T11:30:00Z"}
    return described(starts="2026-11-21", ends="2026-11-28", facts=known(state="scheduled", **times))


@case(f"reservation-as-declared @ {BLOCK}.starts", f"reservation-as-declared @ {BLOCK}.ends")
def aws_has_other_dates() -> Fleet:
    return described(**{**NOW, "starts": "2026-11-15", "ends": "2026-11-29"}, facts=known())


# the first nodes


@case(f"{RULE}-waits @ {BLOCK}.active")
def aws_says_that_it_has_not_begun() -> Fleet:
    return described(**NOW, facts=known(state="scheduled"))


@case(f"{RULE}-waits @ {BLOCK}.active")
def a_foreign_group_with_nodes_before_its_block_begins() -> Fleet:
    return theirs(facts=known(**WAITING))


@case(unjudged=(f"{RULE}-waits @ {WORKERS}", f"nodes-in-order @ {WORKERS}", f"subnet-holds-nodes @ {WORKERS}"))
def a_foreign_group_that_may_have_nodes_before_its_block_begins() -> Fleet:
    return theirs(facts=known(**WAITING), nodes_start=UNKNOWN)


@case()
def a_foreign_group_that_waits_for_its_block() -> Fleet:
    return theirs(facts=known(**WAITING), nodes_min=0, nodes_start=0)


# the end of self-managed groups


def drained(*moments: str, **more: Any) -> Fleet:
    return described(**{**NOW, "managed": False, "zero_at": tuple(moments), "facts": known(), **more})


@case()
def drained_an_hour_before_the_end() -> Fleet:
    return drained("2026-11-28T10:30:00Z")


@case()
def nothing_to_drain_where_there_are_no_nodes() -> Fleet:
    return drained(nodes_start=0)


@case()
def drained_in_time_by_a_clock_of_elsewhere() -> Fleet:
    """Half past ten, in UTC."""
    return drained("2026-11-28T12:30:00+02:00")


@case()
def drained_in_time_by_no_clock_that_is_named() -> Fleet:
    """Then it is UTC's."""
    return drained("2026-11-28T10:30:00")


@case()
def drained_just_in_time() -> Fleet:
    return drained("2026-11-28T10:57:00Z")


@case(f"{RULE}-drained @ {BLOCK}.ends")
def drained_so_that_two_minutes_late_is_too_late() -> Fleet:
    return drained("2026-11-28T10:58:00Z")


@case()
def not_drained_while_it_is_not_active() -> Fleet:
    return described(**NEXT, managed=False, facts=known(**WAITING))


@case(f"{RULE}-drained @ {BLOCK}.ends")
def drained_at_no_time_that_anyone_could_read() -> Fleet:
    return drained("next week")


@case(f"{RULE}-drained @ {BLOCK}.ends")
def drained_after_the_end_that_aws_knows() -> Fleet:
    return drained("2026-11-28T10:30:00Z", facts=known(end="2026-11-27T11:30:00Z"))


@case(f"{RULE}-drained @ {BLOCK}.ends")
def never_drained() -> Fleet:
    return drained()


FOREIGN = {"managed": False, "capacity_type": None}
ENDLESS = known(end=None)


@case(f"{RULE}-drained @ {BLOCK}.ends")
def a_foreign_group_that_is_never_drained() -> Fleet:
    return theirs(**FOREIGN, facts=ENDLESS)


@case(f"{RULE}-drained @ {BLOCK}.ends")
def a_foreign_group_drained_too_late() -> Fleet:
    return theirs(**FOREIGN, zero_at=("2026-11-28T11:15:00Z",))


@case(unjudged=(f"{RULE}-drained @ {WORKERS}",))
def a_foreign_group_whose_block_ends_nobody_knows_when() -> Fleet:
    return theirs(**FOREIGN, facts=ENDLESS, zero_at=("2026-11-28T10:30:00Z",))


@case(unjudged=(f"{RULE}-drained @ {WORKERS}",))
def a_schedule_not_yet_known() -> Fleet:
    return theirs(**FOREIGN, zero_at=UNKNOWN)


GB200 = {"instance": "p6e-gb200.36xlarge", "interfaces": ()}


@case(
    f"{RULE}-drained @ {BLOCK}.ends",
    f"{RULE}-instance-type @ {WORKERS}.instance",
    unjudged=(f"subnet-holds-nodes @ {WORKERS}",),
)
def ultraservers_drained_an_hour_before_the_end() -> Fleet:
    known_ = known(instanceType="p6e-gb200.36xlarge")
    return theirs(**FOREIGN, template=GB200, facts=known_, zero_at=("2026-11-28T10:30:00Z",))


@case(f"{RULE}-instance-type @ {WORKERS}.instance", unjudged=(f"subnet-holds-nodes @ {WORKERS}",))
def ultraservers_drained_90_minutes_before_the_end() -> Fleet:
    known_ = known(instanceType="p6e-gb200.36xlarge")
    return theirs(**FOREIGN, template=GB200, facts=known_, zero_at=("2026-11-28T10:00:00Z",))


# placement


@case(f"{RULE}-no-placement-group @ {BLOCK}")
def a_block_in_a_placement_group() -> Fleet:
    return theirs(template={"placement_group": Ref(PLACEMENT_GROUP, "workers")})


@case(f"{RULE}-no-placement-group @ {BLOCK}")
def a_block_in_a_placement_group_not_yet_known() -> Fleet:
    return theirs(template={"placement_group": UNKNOWN})


# buying


BOUGHT = Ref(CAPACITY_BLOCK, "p5")


OFFERING = "cb-0123456789abcdef0"


def bought(by: object = "head.of.research", offering: object = OFFERING, approved: object = OFFERING) -> Any:
    return CapacityBlockPurchase(BOUGHT, offering, by, approved, Place(f"{BLOCK}.buy"))


def buying(*things: object, **said: Any) -> Fleet:
    purchase = {"buy": {"offering": OFFERING, "approved": {"offering": OFFERING, "by": "head.of.research"}}}
    return described(*things, template=on(BOUGHT), **{**NEXT, **purchase, **said})


UNSEEN = f"reservation-instance-type-matches @ {WORKERS}"


@case(unjudged=(UNSEEN,))
def a_block_to_buy() -> Fleet:
    return buying(bought())


@case(f"{RULE}-purchase-approved @ {BLOCK}.buy.approved", unjudged=(UNSEEN,))
def a_block_that_nobody_approves() -> Fleet:
    return buying(bought(None))


@case(f"{RULE}-purchase-approved @ {BLOCK}.buy.approved")
def a_block_that_spaces_approve() -> Fleet:
    return a_fleet(bought("  ", offering=UNKNOWN))


@case(f"{RULE}-purchase-approved @ {BLOCK}.buy.approved")
def a_block_of_which_no_offering_is_approved() -> Fleet:
    return a_fleet(bought(approved=None))


@case(f"{RULE}-purchase-approved @ {BLOCK}.buy.approved", unjudged=(UNSEEN,))
def an_approval_of_another_offering() -> Fleet:
    return buying(bought(approved="cb-0fedcba9876543210"))


@case(unjudged=(f"{RULE}-purchase-approved @ {BLOCK}.buy",))
def an_approval_not_yet_known() -> Fleet:
    return a_fleet(bought(UNKNOWN))


@case(unjudged=(f"{RULE}-purchase-approved @ {BLOCK}.buy",))
def an_offering_not_yet_known() -> Fleet:
    return a_fleet(bought(offering=UNKNOWN))


PAST = {"starts": "2026-11-07", "ends": "2026-11-21"}


@case(f"{RULE}-not-bought-again @ {BLOCK}.buy", unjudged=(UNSEEN,))
def a_block_to_buy_that_is_over() -> Fleet:
    return buying(bought(), **PAST)


@case(f"{RULE}-not-bought-again @ {BLOCK}.buy", unjudged=(UNSEEN,))
def a_block_to_buy_that_is_over_and_active() -> Fleet:
    return buying(bought(), **PAST, active=True)


@case(f"{RULE}-kept-by-id @ {BLOCK}.buy", unjudged=(UNSEEN,))
def a_bought_block_that_runs() -> Fleet:
    return buying(bought(), **NOW)


@case(f"{RULE}-length @ {BLOCK}.ends", unjudged=(UNSEEN,))
def a_block_bought_for_15_days() -> Fleet:
    return buying(bought(), starts="2026-12-01", ends="2026-12-16")


@case(f"{RULE}-length @ {BLOCK}.starts", unjudged=(UNSEEN,))
def a_block_bought_nine_weeks_ahead() -> Fleet:
    return buying(bought(), starts="2027-01-17", ends="2027-01-18")


@case(unjudged=(UNSEEN,))
def a_block_bought_eight_weeks_ahead() -> Fleet:
    return buying(bought(), starts="2027-01-16", ends="2027-01-17")


@case(f"reservation-covers-nodes @ {BLOCK}.count", unjudged=(UNSEEN,))
def more_nodes_than_are_bought() -> Fleet:
    return buying(bought(), nodes_max=2)


@case(
    unjudged=(
        UNSEEN,
        f"{RULE}-waits @ {WORKERS}",
        f"reservation-covers-nodes @ {WORKERS}",
        f"reservation-zone-matches-subnet @ {WORKERS}",
    )
)
def a_foreign_group_on_a_block_to_buy() -> Fleet:
    return theirs(bought(), template=on(BOUGHT))
