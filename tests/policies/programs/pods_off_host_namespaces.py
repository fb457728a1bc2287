"""A job on its node's network."""

from typing import Any

from tests.policies.programs.kubernetes import EFA, GPU, a_pytorch_job, a_spec, gpu_workers
from tests.policies.programs.world import a_world

AT = {"train"}


def a_job(**more: Any) -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 8, EFA: 4}, **more))


def passing() -> None:
    a_job()


def failing() -> None:
    a_job(hostNetwork=True)
