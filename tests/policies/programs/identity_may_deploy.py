"""An identity that may make no cluster."""

from tests.factories import facts
from tests.policies.programs.world import a_template, a_world, workers

AT = {"training"}

FACTS = facts(permissions={"eks:CreateCluster": True, "ec2:RunInstances": True})
FAILING_FACTS = facts(permissions={"eks:CreateCluster": False, "ec2:RunInstances": True})


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


failing = passing
