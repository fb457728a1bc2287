"""Resources that no view reads are reported by type: without a report, they would look like a pass."""

import pytest

from muster.fleet.registration import Registration
from muster.policies.views import unread


def a(type_: str, name: str = "it", *, parent: str = "", custom: bool = True) -> Registration:
    return Registration(f"urn:pulumi:dev::p::{type_}::{name}", type_, name, {}, parent=parent, custom=custom)


PARENT = a("eks:index:Cluster", "full", custom=False)


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        (["aws:ec2/instance:Instance"] * 2, {"aws:ec2/instance:Instance": 2}),
        (["aws:batch/computeEnvironment:ComputeEnvironment"], {"aws:batch/computeEnvironment:ComputeEnvironment": 1}),
        # The same resource of another provider is not the one that is read.
        (["aws:eks/cluster:Cluster", "aws-native:eks:Cluster"], {"aws-native:eks:Cluster": 1}),
        (["aws:ec2/subnet:Subnet", "aws-native:ec2:Subnet"], {"aws-native:ec2:Subnet": 1}),
        (["kubernetes:karpenter.sh/v1:NodeClaim"], {"kubernetes:karpenter.sh/v1:NodeClaim": 1}),
        # Views, what they read beside them, plumbing, and what is out of the rules' scope.
        (["kubernetes:karpenter.sh/v1alpha1:NodeOverlay", "aws-native:sagemaker:Cluster"], {}),
        (["aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"], {}),
        (["aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"], {}),
        (["aws:ec2/vpc:Vpc", "aws-native:ec2:RouteTable", "aws:lambda/function:Function"], {}),
        (["aws:rds/instance:Instance", "kubernetes:apps/v1:Deployment", "kubernetes:core/v1:Service"], {}),
        (["pulumi:providers:aws"], {}),
    ],
)
def test_what_is_not_read(listed: list[str], found: dict[str, int]) -> None:
    """Their number, by type."""
    assert unread([a(each, str(number)) for number, each in enumerate(listed)]) == found


def test_a_component_of_which_nothing_is_seen() -> None:
    """A component of pulumi-eks is reported only if it has no child that a view reads."""
    empty = a("eks:index:Cluster", "empty", custom=False)
    assert unread([PARENT, empty, a("aws:eks/cluster:Cluster", parent=PARENT.urn)]) == {"eks:index:Cluster": 1}
