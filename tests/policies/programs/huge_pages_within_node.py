"""More huge pages than user data sets aside."""

from base64 import b64encode

from tests.policies.programs.kubernetes import a_batch_job, a_spec, gpu_workers
from tests.policies.programs.world import a_world

AT = {"train"}


def user_data() -> str:
    return b64encode(b"#!/bin/bash\necho 5128 > /proc/sys/vm/nr_hugepages\n").decode()


def passing() -> None:
    gpu_workers(a_world(), user_data=user_data())
    a_batch_job(a_spec({"hugepages-2Mi": "10256Mi"}))


def failing() -> None:
    gpu_workers(a_world(), user_data=user_data())
    a_batch_job(a_spec({"hugepages-2Mi": "10258Mi"}))
