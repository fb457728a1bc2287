"""`muster config`: what AWS's own CLI takes, and where each value comes from that is still open in it."""

import json
import re
from string import Template
from typing import Any

import pytest
import yaml

from tests.aws_schemas import api_faults, cloudformation_faults
from tests.cli.conftest import Muster
from tests.shared_stacks import ADDONS, Shared
from tests.stack_files import ROOT

GOLDENS = sorted(
    path
    for form in ("*.config.yaml", "*.image.yaml", "*.create-cluster.json")
    for path in (ROOT / "tests" / "golden").glob(form)
)

NAMES = {
    "FILE_SYSTEM_FSX": "fs-0123456789abcdef0",
    "KEY_PAIR_HEAD": "ml",
    "PARENT_IMAGE": "ami-0123456789abcdef0",
    "RESERVATION_GROUP_DISTRIBUTED_ML": "arn:aws:resource-groups:us-west-2:210987654321:group/ml",
    "CAPACITY_BLOCK_DISTRIBUTED_ML": "cr-0123456789abcdef0",
    "SECURITY_GROUP_NODES": "sg-0123456789abcdef0",
    "SUBNET_PRIVATE_US_WEST_2B": "subnet-0123456789abcdef0",
    "SUBNET_PUBLIC_US_WEST_2B": "subnet-0123456789abcdef2",
    "SUBNET_PRIVATE_US_WEST_2D": "subnet-0123456789abcdef1",
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
    "FSX_DNS_NAME": "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
    "FSX_MOUNT_NAME": "abcdefgh",
}
"""What a person finds where stderr says."""


@pytest.fixture(autouse=True)
def _stacks(muster: Muster) -> None:
    """The stacks of the goldens, beside p5-odcr."""
    for stack in {path.name.partition(".")[0] for path in GOLDENS}:
        muster.take(stack)


def filled(text: str) -> Any:
    """What is printed, filled in."""
    return yaml.safe_load(Template(text).substitute(NAMES))


def open_names(ran: Any) -> tuple[list[str], list[str]]:
    """The names in a text, each once, and those that stderr explains."""
    named = list(dict.fromkeys(re.findall(r"\$\{(\w+)\}", ran.out)))
    return named, re.findall(r"^\$\{(\w+)\}: ", ran.err, re.MULTILINE)


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_what_is_printed_of_a_stack(muster: Muster, golden: Any) -> None:
    """It is the golden one; stderr names exactly what is open in it, in its order; `--json` says the same."""
    stack, what, _ = golden.name.split(".")
    more = ("--image",) if what == "image" else ()
    ran, as_json = (muster.judged("config", stack, *more, *flag) for flag in ((), ("--json",)))
    assert (ran.code, ran.out) == (0, golden.read_text()), ran.err
    named, explained = open_names(ran)
    assert explained == named
    assert (yaml.safe_load(ran.out), ran.err) == (as_json.json, as_json.err)
    if what == "create-cluster":
        assert api_faults(filled(ran.out)) == []
        assert cloudformation_faults(filled(ran.out)) == []


def test_it_is_built_where_it_can_be(muster: Muster) -> None:
    """NVIDIA's software on a machine with a GPU; a parent of this version, or Neuron's own."""
    ran = muster.judged("config", "--image", "pcluster-gpu")
    assert filled(ran.out)["Build"]["InstanceType"] == "g4dn.xlarge"
    assert (
        "${PARENT_IMAGE}: the image of ParallelCluster 3.16.1, which already has drivers, EFA and Slurm: "
        "pcluster list-official-images --region us-west-2 --os alinux2023 --architecture x86_64 --query "
        "'images[0].amiId'"
    ) in ran.err
    neuron = muster.judged("config", "--image", "pcluster-trn1")
    build = filled(neuron.out)["Build"]
    assert (build["InstanceType"], build.get("Installation")) == ("m5.8xlarge", None)
    assert "/aws/service/neuron/dlami/base/ubuntu-24.04/latest/image_id" in neuron.err


def test_pyxis_wants_nvidias_software_on_any_nodes(muster: Muster) -> None:
    """ParallelCluster installs Enroot with it alone, and only on a machine with a GPU."""
    muster.edit("    slurm:\n", "    post-install: {install: [pyxis]}\n    slurm:\n", "pcluster-trn1")
    build = filled(muster.judged("config", "--image", "pcluster-trn1").out)["Build"]
    assert (build["InstanceType"], "Components" in build) == ("g4dn.xlarge", False)
    assert build["Installation"] == {"NvidiaSoftware": {"Enabled": True}}


def test_what_cannot_be_in_it_stays(muster: Muster) -> None:
    """A script with arguments, one that not every node runs; one in S3 needs the right to read it."""
    muster.edit(
        "      install: [docker, pyxis]\n",
        "      scripts: [{at: s3://ml-all/all.sh}, {at: s3://ml-all/asks.sh, arguments: [x]}]\n",
        "pcluster-p4de-postinstall",
    )
    muster.edit(
        "      login: ssm\n",
        "      login: ssm\n      post-install: {scripts: [{at: s3://ml-all/head.sh}, {at: s3://ml-all/all.sh}]}\n",
        "pcluster-p4de-postinstall",
    )
    ran = muster.judged("config", "--image", "pcluster-p4de-postinstall")
    build = filled(ran.out)["Build"]
    assert build["Components"] == [{"Type": "script", "Value": "s3://ml-all/all.sh"}]
    assert build["Iam"] == {"AdditionalIamPolicies": [{"Policy": "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"}]}
    assert [line for line in ran.err.splitlines() if line.startswith("s3:")] == [
        "s3://ml-all/head.sh still runs when a node starts: not every node runs it, but all nodes use the image",
        "s3://ml-all/asks.sh still runs when a node starts: scripts of an image get no arguments",
    ]


def test_it_fits_every_node(muster: Muster) -> None:
    """No root volume is smaller than the image, or ParallelCluster refuses the cluster."""
    muster.edit("      subnets: private\n", "      subnets: private\n      root: 120GiB\n", "pcluster-trn1")
    muster.facts({"contract": 1}, "pcluster-trn1")
    assert filled(muster.judged("config", "--image", "pcluster-trn1").out)["Image"]["RootVolume"] == {"Size": 120}


def changed(muster: Muster, old: str, new: str) -> Any:
    """The request of hyperpod-p5 with a changed file, filled in."""
    muster.edit(old, new, "hyperpod-p5")
    ran = muster("config", "hyperpod-p5")
    assert ran.code == 0, ran.err
    request = json.loads(Template(ran.out).substitute(NAMES))
    assert api_faults(request) == []
    assert cloudformation_faults(request) == []
    return request


def test_the_autoscaler_has_a_role(muster: Muster) -> None:
    """HyperPod's Karpenter takes a role of its own, which is open then, and only then."""
    assert "CLUSTER_ROLE" not in muster("config", "hyperpod-p5").err
    request = changed(
        muster,
        "node-recovery: automatic",
        "node-recovery: automatic\n      provisioning: continuous\n"
        "      autoscaling: karpenter\n      tiered-storage: {memory-percent: 20}",
    )
    assert request["AutoScaling"] == {"Mode": "Enable", "AutoScalerType": "Karpenter"}
    assert request["ClusterRole"] == NAMES["CLUSTER_ROLE"]
    assert request["TieredStorageConfig"] == {"Mode": "Enable", "InstanceMemoryAllocationPercentage": 20}


def test_the_cluster_policy(muster: Muster) -> None:
    """AWS takes it once its one name is filled in. A stack without one is wrong input."""
    ran = muster("config", "hyperpod-teams", "--cluster-policy")
    assert ran.code == 0
    named, explained = open_names(ran)
    assert explained == named
    arn = "arn:aws:sagemaker:us-west-2:210987654321:cluster/abcdefghijkl"
    request = json.loads(Template(ran.out).substitute(HYPERPOD_CLUSTER_ARN=arn))
    assert api_faults(request, "CreateClusterSchedulerConfig") == []
    assert request["SchedulerConfig"]["PriorityClasses"][-1] == {"Name": "training", "Weight": 70}
    none = muster("config", "hyperpod-p5", "--cluster-policy")
    assert (none.code, none.out) == (2, "")
    assert "hyperpod.task-governance" in none.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("p5-odcr",),
        ("pcs-p5",),
        ("hyperpod-p5", "--image"),
        ("pcluster-gpu", "--cluster-policy"),
        ("hyperpod-teams", "--image", "--cluster-policy"),
        ("hyperpod-p6",),
        (ADDONS,),
    ],
)
def test_what_has_no_such_input(muster: Muster, arguments: tuple[str, ...]) -> None:
    """Another backend, add-ons only, no such stack: wrong input, and nothing on stdout."""
    muster.take("pcs-p5")
    Shared.in_folder(muster.folder)
    ran = muster("config", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")


@pytest.mark.parametrize("more", [(), ("--image",)])
def test_nothing_is_printed_of_what_would_be_refused(muster: Muster, more: tuple[str, ...]) -> None:
    """Neither of schema errors nor of what a mandatory rule refuses."""
    muster.edit("nodes: 4", "nodes: 5", "pcluster-gpu")
    muster.edit("os: alinux2023 #", "os: alinux2 #", "pcluster-p4de-custom-ami")
    refused = muster.judged("config", "pcluster-gpu", *more)
    wrong = muster.judged("config", "pcluster-p4de-custom-ami", *more)
    assert (refused.code, refused.out, wrong.code, wrong.out) == (1, "", 2, "")
    assert "reservation" in refused.err
