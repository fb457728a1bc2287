"""`muster config`: what AWS's own CLI takes, and where each value comes from that is still open in it."""

import json
import re
from string import Template
from typing import Any

import pytest
import yaml

from tests.aws_schemas import api_faults, cloudformation_faults
from tests.cli.conftest import Muster, Ran
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


def require_taken(text: str) -> None:
    """AWS takes the request once it is filled in."""
    filled = json.loads(Template(text).substitute(NAMES))
    assert api_faults(filled) == []
    assert cloudformation_faults(filled) == []


def require_explained(ran: Ran) -> None:
    """Stderr names exactly what is open in a text, in its order."""
    named = list(dict.fromkeys(re.findall(r"\$\{(\w+)\}", ran.out)))
    assert re.findall(r"^\$\{(\w+)\}: ", ran.err, re.MULTILINE) == named


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_what_is_printed_of_a_stack(muster: Muster, golden: Any) -> None:
    """Stderr explains what is open; `--json` says the same."""
    stack, what, _ = golden.name.split(".")
    more = ("--image",) if what == "image" else ()
    ran, as_json = (muster.judged("config", stack, *more, *flag) for flag in ((), ("--json",)))
    require_explained(ran)
    assert (yaml.safe_load(ran.out), ran.err) == (as_json.json, as_json.err)
    if what == "create-cluster":
        require_taken(ran.out)


def test_the_autoscaler_has_a_role(muster: Muster) -> None:
    """HyperPod's Karpenter takes a role of its own."""
    muster.edit(
        "node-recovery: automatic",
        "node-recovery: automatic\n      provisioning: continuous\n"
        "      autoscaling: karpenter\n      tiered-storage: {memory-percent: 20}",
        "hyperpod-p5",
    )
    ran = muster.judged("config", "hyperpod-p5")
    require_explained(ran)
    require_taken(ran.out)


def test_the_cluster_policy(muster: Muster) -> None:
    """AWS takes it once its one name is filled in."""
    ran = muster.judged("config", "hyperpod-teams", "--cluster-policy")
    require_explained(ran)
    arn = "arn:aws:sagemaker:us-west-2:210987654321:cluster/abcdefghijkl"
    request = json.loads(Template(ran.out).substitute(HYPERPOD_CLUSTER_ARN=arn))
    assert api_faults(request, "CreateClusterSchedulerConfig") == []
    assert request["SchedulerConfig"]["PriorityClasses"][-1] == {"Name": "training", "Weight": 70}
