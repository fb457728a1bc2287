"""The HyperPod cluster as it is registered: in AWS's own words, in its Region."""

import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from tests.aws_schemas import api_faults, cloudformation_faults, create_only, properties
from tests.infra.hyperpod.described import CLUSTER, PROVIDER, THEIRS, cluster_of, registered

KEY = "arn:aws:kms:us-west-2:111122223333:key/01234567-89ab-cdef-0123-456789abcdef"
PLAN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/p5-june"
WORKERS = "groups.workers"
EVERYTHING: Mapping[str, Any] = {
    "hyperpod": {
        "name": "Pod-1",
        "provisioning": "continuous",
        "autoscaling": "karpenter",
        "tiered-storage": {"memory-percent": 20},
    },
    f"{WORKERS}.nodes": {"count": 4, "minimum": 2},
    f"{WORKERS}.labels": {"example.com/TeamName": "vision", "SomeWord": "x"},
    f"{WORKERS}.taints": {"example.com/OnlyVision": "NoSchedule"},
    f"{WORKERS}.security-groups": [THEIRS],
    f"{WORKERS}.capacity": {"training-plan": {"arn": PLAN, "zone": "us-west-2a", "count": 4}},
    f"{WORKERS}.hyperpod": {
        "deep-health-checks": ["instance-stress", "instance-connectivity"],
        "volume": {"size": "500GiB", "key": KEY},
        "root-volume-key": KEY,
        "interface": "efa-only",
        "updates": {"schedule": "cron(0 3 ? * SUN *)", "at-once": {"count": 1}, "wait-seconds": 60},
    },
    "groups.inference": {
        "for": "inference",
        "instance": "g5.8xlarge",
        "nodes": 1,
        "capacity": "spot",
        "hyperpod": {
            "lifecycle": {"own": {"at": "s3://sagemaker-theirs/lcs", "on-init-complete": "after.sh"}},
            "image": {"release": "1.3.0"},
            "updates": {"patching": "when-all-idle"},
        },
    },
}
"""What a description can say of HyperPod."""


@pytest.mark.parametrize("edits", [{}, EVERYTHING])
def test_what_is_registered_is_what_aws_takes(edits: Mapping[str, Any]) -> None:
    """By CloudFormation's schema and by the API's model, with every field that a description can set."""
    request = properties(cluster_of(registered(edits)))
    assert cloudformation_faults(request) == []
    assert api_faults(request) == []


def test_its_region_is_said_aloud() -> None:
    """By a provider of its own: neither the environment's Region nor another provider's decides where machines run."""
    program = registered(region="eu-west-1")
    provider, cluster = program.one(PROVIDER, "aws-native"), program.one(CLUSTER, "hyperpod")
    assert provider.inputs["region"] == "eu-west-1"
    assert cluster.options["provider"] == f"{provider.urn}::{provider.id}"


def test_a_change_of_name_network_or_eks_cluster_replaces_and_nothing_else_does() -> None:
    """As AWS's schema has it; groups change in place."""
    replacing = {path.replace("/", ".") for path in create_only()}
    said = registered().one(CLUSTER, "hyperpod").options["replaceOnChanges"]
    assert {each.lower() for each in said} == {each.lower() for each in replacing}


def test_a_stack_on_eks_never_loads_the_native_provider() -> None:
    """It costs seconds and memory, and its plugin a download."""
    code = (
        "import sys; from tests.infra.registered import registered; registered(); "
        "assert not [each for each in sys.modules if each.startswith('pulumi_aws_native')]"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
