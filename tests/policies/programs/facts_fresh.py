"""Facts of a month ago."""

from muster.fleet.facts import Facts
from tests.factories import facts
from tests.policies.programs.world import a_template, a_world, workers

AT = {"training"}

_EVERY = {"L-F678F1CE": 5, "L-1194D53C": 100, "L-6D54EA21": 30}


def seen_on(day: str) -> Facts:
    return facts(observed=f"{day}T10:00:00Z", quotas=_EVERY, permissions={"ec2:RunInstances": True})


FACTS = seen_on("2026-11-20")
FAILING_FACTS = seen_on("2026-10-21")


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


failing = passing
