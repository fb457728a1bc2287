"""Two devices of trn1.32xlarge."""

from tests.policies.programs.kubernetes import a_batch_job, a_spec

AT = {"train"}
ON_TRN1 = {"node.kubernetes.io/instance-type": "trn1.32xlarge"}


def passing() -> None:
    a_batch_job(a_spec({"aws.amazon.com/neuron": 4}, nodeSelector=ON_TRN1))


def failing() -> None:
    a_batch_job(a_spec({"aws.amazon.com/neuron": 2}, nodeSelector=ON_TRN1))
