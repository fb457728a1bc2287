"""`muster hyperpod config`: the request that AWS's own CLI takes, and words for each name in it that is still open."""

import json
import re
import shutil
from string import Template
from typing import Any

import pytest

from tests.aws_schemas import api_faults, cloudformation_faults
from tests.cli.conftest import Muster
from tests.shared_stacks import ADDONS, CLUSTER, Shared
from tests.stack_files import ROOT

HYPERPOD = (
    *("hyperpod-existing-eks", "hyperpod-p5", "hyperpod-p6e-gb200", "hyperpod-teams", "hyperpod-training-plan"),
    "hyperpod-trn1",
)

NAMES = {
    "EKS_CLUSTER_ARN": "arn:aws:eks:us-west-2:210987654321:cluster/ml",
    "EXECUTION_ROLE": "arn:aws:iam::210987654321:role/execution",
    "CLUSTER_ROLE": "arn:aws:iam::210987654321:role/karpenter",
    "BUCKET_NAME": "sagemaker-ml",
    "EKS_SECURITY_GROUP": "sg-0123456789abcdef0",
    "SECURITY_GROUP_EFA": "sg-0123456789abcdef1",
    "SUBNET_PRIVATE_US_EAST_1A": "subnet-0123456789abcdef3",
    "SUBNET_PRIVATE_US_EAST_1B": "subnet-0123456789abcdef4",
    "SUBNET_PRIVATE_US_EAST_1_DFW_2A": "subnet-0123456789abcdef5",
    "SUBNET_PRIVATE_US_WEST_2A": "subnet-0123456789abcdef0",
    "SUBNET_PRIVATE_US_WEST_2B": "subnet-0123456789abcdef1",
    "SUBNET_PRIVATE_US_WEST_2D": "subnet-0123456789abcdef2",
}
"""What a person finds where stderr says."""


@pytest.fixture
def hyperpod(muster: Muster) -> Muster:
    """The command, with the stacks on HyperPod beside p5-odcr."""
    for stack in HYPERPOD:
        shutil.copy(ROOT / "stacks" / f"Pulumi.{stack}.yaml", muster.folder / "stacks")
    return muster


@pytest.mark.parametrize("stack", HYPERPOD)
def test_the_request_of_a_stack(hyperpod: Muster, stack: str) -> None:
    """It is the golden one, stderr names exactly what is open in it in its order, and filled in AWS takes it."""
    ran = hyperpod("hyperpod", "config", stack)
    assert ran.code == 0
    assert ran.out == (ROOT / "tests" / "golden" / f"{stack}.create-cluster.json").read_text()
    open_ = re.findall(r"\$\{(\w+)\}", ran.out)
    assert re.findall(r"^\$\{(\w+)\}: ", ran.err, re.MULTILINE) == list(dict.fromkeys(open_))
    request = json.loads(Template(ran.out).substitute(NAMES))
    assert api_faults(request) == []
    assert cloudformation_faults(request) == []


def test_the_articles_cluster(hyperpod: Muster) -> None:
    """hyperpod-p5 says of its workers and of their recovery what AWS's article says."""
    request = hyperpod("hyperpod", "config", "hyperpod-p5").json
    (workers,) = [each for each in request["InstanceGroups"] if each["InstanceGroupName"] == "workers"]
    of_article = {
        "InstanceType": "ml.p5.48xlarge",
        "InstanceCount": 4,
        "ThreadsPerCore": 1,
        "OnStartDeepHealthChecks": ["InstanceStress", "InstanceConnectivity"],
    }
    assert {key: workers[key] for key in of_article} == of_article
    assert workers["LifeCycleConfig"] == {"SourceS3Uri": "s3://${BUCKET_NAME}/workers", "OnCreate": "on_create.sh"}
    assert request["NodeRecovery"] == "Automatic"


def test_the_words_for_what_is_open(hyperpod: Muster) -> None:
    """Each name with where it comes from: a command, an output, what it must be."""
    lines = hyperpod("hyperpod", "config", "hyperpod-p5").err.splitlines()
    asks = "aws eks describe-cluster --region us-west-2 --name hyperpod-p5 --query cluster"
    assert lines == [
        f"${{EKS_CLUSTER_ARN}}: the ARN of the EKS cluster: {asks}.arn --output text",
        (
            "${BUCKET_NAME}: a bucket with a name sagemaker-..., which has the lifecycle scripts of each group in a "
            "folder with the group's name; `pulumi up` creates and fills one: output hyperpod.lifecycle"
        ),
        (
            "${EXECUTION_ROLE}: the ARN of the role of the instances (SageMaker guide, IAM role for SageMaker "
            "HyperPod); `pulumi up` creates one: output nodeGroups.system.roleArn"
        ),
        (
            f"${{EKS_SECURITY_GROUP}}: the security group that EKS created for the cluster: "
            f"{asks}.resourcesVpcConfig.clusterSecurityGroupId --output text"
        ),
        (
            "${SECURITY_GROUP_EFA}: a security group that allows all traffic from and to itself; `pulumi up` "
            "creates one: output network.securityGroups.efa"
        ),
        (
            "${SUBNET_PRIVATE_US_WEST_2A}: a private subnet in us-west-2a; `pulumi up` creates one: output "
            "network.privateSubnets.us-west-2a"
        ),
        (
            "${SUBNET_PRIVATE_US_WEST_2B}: a private subnet in us-west-2b; `pulumi up` creates one: output "
            "network.privateSubnets.us-west-2b"
        ),
    ]


def test_the_cluster_policy(hyperpod: Muster) -> None:
    """AWS takes it once its one name is filled in; stderr tells where to find it. A stack without one says so."""
    ran = hyperpod("hyperpod", "cluster-policy", "hyperpod-teams")
    assert ran.code == 0
    assert re.findall(r"\$\{(\w+)\}", ran.out) == re.findall(r"^\$\{(\w+)\}: ", ran.err, re.MULTILINE)
    arn = "arn:aws:sagemaker:us-west-2:210987654321:cluster/abcdefghijkl"
    request = json.loads(Template(ran.out).substitute(HYPERPOD_CLUSTER_ARN=arn))
    assert api_faults(request, "CreateClusterSchedulerConfig") == []
    assert request["SchedulerConfig"]["PriorityClasses"][-1] == {"Name": "training", "Weight": 70}
    none = hyperpod("hyperpod", "cluster-policy", "hyperpod-p5")
    assert (none.code, none.out) == (2, "")
    assert "hyperpod-p5 has no cluster policy; add hyperpod.task-governance" in none.err


def test_placeholders_of_the_file_are_told(hyperpod: Muster) -> None:
    """Ids that the file itself has not filled in, and no others."""
    ran = hyperpod("hyperpod", "config", "hyperpod-existing-eks")
    assert [line for line in ran.err.splitlines() if "placeholder" in line] == [
        "sg-fill-me-in-cluster is a placeholder; set control-plane.existing.security-group",
        "subnet-fill-me-in-private-a is a placeholder; set network.existing.private.us-west-2a",
        "subnet-fill-me-in-private-b is a placeholder; set network.existing.private.us-west-2b",
    ]


def test_json_is_the_same(hyperpod: Muster) -> None:
    """It is JSON in any case."""
    plain, as_json = (hyperpod("hyperpod", "config", "hyperpod-p5", *flag) for flag in ((), ("--json",)))
    assert (plain.code, plain.out) == (as_json.code, as_json.out)


def changed(hyperpod: Muster, old: str, new: str) -> Any:
    """The request of hyperpod-p5 with a changed file, filled in."""
    hyperpod.edit(old, new, "hyperpod-p5")
    ran = hyperpod("hyperpod", "config", "hyperpod-p5")
    assert ran.code == 0, ran.err
    request = json.loads(Template(ran.out).substitute(NAMES))
    assert api_faults(request) == []
    assert cloudformation_faults(request) == []
    return request


def test_the_autoscaler_has_a_role(hyperpod: Muster) -> None:
    """HyperPod's Karpenter takes a role of its own, which is open then, and only then."""
    assert "CLUSTER_ROLE" not in hyperpod("hyperpod", "config", "hyperpod-p5").err
    request = changed(
        hyperpod,
        "node-recovery: automatic",
        "node-recovery: automatic\n      provisioning: continuous\n"
        "      autoscaling: karpenter\n      tiered-storage: {memory-percent: 20}",
    )
    assert request["AutoScaling"] == {"Mode": "Enable", "AutoScalerType": "Karpenter"}
    assert request["ClusterRole"] == NAMES["CLUSTER_ROLE"]
    assert request["TieredStorageConfig"] == {"Mode": "Enable", "InstanceMemoryAllocationPercentage": 20}
    (role,) = [
        line for line in hyperpod("hyperpod", "config", "hyperpod-p5").err.splitlines() if "CLUSTER_ROLE" in line
    ]
    assert role == (
        "${CLUSTER_ROLE}: the ARN of the role with which HyperPod's Karpenter adds nodes (SageMaker guide, "
        "sagemaker-hyperpod-eks-autoscaling-iam); `pulumi up` creates one: aws sagemaker describe-cluster --region "
        "us-west-2 --cluster-name hyperpod-p5 --query ClusterRole --output text"
    )


@pytest.mark.parametrize(
    ("said", "scripts"),
    [
        ("none", None),
        (
            "{own: {at: s3://sagemaker-ours/base, on-create: setup.sh}}",
            {"SourceS3Uri": "s3://sagemaker-ours/base", "OnCreate": "setup.sh"},
        ),
        (
            "{own: {at: s3://sagemaker-ours/base, on-init-complete: more.sh}}",
            {"SourceS3Uri": "s3://sagemaker-ours/base", "OnInitComplete": "more.sh"},
        ),
    ],
)
def test_other_scripts_need_no_bucket(hyperpod: Muster, said: str, scripts: Any) -> None:
    """With scripts of one's own, or none, no bucket is open, and every group has what was said."""
    request = changed(hyperpod, "node-recovery: automatic", f"node-recovery: automatic\n      lifecycle: {said}")
    assert [each.get("LifeCycleConfig") for each in request["InstanceGroups"]] == [scripts, scripts]
    assert "BUCKET_NAME" not in hyperpod("hyperpod", "config", "hyperpod-p5").err


def test_a_stack_of_another_backend(hyperpod: Muster) -> None:
    """It is said which it has, and which stacks are right."""
    ran = hyperpod("hyperpod", "config", "p5-odcr")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "error: p5-odcr has backend: eks, but this command needs backend: hyperpod or hyperpod-slurm; give one of "
        f"{', '.join(HYPERPOD)}\n"
    )


def test_where_no_stack_is_on_hyperpod(muster: Muster) -> None:
    """Then none can be named."""
    ran = muster("hyperpod", "config", "p5-odcr")
    assert ran.code == 2
    assert ran.err == (
        "error: p5-odcr has backend: eks, but this command needs backend: hyperpod or hyperpod-slurm; no stack of "
        "this project has it\n"
    )


def test_a_stack_of_addons(muster: Muster) -> None:
    """It makes no cluster, whichever its add-ons are for."""
    Shared.in_folder(muster.folder)
    ran = muster("hyperpod", "config", ADDONS)
    assert ran.code == 2
    assert ran.err.startswith(f"error: {ADDONS} has only add-ons, but this command needs backend: hyperpod")
    assert muster("hyperpod", "config", CLUSTER).code == 2


def test_a_file_of_wrong_form(hyperpod: Muster) -> None:
    """Faults of form are told as `check` tells them, and nothing is printed."""
    hyperpod.edit("threads-per-core: 1", "threads-per-core: 3", "hyperpod-p5")
    line, column = hyperpod.place("3", within="threads-per-core: 3", stack="hyperpod-p5")
    ran = hyperpod("hyperpod", "config", "hyperpod-p5")
    assert (ran.code, ran.out) == (2, "")
    assert f"stacks/Pulumi.hyperpod-p5.yaml:{line}:{column}: mandatory schema: 3 is not a valid value" in ran.err


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("zone: us-west-2a", "zone: us-west-2c", "group-has-subnet: "),
    ],
)
def test_a_stack_that_check_refuses(hyperpod: Muster, old: str, new: str, found: str) -> None:
    """What goes into `create-cluster` is no request that AWS refuses: the findings are told, nothing is printed."""
    hyperpod.edit(old, new, "hyperpod-p5")
    ran = hyperpod("hyperpod", "config", "hyperpod-p5")
    assert (ran.code, ran.out) == (1, "")
    assert f"mandatory {found}" in ran.err
    assert "hyperpod-p5: " in ran.err.splitlines()[-1]
    assert "advisory" not in ran.err.replace(ran.err.splitlines()[-1], "")


def test_no_such_stack(hyperpod: Muster) -> None:
    """Unknown stacks are wrong input."""
    ran = hyperpod("hyperpod", "config", "hyperpod-p6")
    assert ran.code == 2
    assert "no stack 'hyperpod-p6'" in ran.err


@pytest.mark.parametrize("arguments", [("hyperpod",), ("hyperpod", "--help"), ("hyperpod", "config", "--help")])
def test_help_names_the_command(muster: Muster, arguments: tuple[str, ...]) -> None:
    """The commands are found without this page."""
    ran = muster(*arguments)
    assert "config" in ran.out + ran.err
