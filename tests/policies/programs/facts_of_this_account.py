"""Facts of another Region."""

from tests.factories import facts
from tests.policies.programs.world import a_template, a_world, workers

AT = {"training"}

FACTS = facts(account={"id": "222233334444", "partition": "aws", "region": "us-west-2"})
FAILING_FACTS = facts(account={"id": "222233334444", "partition": "aws", "region": "us-east-1"})


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


failing = passing
