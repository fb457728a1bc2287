"""An image that AWS made for p5, on p6-b300."""

from tests.policies.programs.kubernetes import GPU, a_batch_job, a_spec

AT = {"train"}
ON_P6 = {"node.kubernetes.io/instance-type": "p6-b300.48xlarge"}
NCCL = "public.ecr.aws/hpc-cloud/nccl-tests"


def passing() -> None:
    image = f"{NCCL}:cuda13.0.2-efa1.48.0-ofiv1.19.0-ncclv2.30.4-1-testsv2.18.3"
    a_batch_job(a_spec({GPU: 8}, image=image, nodeSelector=ON_P6))


def failing() -> None:
    image = f"{NCCL}:cuda12.8.1-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4"
    a_batch_job(a_spec({GPU: 8}, image=image, nodeSelector=ON_P6))
