"""The HyperPod cluster: `AWS::SageMaker::Cluster`, with what its instances need."""

from collections.abc import Sequence

import pulumi

from infra.efa_security_group import EfaSecurityGroup
from infra.joined import Joined
from infra.surroundings import Surroundings
from muster.fleet.blueprint import Blueprint
from muster.fleet.hyperpod.operation import id_of, log_group


class HyperPod(pulumi.ComponentResource):
    """A HyperPod cluster on an EKS control plane."""

    name: pulumi.Output[str]
    arn: pulumi.Output[str]
    role_arn: pulumi.Output[str]
    """Of its instances."""
    bucket: pulumi.Output[str] | None
    """The bucket of lifecycle scripts, where it has one of its own."""

    def __init__(
        self,
        blueprint: Blueprint,
        cluster: Joined,
        around: Surroundings,
        efa: EfaSecurityGroup | None,
        needed: Sequence[pulumi.Resource],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("muster:infra:HyperPod", "hyperpod", None, opts)
        raise NotImplementedError("infra7 builds this")

    @property
    def cluster_id(self) -> pulumi.Output[str]:
        """The last part of its ARN."""
        return self.arn.apply(id_of)

    @property
    def log_group(self) -> pulumi.Output[str]:
        """The name of its CloudWatch log group."""
        return pulumi.Output.all(self.name, self.cluster_id).apply(lambda known: log_group(*known))
