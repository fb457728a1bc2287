"""Programs about pods."""

from base64 import b64encode

import pulumi_kubernetes as kubernetes

from tests.policies.programs.kubernetes import EFA, GPU, a_batch_job, a_pytorch_job, a_spec, gpu_workers
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import a_world


@keeps("devices-within-instance")
def a_job_on_whole_nodes() -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 8, EFA: 4}))


@breaks("devices-within-instance", "More GPUs in one pod than a node has.", at={"train"})
def breaks_devices_within_instance() -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 9, EFA: 4}))


def a_pod(**limits: str) -> None:
    resources = {"limits": {"hugepages-1Gi": "2Gi", **limits}}
    kubernetes.core.v1.Pod("train", spec={"containers": [{"name": "train", "image": "train", "resources": resources}]})


def user_data() -> str:
    return b64encode(b"#!/bin/bash\necho 5128 > /proc/sys/vm/nr_hugepages\n").decode()


@keeps("huge-pages-within-node")
def keeps_huge_pages_within_node() -> None:
    gpu_workers(a_world(), user_data=user_data())
    a_batch_job(a_spec({"hugepages-2Mi": "10256Mi"}))


@breaks("huge-pages-within-node", "More huge pages than the user data reserves.", at={"train"})
def breaks_huge_pages_within_node() -> None:
    gpu_workers(a_world(), user_data=user_data())
    a_batch_job(a_spec({"hugepages-2Mi": "10258Mi"}))


NCCL = "public.ecr.aws/hpc-cloud/nccl-tests"
