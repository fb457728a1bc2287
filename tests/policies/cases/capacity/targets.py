"""Preferences and targets of templates."""

from muster.fleet.resources import CapacityTarget, Fleet
from tests.factories import CR, a_fleet, a_template, reservation_facts
from tests.policies.case import cases

GROUP_ARN = "arn:aws:resource-groups:us-west-2:000000000000:group/p5"


def targeting(settings: frozenset[str] = frozenset(), **target: object) -> Fleet:
    return a_fleet(a_template(target=CapacityTarget(**target), settings=settings), facts=reservation_facts())


cases(
    open_beside_a_target=lambda: targeting(preference="open", reservation=CR),
    two_targets=lambda: targeting(reservation=CR, group=GROUP_ARN),
)
