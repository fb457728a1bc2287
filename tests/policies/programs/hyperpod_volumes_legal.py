"""A volume larger than there are."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    on = ground()
    cluster(on, [a_group(on, instance_storage_configs=[{"ebs_volume_config": {"volume_size_in_gb": 20000}}])])
