"""What rules see of a program: things by their type, and what security groups let pass."""

import re
from dataclasses import replace
from functools import partial
from importlib import import_module
from pkgutil import iter_modules

import pulumi_aws as aws
import pytest

from muster.fleet import resources
from muster.fleet.resources import ref
from muster.fleet.resources.ec2 import EGRESS, INGRESS, TCP, SecurityGroup, SecurityGroupRule, all_traffic, tcp
from muster.fleet.resources.parallelcluster import COMPUTE_GROUP, HEAD_GROUP, STORAGE_GROUP
from muster.fleet.resources.ref import Place, Ref
from muster.unknown import UNKNOWN, if_known, known
from tests.factories.parallelcluster_fleets import a_head

OF_AWS = {
    aws.ec2.Vpc: ref.VPC,
    aws.iam.InstanceProfile: ref.INSTANCE_PROFILE,
    aws.ec2.Subnet: ref.SUBNET,
    aws.ec2.InternetGateway: ref.INTERNET_GATEWAY,
    aws.ec2.NatGateway: ref.NAT_GATEWAY,
    aws.ec2.Eip: ref.ADDRESS,
    aws.ec2.SecurityGroup: ref.SECURITY_GROUP,
    aws.ec2.DefaultSecurityGroup: ref.DEFAULT_GROUP,
    aws.ec2.LaunchTemplate: ref.LAUNCH_TEMPLATE,
    aws.ec2.PlacementGroup: ref.PLACEMENT_GROUP,
    aws.ec2.CapacityReservation: ref.CAPACITY_RESERVATION,
    aws.ec2.CapacityBlockReservation: ref.CAPACITY_BLOCK,
    aws.ec2.KeyPair: ref.KEY_PAIR,
    aws.autoscaling.Group: ref.AUTO_SCALING_GROUP,
    aws.eks.Cluster: ref.CLUSTER,
    aws.eks.NodeGroup: ref.NODE_GROUP,
    aws.eks.Addon: ref.ADDON,
    aws.fsx.LustreFileSystem: ref.LUSTRE,
    aws.fsx.DataRepositoryAssociation: ref.DATA_ASSOCIATION,
    aws.resourcegroups.Group: ref.RESOURCE_GROUP,
    aws.kms.Key: ref.KEY,
    aws.cloudformation.Stack: ref.CLOUDFORMATION_STACK,
    aws.s3.Bucket: ref.BUCKET,
    aws.s3.DirectoryBucket: ref.DIRECTORY_BUCKET,
    aws.sagemaker.MlflowApp: ref.MLFLOW_APP,
    aws.sagemaker.MlflowTrackingServer: ref.TRACKING_SERVER,
}


def test_types_are_the_providers_own() -> None:
    """Every type of the provider's that rules know, by the token that its class registers."""
    assert {kind.__name__: token for kind, token in OF_AWS.items() if kind.pulumi_type != token} == {}
    named = {value for name, value in vars(ref).items() if name.isupper() and isinstance(value, str)}
    assert {each for each in named if each.startswith("aws:")} == set(OF_AWS.values())
    assert {each for each in named if not each.startswith(("aws:", "kubernetes:"))} == {
        ref.COMPUTE_QUOTA,
        *(value for value in named if value.startswith("aws-native:pcs:")),
        "aws-native:index:ExtensionResource",
        ref.HYPERPOD,
        ref.KUBERNETES_ADDON,
    }


OF_MUSTER = {
    "muster:addons:Addon",
    "muster:hyperpod:InstanceGroup",
    "muster:parallelcluster:ComputeResource",
    "muster:parallelcluster:HeadNode",
    "muster:parallelcluster:LoginPool",
    "muster:parallelcluster:Queue",
    "muster:parallelcluster:SecurityGroup",
    "muster:parallelcluster:Template",
}
"""What rules see beside resources of providers: people read these words behind a name."""


def test_what_is_no_providers_has_a_type_of_its_own() -> None:
    """Every type that rules see is a provider's, CloudFormation's, or one of ours; none of ours stands for two."""
    said = [
        value
        for module in iter_modules(resources.__path__)
        for name, value in vars(import_module(f"{resources.__name__}.{module.name}")).items()
        if name.isupper() and isinstance(value, str) and re.fullmatch(r".+[^:]:[^:].*:[^:]+", value)
    ]
    ours = [each for each in said if not each.startswith(("aws:", "aws-native:", "kubernetes:"))]
    assert sorted(ours) == sorted(OF_MUSTER)


def test_the_groups_that_parallelcluster_makes() -> None:
    """Three, told apart by what they are for."""
    made = {str(each) for each in (COMPUTE_GROUP, HEAD_GROUP, STORAGE_GROUP)}
    assert made == {f"{each} (muster:parallelcluster:SecurityGroup)" for each in ("compute", "head", "storage")}


@pytest.mark.parametrize("direction", [INGRESS, EGRESS])
@pytest.mark.parametrize(
    ("first", "last", "let"),
    [
        (988, 1023, {988, 1022, 1023}),
        (988, 988, {988}),
        (988, None, {988, 1022, 1023, 1024, 65535}),
        (None, 1023, {0, 987, 988, 1022, 1023}),
        (None, None, {0, 987, 988, 1022, 1023, 1024, 65535}),
        (0, 65535, {0, 987, 988, 1022, 1023, 1024, 65535}),
        (0, 0, {0}),
    ],
)
def test_the_ports_that_a_rule_lets_pass(direction: str, first: int | None, last: int | None, let: set[int]) -> None:
    """From the first to the last, both among them; all where none is said. Of another protocol none, of every one
    all, whatever its ports."""
    ports = {0, 987, 988, 1022, 1023, 1024, 65535, 65536}
    rule = SecurityGroupRule(direction, TCP, first, last, PEER)
    assert {port for port in ports if rule.lets(port, ONLY)} == let
    assert not rule.lets(None, ONLY)
    assert {port for port in ports if replace(rule, protocol="udp").lets(port, ONLY)} == set()
    assert {port for port in ports if replace(rule, protocol="-1").lets(port, ONLY)} == ports
    for unknown in (replace(rule, first=UNKNOWN), replace(rule, last=UNKNOWN)):
        assert not any(if_known(partial(unknown.lets, port, ONLY)) for port in ports)
        assert {unknown.lets(port, OTHERS) for port in ports} == {False}
    of_any_protocol = replace(rule, protocol=UNKNOWN)
    assert {port for port in ports if not known(partial(of_any_protocol.lets, port, ONLY))} == let
    assert {of_any_protocol.lets(port, ONLY) for port in ports - let} == {False}


PEER, OTHER = Ref(ref.SECURITY_GROUP, "peer"), Ref(ref.SECURITY_GROUP, "other")
ONLY, OTHERS = frozenset({PEER}), frozenset({OTHER, "sg-1"})


@pytest.mark.parametrize(("own", "against"), [(INGRESS, EGRESS), (EGRESS, INGRESS)])
def test_a_rule_lets_pass_one_way(own: str, against: str) -> None:
    """In or out, to its peer and no other, on its ports."""
    group = SecurityGroup(Ref(ref.SECURITY_GROUP, "it"), Place(""), allows=frozenset({tcp(own, 988, 1023, PEER)}))
    assert [group.lets(own, port, ONLY) for port in (987, 988, 1023, 1024, None)] == [False, True, True, False, False]
    assert not group.lets(against, 988, ONLY)
    assert not group.lets(own, 988, OTHERS)
    both = SecurityGroup(group.ref, Place(""), allows=frozenset({all_traffic(own, PEER)}))
    assert (both.lets(own, None, ONLY), both.lets(own, 22, ONLY), both.lets(against, None, ONLY)) == (True, True, False)


def test_a_head_node_carries_its_own_group_and_those_beside_it() -> None:
    """Or those alone that take its place."""
    head = a_head(security_groups=("sg-1",))
    assert head.carried == (HEAD_GROUP, "sg-1")
    assert a_head(security_groups=("sg-1",), replaces_groups=True).carried == ("sg-1",)
    assert not known(lambda: a_head(security_groups=UNKNOWN).carried)
