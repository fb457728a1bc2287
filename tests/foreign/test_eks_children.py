"""pulumi-eks with people's arguments: what the real provider makes below its components, by type and name."""

import json
from collections.abc import Mapping
from pathlib import Path

import pulumi_eks
import pytest
from pulumi._types import input_type_py_to_pulumi_names

from muster.foreign.program import ProgramRun, run_program
from muster.offline import eks_cluster, eks_node_groups
from muster.offline import eks_node_groups as eks_managed_group
from muster.policies.views import unread_lines
from muster.unknown import UNKNOWN
from tests.foreign.written import a_project

PROGRAM = """\
import pulumi_aws as aws
import pulumi_eks as eks

usual = eks.Cluster("usual", instance_type="g5.8xlarge", desired_capacity=3, min_size=0, node_root_volume_size=100)
bare = eks.Cluster(
    "bare",
    vpc_id="vpc-1",
    subnet_ids=["subnet-1"],
    skip_default_node_group=True,
    skip_default_security_groups=True,
    use_default_vpc_cni=True,
    service_role=aws.iam.Role("service", assume_role_policy="{}"),
    authentication_mode="API",
    kube_proxy_addon_options={"enabled": False},
    access_entries={"admins": {"principal_arn": "arn:aws:iam::1:role/a", "access_policies": {"all": {
        "policy_arn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
        "access_scope": {"type": "cluster"}}}}},
)
eks.NodeGroupV2("own", cluster=bare, instance_profile_name="p", instance_type="p5.48xlarge",
                node_associate_public_ip_address=False, node_subnet_ids=["subnet-1"], spot_price="1")
eks.ManagedNodeGroup("managed", cluster=bare.core, node_role_arn="arn:aws:iam::1:role/n", enable_efa_support=True,
                     instance_types=["p4d.24xlarge"], placement_group_availability_zone="us-west-2a")
eks.NodeGroup("old", cluster=bare, instance_profile_name="p")
eks.Addon("agent", cluster=bare, addon_name="eks-pod-identity-agent", addon_version="v1.3.10-eksbuild.3")
eks.Cluster("fargate", vpc_id="vpc-1", subnet_ids=["subnet-1"], fargate=True, skip_default_node_group=True)
"""
CHAIN = "eks:index:Cluster$"
MADE_BY_USUAL = {
    "eks:index:Cluster::usual",
    f"{CHAIN}aws:autoscaling/group:Group::usual",
    f"{CHAIN}aws:ec2/launchTemplate:LaunchTemplate::usual-launchTemplate",
    f"{CHAIN}aws:ec2/securityGroup:SecurityGroup::usual-eksClusterSecurityGroup",
    f"{CHAIN}aws:ec2/securityGroup:SecurityGroup::usual-nodeSecurityGroup",
    f"{CHAIN}aws:ec2/securityGroupRule:SecurityGroupRule::usual-eksClusterIngressRule",
    f"{CHAIN}aws:ec2/securityGroupRule:SecurityGroupRule::usual-eksClusterInternetEgressRule",
    f"{CHAIN}aws:ec2/securityGroupRule:SecurityGroupRule::usual-eksExtApiServerClusterIngressRule",
    f"{CHAIN}aws:ec2/securityGroupRule:SecurityGroupRule::usual-eksNodeClusterIngressRule",
    f"{CHAIN}aws:ec2/securityGroupRule:SecurityGroupRule::usual-eksNodeIngressRule",
    f"{CHAIN}aws:ec2/securityGroupRule:SecurityGroupRule::usual-eksNodeInternetEgressRule",
    f"{CHAIN}aws:eks/addon:Addon::usual-coredns",
    f"{CHAIN}aws:eks/addon:Addon::usual-kube-proxy",
    f"{CHAIN}aws:eks/cluster:Cluster::usual-eksCluster",
    f"{CHAIN}aws:iam/instanceProfile:InstanceProfile::usual-instanceProfile",
    f"{CHAIN}eks:index:ServiceRole$aws:iam/role:Role::usual-eksRole-role",
    f"{CHAIN}eks:index:ServiceRole$aws:iam/role:Role::usual-instanceRole-role",
    f"{CHAIN}eks:index:ServiceRole$aws:iam/rolePolicyAttachment:RolePolicyAttachment::usual-eksRole-4b490823",
    f"{CHAIN}eks:index:ServiceRole$aws:iam/rolePolicyAttachment:RolePolicyAttachment::usual-instanceRole-03516f97",
    f"{CHAIN}eks:index:ServiceRole$aws:iam/rolePolicyAttachment:RolePolicyAttachment::usual-instanceRole-3eb088f2",
    f"{CHAIN}eks:index:ServiceRole$aws:iam/rolePolicyAttachment:RolePolicyAttachment::usual-instanceRole-e1b295bd",
    f"{CHAIN}eks:index:ServiceRole::usual-eksRole",
    f"{CHAIN}eks:index:ServiceRole::usual-instanceRole",
    f"{CHAIN}eks:index:VpcCniAddon$aws:eks/addon:Addon::usual-vpc-cni",
    f"{CHAIN}eks:index:VpcCniAddon::usual-vpc-cni",
    f"{CHAIN}kubernetes:core/v1:ConfigMap::usual-nodeAccess",
    f"{CHAIN}pulumi:providers:kubernetes::usual-eks-k8s",
}
MADE_BY_BARE = {
    "eks:index:Cluster::bare",
    f"{CHAIN}aws:eks/accessEntry:AccessEntry$aws:eks/accessPolicyAssociation:AccessPolicyAssociation::bare-admins-all",
    f"{CHAIN}aws:eks/accessEntry:AccessEntry::bare-admins",
    f"{CHAIN}aws:eks/cluster:Cluster::bare-eksCluster",
    f"{CHAIN}pulumi:providers:kubernetes::bare-eks-k8s",
}


def of(ran: ProgramRun, name: str) -> set[str]:
    urns = {each.urn.split("::", 2)[2] for each in ran.registrations}
    return {each for each in urns if each.rpartition("::")[2].partition("-")[0] == name}


def test_what_the_components_make(tmp_path: Path) -> None:
    """Every child, its inputs where rules read them; what is not modelled is told by the argument's name."""
    ran = run_program(a_project(tmp_path, PROGRAM, {"Pulumi.dev.yaml": "config: {'aws:region': us-west-2}\n"}), "dev")
    by_name = {each.urn.split("::", 2)[2]: each for each in ran.registrations}
    assert of(ran, "usual") == MADE_BY_USUAL
    assert of(ran, "bare") == MADE_BY_BARE

    group = by_name[f"{CHAIN}aws:autoscaling/group:Group::usual"]
    assert [group.inputs[key] for key in ("minSize", "desiredCapacity", "maxSize")] == [0, 3, 2]
    template = by_name[f"{CHAIN}aws:ec2/launchTemplate:LaunchTemplate::usual-launchTemplate"]
    assert group.property_dependencies["launchTemplate"] == (template.urn,)
    assert template.inputs["instanceType"] == "g5.8xlarge"
    assert template.inputs["blockDeviceMappings"] == [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": 100}}]
    assert template.inputs["networkInterfaces"] == [{"associatePublicIpAddress": "true", "securityGroups": [UNKNOWN]}]
    nodes = by_name[f"{CHAIN}aws:ec2/securityGroup:SecurityGroup::usual-nodeSecurityGroup"]
    assert nodes.urn in template.property_dependencies["networkInterfaces"]

    own = by_name["eks:index:NodeGroupV2$aws:ec2/launchTemplate:LaunchTemplate::own-launchTemplate"].inputs
    assert own["instanceMarketOptions"] == {"marketType": "spot", "spotOptions": {"maxPrice": "1"}}
    assert own["networkInterfaces"][0]["associatePublicIpAddress"] == "false"
    assert by_name["eks:index:NodeGroupV2$aws:autoscaling/group:Group::own"].inputs["vpcZoneIdentifiers"] == [
        "subnet-1"
    ]

    efa = by_name["eks:index:ManagedNodeGroup$aws:ec2/launchTemplate:LaunchTemplate::managed-launchTemplate"].inputs
    assert [
        (each["networkCardIndex"], each["deviceIndex"], each["interfaceType"]) for each in efa["networkInterfaces"]
    ] == [
        (0, 0, "efa"),
        (1, 1, "efa-only"),
        (2, 1, "efa-only"),
        (3, 1, "efa-only"),
    ]
    managed = by_name["eks:index:ManagedNodeGroup$aws:eks/nodeGroup:NodeGroup::managed"]
    assert managed.inputs["scalingConfig"] == {"desiredSize": 2, "minSize": 1, "maxSize": 2}
    assert by_name["eks:index:Addon$aws:eks/addon:Addon::agent"].inputs["addonVersion"] == "v1.3.10-eksbuild.3"

    told = {(gap.where.rpartition("::")[2], gap.missing) for gap in ran.gaps}
    assert told == {
        ("usual", "only AWS knows the default VPC of the account, in which the cluster is"),
        (
            "old",
            "its nodes, because CloudFormation creates them from a launch configuration; use NodeGroupV2",
        ),
        ("fargate", "the effect of the argument fargate, which Muster does not model"),
    }


TOLD: Mapping[str, tuple[frozenset[str], set[str]]] = {
    "ClusterArgs": (
        eks_cluster.OF_CLUSTER,
        {
            "autoMode",
            "clusterSecurityGroupTags",
            "creationRoleProvider",
            "enableConfigMapMutable",
            "fargate",
            "nodeSecurityGroupTags",
            "proxy",
            "roleMappings",
            "storageClasses",
            "userMappings",
        },
    ),
    "ManagedNodeGroupArgs": (
        eks_managed_group.OF_MANAGED_NODE_GROUP,
        {"gpu", "ignoreScalingChanges", "operatingSystem"},
    ),
    "NodeGroupV2Args": (
        eks_node_groups.OF_NODE_GROUP,
        {"enableDetailedMonitoring", "encryptRootBlockDevice", "ignoreScalingChanges", "minRefreshPercentage"},
    ),
    "NodeGroupSecurityGroupArgs": (eks_node_groups.OF_NODE_GROUP_SECURITY_GROUP, {"tags"}),
}
"""A component's arguments in the SDK -> those that are read, and the rest, which is told where it is given."""


@pytest.mark.parametrize("name", sorted(TOLD))
def test_each_argument_is_read_or_told(name: str) -> None:
    """A new argument of the SDK's is told, and this test says so; none is read that nobody can give."""
    read, told = TOLD[name]
    known = set(input_type_py_to_pulumi_names(getattr(pulumi_eks, name)).values())
    assert known - read == told
    assert read - known <= {"metadataOptions", "updateConfig"}, "of `nodeGroupOptions`, and of other releases"


def of_resources(folder: Path, resources: Mapping[str, object]) -> ProgramRun:
    """Runs a program in YAML, which takes no process, with a cluster without node groups."""
    bare = {"vpcId": "vpc-1", "subnetIds": ["subnet-1"], "skipDefaultNodeGroup": True}
    text = json.dumps({"resources": {"all": {"type": "eks:Cluster", "properties": bare}, **resources}})
    project = a_project(folder, "", {"Pulumi.yaml": "name: theirs\nruntime: yaml\n", "Main.json": text})
    return run_program(project, project.choose(None), region="us-west-2")


def a(component: str, **properties: object) -> dict[str, object]:
    """A component for that cluster."""
    return {"type": f"eks:{component}", "properties": {"cluster": "${all}", **properties}}


GROUPS: Mapping[str, Mapping[str, object]] = {
    "al2": {"amiType": "AL2_x86_64_GPU"},
    "al2-by-its-older-name": {"amiType": "amazon-linux-2", "nodeRootVolumeEncrypted": True},
    "al2-kept": {
        "operatingSystem": "AL2",
        "nodeRootVolumeDeleteOnTermination": False,
        "nodeRootVolumeSize": 100,
        "nodeRootVolumeType": "gp3",
    },
    "al2-of-ones-own": {"operatingSystem": "AL2", "amiId": "ami-1"},
    "al2023": {},
    "al2023-encrypted": {"amiType": "AL2023_x86_64_NVIDIA", "nodeRootVolumeEncrypted": True},
    "bottlerocket": {"amiType": "BOTTLEROCKET_x86_64_NVIDIA", "nodeRootVolumeSize": 500},
    "of-some-image": {"amiType": "WHATEVER"},
}
AL2 = {"encrypted": "false", "volumeSize": 20, "volumeType": "gp2", "deleteOnTermination": "true"}


def test_the_root_volume_is_what_pulumi_eks_makes_of_it(tmp_path: Path) -> None:
    """With Amazon Linux 2 always in full, with others as far as arguments set it; at the device of EKS's own images,
    which is unknown of a custom image."""
    managed = {"nodeRoleArn": "arn:aws:iam::1:role/n", "diskSize": 500, "amiType": "BOTTLEROCKET_x86_64"}
    resources: dict[str, object] = {
        name: a("NodeGroupV2", instanceProfileName="p", **given) for name, given in GROUPS.items()
    }
    resources["managed"] = a("ManagedNodeGroup", enableIMDSv2=True, **managed)
    ran = of_resources(tmp_path, resources)
    made = {
        each.name.removesuffix("-launchTemplate"): each.inputs["blockDeviceMappings"]
        for each in ran.registrations
        if each.type == "aws:ec2/launchTemplate:LaunchTemplate"
    }
    assert made == {
        "al2": [{"deviceName": "/dev/xvda", "ebs": AL2}],
        "al2-by-its-older-name": [{"deviceName": "/dev/xvda", "ebs": {**AL2, "encrypted": "true"}}],
        "al2-kept": [
            {
                "deviceName": "/dev/xvda",
                "ebs": {**AL2, "deleteOnTermination": "false", "volumeSize": 100, "volumeType": "gp3"},
            }
        ],
        "al2-of-ones-own": [{"deviceName": UNKNOWN, "ebs": AL2}],
        "al2023": [],
        "al2023-encrypted": [{"deviceName": "/dev/xvda", "ebs": {"encrypted": "true"}}],
        "bottlerocket": [{"deviceName": "/dev/xvdb", "ebs": {"volumeSize": 500}}],
        "of-some-image": UNKNOWN,
        "managed": [{"deviceName": "/dev/xvdb", "ebs": {"volumeSize": 500}}],
    }


def test_what_is_read_nowhere_is_told(tmp_path: Path) -> None:
    """By the argument's name, of a cluster and of its node groups."""
    cluster = {
        "vpcId": "vpc-1",
        "subnetIds": ["subnet-1"],
        "proxy": "http://proxy",
        "userMappings": [{"userArn": "arn", "username": "u", "groups": ["system:masters"]}],
        "nodeGroupOptions": {"encryptRootBlockDevice": True},
    }
    managed = {"nodeRoleArn": "arn:aws:iam::1:role/n", "operatingSystem": "AL2023", "ignoreScalingChanges": True}
    ran = of_resources(
        tmp_path,
        {
            "all": {"type": "eks:Cluster", "properties": cluster},
            "managed": a("ManagedNodeGroup", **managed),
            "own": a("NodeGroupV2", instanceProfileName="p", minRefreshPercentage=50),
        },
    )
    assert {(gap.where.rpartition("::")[2], gap.missing) for gap in ran.gaps} == {
        (name, f"the effect of the argument {argument}, which Muster does not model")
        for name, argument in (
            ("all", "proxy"),
            ("all", "userMappings"),
            ("all", "encryptRootBlockDevice"),
            ("managed", "operatingSystem"),
            ("managed", "ignoreScalingChanges"),
            ("own", "minRefreshPercentage"),
        )
    }


def test_an_old_node_group_is_told_once(tmp_path: Path) -> None:
    """By its URN; not by its type beside that."""
    two = {"type": "eks:NodeGroup", "properties": {"cluster": "${all.core}", "instanceType": "p5.48xlarge"}}
    ran = of_resources(tmp_path, {"one": a("NodeGroup", instanceType="p5.48xlarge"), "two": two})
    told = [each.where.rpartition("::")[2] for each in ran.gaps] + [
        each.resource for each in unread_lines(ran.registrations)
    ]
    assert told == ["one", "two"]


def test_transforms_reach_the_children(tmp_path: Path) -> None:
    """The engine asks the stack's and the component's of what the provider registers, too."""
    program = """
import pulumi
import pulumi_eks as eks


def closing(args):
    if args.type_ != "aws:eks/cluster:Cluster":
        return None
    network = {**args.props["vpcConfig"], "endpointPublicAccess": False}
    return pulumi.ResourceTransformResult({**args.props, "vpcConfig": network}, args.opts)


def keeping(args):
    if args.type_ != "aws:eks/cluster:Cluster":
        return None
    return pulumi.ResourceTransformResult(args.props, pulumi.ResourceOptions.merge(args.opts, KEPT))


KEPT = pulumi.ResourceOptions(protect=True)
pulumi.runtime.register_resource_transform(closing)
eks.Cluster("c", vpc_id="vpc-1", subnet_ids=["subnet-1"], skip_default_node_group=True, endpoint_public_access=True,
            opts=pulumi.ResourceOptions(transforms=[keeping]))
"""
    ran = run_program(a_project(tmp_path, program, {"Pulumi.dev.yaml": "config: {'aws:region': us-west-2}\n"}), "dev")
    (cluster,) = [each for each in ran.registrations if each.type == "aws:eks/cluster:Cluster"]
    assert cluster.inputs["vpcConfig"]["endpointPublicAccess"] is False
    assert cluster.options == {"protect": True}
    assert cluster.property_dependencies["roleArn"]


@pytest.mark.parametrize(
    "component", ["Cluster", "ManagedNodeGroup", "NodeGroupV2", "NodeGroup", "Addon", "NodeGroupSecurityGroup"]
)
def test_any_argument_may_be_unknown(component: str, tmp_path: Path) -> None:
    """Each alone, and all at once: nothing of it is a bug, and no child gets a value that the program does not have."""
    names = set(input_type_py_to_pulumi_names(getattr(pulumi_eks, f"{component}Args")).values()) - {"cluster"}
    given = [*([name] for name in sorted(names)), sorted(names)]
    resources: dict[str, object] = {"vpc": {"type": "aws:ec2:Vpc"}, "base": {"type": "eks:Cluster"}}
    for at, unknown in enumerate(given):
        cluster = {} if component in ("Cluster", "NodeGroupSecurityGroup") else {"cluster": "${base}"}
        properties = {**dict.fromkeys(unknown, "${vpc.id}"), **cluster}
        resources[f"r{at}"] = {"type": f"eks:{component}", "properties": properties}
    files = {"Pulumi.yaml": "name: theirs\nruntime: yaml\n", "Main.json": json.dumps({"resources": resources})}
    project = a_project(tmp_path, "", files)
    made = {each.name: each for each in run_program(project, project.choose(None)).registrations}
    assert {f"r{at}" for at in range(len(given))} <= made.keys()


def test_an_image_that_is_not_known(tmp_path: Path) -> None:
    """An image's id comes from a question to the account: the launch template has an unknown one."""
    image = {"fn::invoke": {"function": "aws:ec2:getAmi", "arguments": {"owners": ["amazon"]}, "return": "id"}}
    ran = of_resources(tmp_path, {"one": a("NodeGroupV2", amiId=image, instanceType="p5.48xlarge")})
    made = {each.name: each for each in ran.registrations}
    assert made["one-launchTemplate"].inputs["imageId"] is UNKNOWN
    assert made["one-launchTemplate"].inputs["instanceType"] == "p5.48xlarge"
