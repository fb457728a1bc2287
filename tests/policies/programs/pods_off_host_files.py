"""A job that mounts its node's root."""

from tests.policies.programs.kubernetes import EFA, GPU, a_pytorch_job, a_spec, gpu_workers
from tests.policies.programs.world import a_world

AT = {"train"}


def a_job(path: str) -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 8, EFA: 4}, volumes=[{"name": "host", "hostPath": {"path": path}}]))


def passing() -> None:
    a_job("/opt/dlami/nvme")


def failing() -> None:
    a_job("/")
