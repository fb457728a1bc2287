"""An image of p4d's days on p5."""

from tests.policies.programs.kubernetes import GPU, a_batch_job, a_spec

AT = {"train"}
ON_P5 = {"node.kubernetes.io/instance-type": "p5.48xlarge"}
NCCL = "public.ecr.aws/hpc-cloud/nccl-tests"


def passing() -> None:
    image = f"{NCCL}:cuda12.8.1-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4"
    a_batch_job(a_spec({GPU: 8}, image=image, nodeSelector=ON_P5))


def failing() -> None:
    image = f"{NCCL}:cuda12.2.2-efa1.26.1-ofiv1.7.1-ncclv2.18.5-1-testsv2.13.8"
    a_batch_job(a_spec({GPU: 8}, image=image, nodeSelector=ON_P5))
