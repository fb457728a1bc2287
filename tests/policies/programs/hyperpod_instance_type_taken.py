"""EC2 has p3dn.24xlarge, HyperPod has not."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    on = ground()
    cluster(on, [a_group(on, instance_type="ml.p3dn.24xlarge")])
