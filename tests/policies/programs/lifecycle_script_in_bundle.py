"""A script that nobody uploads."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    on = ground()
    cluster(on, [a_group(on, life_cycle_config={"source_s3_uri": on.scripts, "on_create": "start.sh"})])
