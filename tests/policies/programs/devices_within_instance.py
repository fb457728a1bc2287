"""More GPUs in one pod than a node has."""

from tests.policies.programs.kubernetes import EFA, GPU, a_pytorch_job, a_spec, gpu_workers
from tests.policies.programs.world import a_world

AT = {"train"}


def passing() -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 8, EFA: 4}))


def failing() -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 9, EFA: 4}))
