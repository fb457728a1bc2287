"""One type, and a list of types beside it."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    on = ground()
    types = {"instance_types": ["ml.p4d.24xlarge", "ml.p4de.24xlarge"]}
    cluster(on, [a_group(on, instance_type=None, instance_requirements=types)])


def failing() -> None:
    on = ground()
    cluster(on, [a_group(on, instance_requirements={"instance_types": ["ml.p4d.24xlarge"]})])
