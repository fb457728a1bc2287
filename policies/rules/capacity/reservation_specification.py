"""A launch template's CapacityReservationSpecification: preference and target."""

from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import BLOCK_MARKET
from muster.unknown import stored


def reservation_target_clear(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _single(thing, fleet, rule)
    if isinstance(thing, LaunchTemplate):
        yield from _given(thing, fleet, rule)
        yield from _preference(thing, fleet, rule)


def _given(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Whether a specification has a target or a preference."""
    given = "capacityReservationSpecification" in template.settings
    if given and stored(template.target, "preference") is None and not template.target.has_target:
        got = f"{rule.key(template, 'capacity')} sets neither a target nor a preference"
        change = (set_to(words="cr-...", at="capacity.reservation.id"), remove())
        yield rule.finding(template, "capacity", got=got, change=change)


def _single(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Whether a target is a reservation or a group."""
    target = thing.target
    # A value that is set counts as set, even if it is unknown.
    if stored(target, "reservation") is not None and stored(target, "group") is not None:
        got = "the target sets both the id of a reservation and the ARN of a reservation group"
        change = (remove(at="capacity.reservation.id"), remove(at="capacity.reservation-group.arn"))
        yield rule.finding(thing, "capacity", got=got, change=change)


# "You can only specify CapacityReservationPreference and CapacityReservationTarget if the CapacityReservationPreference
# is capacity-reservations-only" (EC2 API). Older text and eksctl allow none with a target; the rule follows the API.
_REFUSED = ("open", "none")


def _preference(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Whether a preference agrees with a target."""
    if template.target.has_target and template.target.preference in _REFUSED:
        got = f"the template sets a target and the reservation preference '{template.target.preference}'"
        yield rule.finding(template, "capacity", got=got, change=(remove(at=_PREFERENCE), _ONLY))


_PREFERENCE = "capacityReservationPreference"
_ONLY = set_to("capacity-reservations-only", at=_PREFERENCE)
_NEVER_ON_DEMAND = (BLOCK_MARKET, "interruptible-capacity-reservation")
"""Market types whose launches fail if the reservation is full."""


def reservation_group_preference(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = template.target
    # reservation-target-clear reports other preferences, and two targets.
    single = stored(target, "group") is not None and stored(target, "reservation") is None
    if not single or stored(target, "preference") is not None:
        return
    if template.market_type not in _NEVER_ON_DEMAND:
        got = "the template targets a reservation group without a preference: if it is full, nodes launch on demand"
        yield rule.finding(template, "capacity", got=got, change=_ONLY)
