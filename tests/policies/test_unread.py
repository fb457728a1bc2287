"""What no view reads: told by its type, so that nobody takes silence about it for a pass."""

from muster.fleet.registration import Registration
from muster.policies.views import unread


def a(type_: str, name: str = "it", *, parent: str = "", custom: bool = True) -> Registration:
    return Registration(f"urn:pulumi:dev::p::{type_}::{name}", type_, name, {}, parent=parent, custom=custom)


def test_what_runs_jobs_and_is_not_read() -> None:
    """By type, with how many there are; the same resource of another provider is not the one that is read."""
    listed = [
        a("aws:ec2/instance:Instance", "one"),
        a("aws:ec2/instance:Instance", "two"),
        a("aws:batch/computeEnvironment:ComputeEnvironment"),
        a("aws-native:eks:Cluster"),
        a("aws-native:ec2:Subnet"),
        a("kubernetes:karpenter.sh/v1:NodeClaim"),
        a("kubernetes:karpenter.sh/v1alpha1:NodeOverlay"),
    ]
    assert unread(listed) == {
        "aws-native:ec2:Subnet": 1,
        "aws-native:eks:Cluster": 1,
        "aws:batch/computeEnvironment:ComputeEnvironment": 1,
        "aws:ec2/instance:Instance": 2,
        "kubernetes:karpenter.sh/v1:NodeClaim": 1,
    }


def test_what_is_read_or_has_nothing_to_ask() -> None:
    """Views, what they read beside them, plumbing, and what is out of the rules' scope."""
    listed = [
        a("aws:eks/cluster:Cluster"),
        a("aws:ec2/subnet:Subnet"),
        a("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"),
        a("aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"),
        a("aws-native:sagemaker:Cluster"),
        a("aws:ec2/vpc:Vpc"),
        a("aws-native:ec2:RouteTable"),
        a("aws:lambda/function:Function"),
        a("aws:rds/instance:Instance"),
        a("kubernetes:apps/v1:Deployment"),
        a("kubernetes:core/v1:Service"),
        a("pulumi:providers:aws"),
    ]
    assert unread(listed) == {}


def test_a_component_of_which_nothing_is_seen() -> None:
    """pulumi-eks's without a child; with one it is seen by that."""
    full, empty = (a("eks:index:Cluster", name, custom=False) for name in ("full", "empty"))
    listed = [full, empty, a("aws:eks/cluster:Cluster", parent=full.urn)]
    assert unread(listed) == {"eks:index:Cluster": 1}
