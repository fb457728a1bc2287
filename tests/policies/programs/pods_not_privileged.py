"""A job whose container is root on its node."""

from typing import Any

from tests.policies.programs.kubernetes import EFA, GPU, a_pytorch_job, a_spec, gpu_workers
from tests.policies.programs.world import a_world

AT = {"train"}


def a_job(**security: Any) -> None:
    gpu_workers(a_world())
    spec = a_spec({GPU: 8, EFA: 4})
    spec["containers"][0]["securityContext"] = security
    a_pytorch_job(spec)


def passing() -> None:
    a_job(capabilities={"add": ["IPC_LOCK"]})


def failing() -> None:
    a_job(privileged=True)
