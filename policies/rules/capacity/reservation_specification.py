"""A launch template's CapacityReservationSpecification: preference and target."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from muster.message_text import did_you_mean
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.capacity_targets import BLOCK_MARKET


@rule(
    "reservation-target-given",
    title="A reservation block names a target or a preference",
    judges=LaunchTemplate,
    why="A misspelt key leaves the block empty: the template launches on-demand, beside a reservation that bills.",
    source="EC2 API, CapacityReservationSpecification; eksctl#8542, eksctl#7906",
    remedy="Name the reservation in capacityReservationTarget.",
    facts=("rules.md#27", "pains.md#3"),
)
def reservation_target_given(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    given = "capacityReservationSpecification" in template.settings
    if given and template.target.preference is None and not template.target.has_target:
        yield rule.finding(
            template.place,
            at="capacity",
            got="capacityReservationSpecification names neither a target nor a preference",
            remedy="write capacityReservationTarget: {capacityReservationId: cr-...}, or remove the block",
        )


@rule(
    "reservation-target-single",
    title="A template targets a reservation or a reservation group, not both",
    judges=LaunchTemplate | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="EC2 refuses a target with both.",
    source="EC2 API, CapacityReservationTarget; eksctl validation.go; ParallelCluster cluster_schema.py",
    remedy="Keep one of the two.",
    facts=("rules.md#27", "hardware.md#R13", "pains.md#3"),
)
def reservation_target_single(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = thing.target
    if target is UNKNOWN:
        yield rule.unjudged(thing.place, "CapacityReservationTarget, not known before creation")
    # What is set is set, known or not.
    elif target.reservation is not None and target.group is not None:
        yield rule.finding(
            thing.place,
            at="capacity",
            got="a reservation's id and a reservation group's ARN as targets",
            remedy="remove CapacityReservationId or CapacityReservationResourceGroupArn"
            if isinstance(thing, ComputeResource)
            else "remove capacityReservationId or capacityReservationResourceGroupArn",
        )


# eksctl knows the first two only; the EC2 model has the third as well.
_KNOWN = ("open", "none", "capacity-reservations-only")


@rule(
    "reservation-preference-known",
    title="A reservation preference is open, none or capacity-reservations-only",
    judges=LaunchTemplate,
    why="EC2 refuses any other word.",
    source="EC2 API, CapacityReservationSpecification",
    remedy="Write open, none or capacity-reservations-only, or leave it out.",
    facts=("rules.md#27", "hardware.md#D23"),
)
def reservation_preference_known(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    preference = template.target.preference
    if preference is UNKNOWN:
        yield rule.unjudged(template.place, "capacityReservationPreference, not known before creation")
    elif preference is not None and preference not in _KNOWN:
        yield rule.finding(
            template.place,
            at="capacity",
            got=f"the reservation preference '{preference}'{did_you_mean(preference, _KNOWN)}",
            remedy="write one of open, none and capacity-reservations-only, or leave capacityReservationPreference out",
        )


# "You can only specify CapacityReservationPreference and CapacityReservationTarget if the CapacityReservationPreference
# is capacity-reservations-only" (EC2 API). Older text and eksctl allow none beside a target; the API is followed.
_REFUSED = ("open", "none")


@rule(
    "reservation-preference-beside-target",
    title="Beside a targeted reservation the only preference is capacity-reservations-only",
    judges=LaunchTemplate,
    why="EC2 refuses a target together with open or none.",
    source="EC2 API, CapacityReservationSpecification; eksctl validation.go",
    remedy="Leave the preference out, or say capacity-reservations-only.",
    facts=("rules.md#27", "hardware.md#R13"),
)
def reservation_preference_beside_target(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # A preference that is unknown, or is no such word, is reservation-preference-known's to say.
    if template.target.has_target and template.target.preference in _REFUSED:
        yield rule.finding(
            template.place,
            at="capacity",
            got=f"the reservation preference '{template.target.preference}' beside a target",
            remedy="remove capacityReservationPreference, or make it capacity-reservations-only",
        )


_ONLY = "capacity-reservations-only"


@rule(
    "reservation-group-preference",
    title="Beside a reservation group stands the preference capacity-reservations-only",
    judges=LaunchTemplate,
    why="Where nothing in a targeted group matches, EC2 silently launches on demand: outside the reservation, at full "
    "price, perhaps far away. A target by id fails instead.",
    source="EC2 user guide, Launch into a Capacity Reservation group; EC2 API, CapacityReservationSpecification",
    remedy="Say capacityReservationPreference capacity-reservations-only.",
    facts=("rules.md#27", "hardware.md#d1"),
)
def reservation_group_preference(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = template.target
    # Other words are reservation-preference-beside-target's, two targets reservation-target-single's. A launch of the
    # market type capacity-block never falls back.
    if target.group is None or target.reservation is not None or target.preference is not None:
        return
    if template.market_type != BLOCK_MARKET:
        yield rule.finding(
            template.place,
            at="capacity",
            got="a reservation group as target without a preference: when it is full, nodes launch on demand",
            remedy=f"add capacityReservationPreference: {_ONLY} beside the target",
        )
