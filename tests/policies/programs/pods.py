"""Programs about pods."""

from base64 import b64encode

import pulumi_kubernetes as kubernetes

from tests.policies.programs.kubernetes import EFA, GPU, a_batch_job, a_deployment, a_pytorch_job, a_spec, gpu_workers
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import a_world


@keeps("devices-within-instance", "whole-node-asks-all-efa")
def a_job_on_whole_nodes() -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 8, EFA: 4}))


@keeps("devices-asked-as-limits")
def keeps_devices_asked_as_limits() -> None:
    gpu_workers(a_world())
    a_deployment(a_spec({GPU: 8, EFA: 4}, requests={GPU: 8, EFA: 4}))


@breaks("devices-asked-as-limits", "GPUs that are requested and not limited.", at={"train"})
def breaks_devices_asked_as_limits() -> None:
    gpu_workers(a_world())
    a_deployment(a_spec({EFA: 4}, requests={GPU: 8, EFA: 4}))


@breaks("devices-within-instance", "More GPUs in one pod than a node has.", at={"train"})
def breaks_devices_within_instance() -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 9, EFA: 4}))


def a_pod(**limits: str) -> None:
    resources = {"limits": {"hugepages-1Gi": "2Gi", **limits}}
    kubernetes.core.v1.Pod("train", spec={"containers": [{"name": "train", "image": "train", "resources": resources}]})


keeps("huge-pages-beside-memory")(lambda: a_pod(memory="4Gi"))
breaks("huge-pages-beside-memory", "Huge pages, and neither CPU nor memory.", at={"train"})(a_pod)

keeps("huge-pages-whole")(lambda: a_deployment(a_spec({"hugepages-1Gi": "2Gi"})))
breaks("huge-pages-whole", "Huge pages without a unit.", at={"train"})(
    lambda: a_deployment(a_spec({"hugepages-1Gi": "2"}))
)


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


@keeps("infiniband-not-from-host")
def keeps_infiniband_not_from_host() -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 8, EFA: 4}, volumes=[{"name": "shm", "emptyDir": {"medium": "Memory"}}]))


@breaks("infiniband-not-from-host", "EFA's device files from the node.", at={"train"})
def breaks_infiniband_not_from_host() -> None:
    gpu_workers(a_world())
    volumes = [{"name": "ib", "hostPath": {"path": "/dev/infiniband/"}}]
    a_pytorch_job(a_spec({GPU: 8, EFA: 4}, volumes=volumes))


ON_TRN1 = {"node.kubernetes.io/instance-type": "trn1.32xlarge"}

keeps("neuron-devices-connected")(lambda: a_batch_job(a_spec({"aws.amazon.com/neuron": 4}, nodeSelector=ON_TRN1)))
breaks("neuron-devices-connected", "Two devices of trn1.32xlarge.", at={"train"})(
    lambda: a_batch_job(a_spec({"aws.amazon.com/neuron": 2}, nodeSelector=ON_TRN1))
)

ON_P5 = {"node.kubernetes.io/instance-type": "p5.48xlarge"}
NCCL = "public.ecr.aws/hpc-cloud/nccl-tests"


@keeps("p5-image-new-enough")
def keeps_p5_image_new_enough() -> None:
    image = f"{NCCL}:cuda12.8.1-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4"
    a_batch_job(a_spec({GPU: 8}, image=image, nodeSelector=ON_P5))


@breaks("p5-image-new-enough", "An image for p4d on p5.", at={"train"})
def breaks_p5_image_new_enough() -> None:
    image = f"{NCCL}:cuda12.2.2-efa1.26.1-ofiv1.7.1-ncclv2.18.5-1-testsv2.13.8"
    a_batch_job(a_spec({GPU: 8}, image=image, nodeSelector=ON_P5))


ON_P6 = {"node.kubernetes.io/instance-type": "p6-b300.48xlarge"}


@keeps("p6-image-new-enough")
def keeps_p6_image_new_enough() -> None:
    image = f"{NCCL}:cuda13.0.2-efa1.48.0-ofiv1.19.0-ncclv2.30.4-1-testsv2.18.3"
    a_batch_job(a_spec({GPU: 8}, image=image, nodeSelector=ON_P6))


@breaks("p6-image-new-enough", "An image that AWS made for p5, on p6-b300.", at={"train"})
def breaks_p6_image_new_enough() -> None:
    image = f"{NCCL}:cuda12.8.1-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4"
    a_batch_job(a_spec({GPU: 8}, image=image, nodeSelector=ON_P6))


@keeps("part-of-node-asks-part-of-efa")
def keeps_part_of_node_asks_part_of_efa() -> None:
    gpu_workers(a_world())
    a_batch_job(a_spec({GPU: 4, EFA: 2}))


@breaks("part-of-node-asks-part-of-efa", "Half of the GPUs of a node, and all of its EFA interfaces.", at={"train"})
def breaks_part_of_node_asks_part_of_efa() -> None:
    gpu_workers(a_world())
    a_batch_job(a_spec({GPU: 4, EFA: 4}))


@keeps("pod-fits-node")
def keeps_pod_fits_node() -> None:
    gpu_workers(a_world())
    a_batch_job(a_spec({"memory": "1000Gi"}))


@breaks("pod-fits-node", "More memory than a node of p4d.24xlarge has for pods.", at={"train"})
def breaks_pod_fits_node() -> None:
    gpu_workers(a_world())
    a_batch_job(a_spec({"memory": "1152Gi"}))


@breaks("whole-node-asks-all-efa", "All GPUs of a node, and one of its four EFA interfaces.", at={"train"})
def breaks_whole_node_asks_all_efa() -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 8, EFA: 1}))
