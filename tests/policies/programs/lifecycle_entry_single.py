"""A script before HyperPod's set-up and one after it."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    on = ground()
    both = {"on_create": "on_create.sh", "on_init_complete": "on_create.sh"}
    cluster(on, [a_group(on, life_cycle_config={"source_s3_uri": on.scripts, **both})])
