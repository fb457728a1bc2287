"""The FSx CSI driver by EKS and by its chart."""

import pulumi_aws as aws

from tests.policies.programs.kubernetes import releases
from tests.policies.programs.world import a_world

AT = {"aws-fsx-csi-driver"}


def passing() -> None:
    a_world()
    releases(("aws-fsx-csi-driver", "1.17.0"))


def failing() -> None:
    world = a_world()
    aws.eks.Addon("a-driver", cluster_name=world.cluster.name, addon_name="aws-fsx-csi-driver")
    releases(("aws-fsx-csi-driver", "1.17.0"))
