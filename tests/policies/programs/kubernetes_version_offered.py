"""A version that EKS itself does not offer any more."""

from tests.factories import facts
from tests.policies.programs.world import a_template, a_world, workers

AT = {"training"}
FACTS = facts(kubernetesVersions={"1.35": {"offered": True}})
FAILING_FACTS = facts(kubernetesVersions={"1.35": {"offered": False}})


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


failing = passing
