"""Half of the GPUs of a node, and all of its EFA interfaces."""

from tests.policies.programs.kubernetes import EFA, GPU, a_batch_job, a_spec, gpu_workers
from tests.policies.programs.world import a_world

AT = {"train"}


def passing() -> None:
    gpu_workers(a_world())
    a_batch_job(a_spec({GPU: 4, EFA: 2}))


def failing() -> None:
    gpu_workers(a_world())
    a_batch_job(a_spec({GPU: 4, EFA: 4}))
