"""More memory than a node of p4d.24xlarge has for pods."""

from tests.policies.programs.kubernetes import a_batch_job, a_spec, gpu_workers
from tests.policies.programs.world import a_world

AT = {"train"}


def passing() -> None:
    gpu_workers(a_world())
    a_batch_job(a_spec({"memory": "1000Gi"}))


def failing() -> None:
    gpu_workers(a_world())
    a_batch_job(a_spec({"memory": "1152Gi"}))
