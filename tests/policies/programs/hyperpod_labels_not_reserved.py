"""HyperPod's own word on a node's health, said by a program."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    on = ground()
    cluster(on, [a_group(on, kubernetes_config={"labels": {"example.com/team": "ml"}})])


def failing() -> None:
    on = ground()
    labels = {"sagemaker.amazonaws.com/node-health-status": "Schedulable"}
    cluster(on, [a_group(on, kubernetes_config={"labels": labels})])
