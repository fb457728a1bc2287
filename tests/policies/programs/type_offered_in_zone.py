"""g5.8xlarge in a zone that does not offer it to this account."""

from tests.factories import facts
from tests.policies.programs.world import a_world, plain_template, workers

AT = {"workers"}
FACTS = facts(offerings={"g5.8xlarge": ["us-west-2a"]})
FAILING_FACTS = facts(offerings={"g5.8xlarge": ["us-west-2b", "us-west-2c"]})


def passing() -> None:
    world = a_world(availability_zone_id="usw2-az4")
    workers(world, plain_template(world, instance_type="g5.8xlarge"))


failing = passing
