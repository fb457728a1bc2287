"""GPUs that are requested and not limited."""

from tests.policies.programs.kubernetes import EFA, GPU, a_deployment, a_spec, gpu_workers
from tests.policies.programs.world import a_world

AT = {"train"}


def passing() -> None:
    gpu_workers(a_world())
    a_deployment(a_spec({GPU: 8, EFA: 4}, requests={GPU: 8, EFA: 4}))


def failing() -> None:
    gpu_workers(a_world())
    a_deployment(a_spec({EFA: 4}, requests={GPU: 8, EFA: 4}))
