"""The harness on the real engine, with a small program and a small policy pack of its own."""

from pathlib import Path

import pytest

from tests.pulumi_engine.conftest import MakeProject
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED
from tests.pulumi_engine.provider import StandIn

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

PROJECT = """
name: small
runtime: {name: python, options: {toolchain: uv}}
stackConfigDir: stacks
"""

PROGRAM = """
import pulumi
import pulumi_aws as aws
import pulumi_eks as eks
import pulumi_kubernetes as kubernetes

config = pulumi.Config()
vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16")
subnets = [
    aws.ec2.Subnet(f"subnet-{zone}", vpc_id=vpc.id, cidr_block=f"10.0.{i}.0/24", availability_zone=f"us-west-2{zone}")
    for i, zone in enumerate("ab")
]
role = aws.iam.Role("service", assume_role_policy="{}")
policy = aws.iam.RolePolicyAttachment("policy", role=role.name, policy_arn="arn:aws:iam::aws:policy/ClusterPolicy")
cluster = eks.Cluster(
    "main",
    name="train",
    vpc_id=vpc.id,
    subnet_ids=[subnet.id for subnet in subnets],
    service_role=role,
    authentication_mode=eks.AuthenticationMode.API,
    skip_default_node_group=True,
    skip_default_security_groups=config.get("groups") != "default",
    use_default_vpc_cni=True,
    kube_proxy_addon_options=eks.KubeProxyAddonOptionsArgs(enabled=False),
    opts=pulumi.ResourceOptions(depends_on=[policy]),
)
template = aws.ec2.LaunchTemplate("template", instance_type=config.require("instance"))
group = aws.eks.NodeGroup(
    "workers",
    cluster_name=cluster.eks_cluster.name,
    node_role_arn=role.arn,
    subnet_ids=[subnet.id for subnet in subnets],
    scaling_config={"min_size": 1, "max_size": 1, "desired_size": 1},
    launch_template={"id": template.id, "version": template.latest_version.apply(str)},
    ami_type=config.get("ami"),
)
provider = kubernetes.Provider("kubernetes", kubeconfig=cluster.kubeconfig_json)
options = pulumi.ResourceOptions(provider=provider, depends_on=[group])
kubernetes.helm.v3.Release("operator", chart="gpu-operator", version="1.2.3", opts=options)
kubernetes.yaml.v2.ConfigFile("manifest", file="operator.yaml", opts=options)
if config.get("call"):
    aws.ec2.get_ami(most_recent=True, owners=["amazon"])
pulumi.export("group", cluster.cluster_security_group_id)
pulumi.export("network", cluster.core.vpc_id)
"""

PACK = """
runtime: {name: python, options: {toolchain: uv}}
version: 0.0.1
"""

POLICY = """
from pulumi_policy import EnforcementLevel, PolicyPack, ResourceValidationPolicy

def judge(args, report):
    if args.resource_type == "aws:ec2/launchTemplate:LaunchTemplate" and args.props["instanceType"] != "p5.48xlarge":
        report("not a P5")

PolicyPack("small", policies=[ResourceValidationPolicy("p5", "P5 only.", judge, EnforcementLevel.MANDATORY)])
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The small project's folder."""
    files = {
        "Pulumi.yaml": PROJECT,
        "__main__.py": PROGRAM,
        "pack/PulumiPolicy.yaml": PACK,
        "pack/__main__.py": POLICY,
        "stacks/Pulumi.dev.yaml": "config: {aws:region: us-west-2, small:instance: p5.48xlarge}\n",
    }
    for name, text in files.items():
        path = tmp_path / "small" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "small"


def test_a_life(small: Path, project: MakeProject, stand_in: StandIn) -> None:
    """Preview makes nothing, up makes all, a second up and preview change nothing, destroy leaves nothing."""
    it = project(small, stack="dev")

    assert set(it.preview().require().changes.values()) == {"create"}
    assert stand_in.log.names("create") == []

    first = it.up().require()
    cluster = first.one("aws:eks/cluster:Cluster")
    assert cluster["outputs"]["vpcConfig"]["subnetIds"] != cluster["inputs"]["vpcConfig"]["subnetIds"]
    assert cluster["inputs"]["roleArn"] == first.one("aws:iam/role:Role")["outputs"]["arn"]
    assert it.outputs()["group"] == cluster["outputs"]["vpcConfig"]["clusterSecurityGroupId"]
    children = {
        urn.rsplit("::", 1)[-1]
        for urn, state in first.resources.items()
        if state.get("parent", "").endswith("Cluster::main")
    }
    assert children == {"main-eksCluster", "main-eks-k8s"}

    assert it.up().require().changes == {}
    assert it.preview().require().changes == {}
    assert it.refresh().require().changes == {}

    it.destroy().require()
    gone = stand_in.log.names("delete")
    assert gone.index("operator") < gone.index("workers") < gone.index("main-eksCluster") < gone.index("policy")
    assert it.export()["deployment"].get("resources", []) == []


def test_what_changes_in_place_and_what_is_replaced(small: Path, project: MakeProject) -> None:
    """A new template version reaches the node group in place; another AMI type makes another node group."""
    it = project(small, stack="dev")
    it.up().require()

    it.run("config", "set", "--stack", "dev", "instance", "p5e.48xlarge").require()
    assert named(it.preview().require().changes) == {"template": "update", "workers": "update"}

    it.run("config", "set", "--stack", "dev", "ami", "BOTTLEROCKET_x86_64").require()
    assert named(it.up().require().changes) == {"template": "update", "workers": "replace"}


def test_a_policy_pack_is_run(small: Path, project: MakeProject) -> None:
    it = project(small, stack="dev", config={"instance": "t3.micro"})
    outcome = it.preview(packs=["pack"]).require(1)
    assert [(told.policy, told.level, told.urn.rsplit("::", 1)[-1]) for told in outcome.violations] == [
        ("p5", "mandatory", "template")
    ]


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"call": "yes"}, "the function aws:ec2/getAmi:getAmi"),
        ({"groups": "default"}, "would also register: security groups (skipDefaultSecurityGroups is not true)"),
    ],
)
def test_what_is_not_modelled_is_refused_by_name(
    small: Path, project: MakeProject, config: dict[str, str], told: str
) -> None:
    assert told in project(small, stack="dev", config=config).preview().require(1).text


def named(changes: dict[str, str]) -> dict[str, str]:
    """The operations by logical name."""
    return {urn.rsplit("::", 1)[-1]: operation for urn, operation in changes.items()}
