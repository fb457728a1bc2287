"""Kueue beside HyperPod's task governance."""

import pulumi_aws as aws

from tests.policies.programs.kubernetes import releases
from tests.policies.programs.world import a_world

AT = {"kueue"}


def passing() -> None:
    a_world()
    releases(("oci://registry.k8s.io/kueue/charts/kueue", "0.19.2"))


def failing() -> None:
    world = a_world()
    aws.eks.Addon("governance", cluster_name=world.cluster.name, addon_name="amazon-sagemaker-hyperpod-taskgovernance")
    releases(("oci://registry.k8s.io/kueue/charts/kueue", "0.19.2"))
