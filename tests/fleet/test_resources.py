"""What rules see of a program: things by their type, and what security groups let pass."""

import pulumi_aws as aws
import pytest

from muster.fleet.resources import place
from muster.fleet.resources.parallelcluster import HEAD_GROUP
from muster.fleet.resources.place import Place, Ref
from muster.fleet.resources.security_group import EGRESS, INGRESS, SecurityGroup, everything, tcp
from muster.fleet.unknown import UNKNOWN
from tests.slurms import a_head

OF_AWS = {
    aws.ec2.Vpc: place.VPC,
    aws.ec2.Subnet: place.SUBNET,
    aws.ec2.InternetGateway: place.INTERNET_GATEWAY,
    aws.ec2.NatGateway: place.NAT_GATEWAY,
    aws.ec2.Eip: place.ADDRESS,
    aws.ec2.SecurityGroup: place.SECURITY_GROUP,
    aws.ec2.DefaultSecurityGroup: place.DEFAULT_GROUP,
    aws.ec2.LaunchTemplate: place.LAUNCH_TEMPLATE,
    aws.ec2.PlacementGroup: place.PLACEMENT_GROUP,
    aws.ec2.NetworkInterface: place.NETWORK_INTERFACE,
    aws.ec2.NetworkInterfaceAttachment: place.INTERFACE_ATTACHMENT,
    aws.ec2.CapacityReservation: place.CAPACITY_RESERVATION,
    aws.ec2.CapacityBlockReservation: place.CAPACITY_BLOCK,
    aws.ec2.KeyPair: place.KEY_PAIR,
    aws.autoscaling.Group: place.AUTO_SCALING_GROUP,
    aws.eks.Cluster: place.CLUSTER,
    aws.eks.NodeGroup: place.NODE_GROUP,
    aws.eks.Addon: place.ADDON,
    aws.fsx.LustreFileSystem: place.LUSTRE,
    aws.fsx.DataRepositoryAssociation: place.DATA_ASSOCIATION,
    aws.resourcegroups.Group: place.RESOURCE_GROUP,
    aws.kms.Key: place.KEY,
    aws.cloudformation.Stack: place.CLOUDFORMATION_STACK,
    aws.s3.Bucket: place.BUCKET,
    aws.s3.DirectoryBucket: place.DIRECTORY_BUCKET,
    aws.sagemaker.MlflowTrackingServer: place.TRACKING_SERVER,
}


def test_types_are_the_providers_own() -> None:
    """Every type of the provider's that rules know, by the token that its class registers."""
    assert {kind.__name__: token for kind, token in OF_AWS.items() if kind.pulumi_type != token} == {}
    named = {value for name, value in vars(place).items() if name.isupper() and isinstance(value, str)}
    assert {each for each in named if each.startswith("aws:")} == set(OF_AWS.values())
    assert {each for each in named if not each.startswith("aws:")} == {place.HYPERPOD, place.KUBERNETES_ADDON}


PEER, OTHER = Ref(place.SECURITY_GROUP, "peer"), Ref(place.SECURITY_GROUP, "other")


@pytest.mark.parametrize(("own", "against"), [(INGRESS, EGRESS), (EGRESS, INGRESS)])
def test_a_rule_lets_pass_one_way(own: str, against: str) -> None:
    """In or out, to its peer and no other, on its ports."""
    group = SecurityGroup(
        Ref(place.SECURITY_GROUP, "it"), False, False, Place(""), allows=frozenset({tcp(own, 988, 1023, PEER)})
    )
    assert [group.lets(own, port, PEER) for port in (987, 988, 1023, 1024, None)] == [False, True, True, False, False]
    assert not group.lets(against, 988, PEER)
    assert not group.lets(own, 988, OTHER)
    both = SecurityGroup(group.ref, False, False, Place(""), allows=frozenset({everything(own, PEER)}))
    assert (both.lets(own, None, PEER), both.lets(own, 22, PEER), both.lets(against, None, PEER)) == (True, True, False)


def test_a_head_node_carries_its_own_group_and_those_beside_it() -> None:
    """Or those alone that take its place."""
    head = a_head(security_groups=("sg-1",))
    assert head.carried == (HEAD_GROUP, "sg-1")
    assert a_head(security_groups=("sg-1",), replaces_groups=True).carried == ("sg-1",)
    assert a_head(security_groups=UNKNOWN).carried is UNKNOWN
