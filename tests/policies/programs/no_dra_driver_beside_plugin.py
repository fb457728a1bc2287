"""EFA interfaces by a device plugin and by DRA."""

from tests.policies.programs.kubernetes import gpu_workers, releases
from tests.policies.programs.world import a_world

AT = {"aws-dranet"}


def passing() -> None:
    gpu_workers(a_world())
    releases(("aws-dranet", "1.0.0"))


def failing() -> None:
    gpu_workers(a_world())
    releases(("aws-dranet", "1.0.0"), ("aws-efa-k8s-device-plugin", "v0.5.30"))
