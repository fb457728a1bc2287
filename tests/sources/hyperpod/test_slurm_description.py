"""The descriptions of requests with Slurm: they are valid, and make the same cluster."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from muster.blueprint.hyperpod.create_slurm_cluster import slurm_definition_with_placeholders
from muster.blueprint.hyperpod.slurm import HyperPodSlurmBlueprint
from muster.config.identifiers import PLACEHOLDER
from muster.config.project import stack_file
from muster.config.stack_file import StackFile, load
from muster.sources.source import InputFile, InvalidFile
from tests.sources.hyperpod.files import ROLE, SECURITY_GROUP, SUBNET, WORKERS, a_request
from tests.sources.hyperpod.test_description import described, without_ids
from tests.sources.parallelcluster.test_description import contains, opened
from tests.stack_files import ROOT

STACK = "hyperpod-slurm-p5"
MANAGED = {"Slurm": {"SlurmConfigStrategy": "Managed"}}
LUSTRE = {"DnsName": "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com", "MountName": "abcdefgh", "MountPath": "/fsx"}
HOME = {"DnsName": "fs-0fedcba9876543210.fsx.us-west-2.amazonaws.com", "MountPath": "/home"}


def a_group(name: str, node_type: str, *partitions: str, **keys: Any) -> dict[str, Any]:
    config = {"NodeType": node_type, **({"PartitionNames": [*partitions]} if partitions else {})}
    made = {**WORKERS, "InstanceGroupName": name, "SlurmConfig": config, "OnStartDeepHealthChecks": None, **keys}
    return {key: value for key, value in made.items() if value is not None}


CONTROLLER = a_group("controller", "Controller", InstanceType="ml.c5.xlarge", InstanceCount=1)
LOGIN = a_group("login", "Login", InstanceType="ml.m5.xlarge", InstanceCount=2)
COMPUTE = a_group("workers", "Compute", "training")


def slurm(*groups: dict[str, Any], **keys: Any) -> InputFile:
    """A request of a cluster with Slurm."""
    return a_request(**{"Orchestrator": MANAGED, **keys}, InstanceGroups=[*groups])


def requested(stack: StackFile) -> Any:
    """The request of a stack's cluster, in which all values that are not known are one."""
    blueprint = stack.derive()
    assert isinstance(blueprint, HyperPodSlurmBlueprint)
    return without_ids(slurm_definition_with_placeholders(blueprint)[0])


def test_the_request_of_a_stack_becomes_a_stack_with_the_same_request() -> None:
    before = load(STACK, stack_file(ROOT, STACK), Path("facts.yaml"))
    blueprint = before.derive()
    assert isinstance(blueprint, HyperPodSlurmBlueprint)
    text = json.dumps(slurm_definition_with_placeholders(blueprint)[0], indent=2)
    description = described(InputFile(Path("c.json"), text, (json.loads(text),), is_json=True))
    assert description.backend == "hyperpod-slurm"
    assert requested(opened(description, STACK)) == requested(before)
    assert {each.path.rpartition(".")[2].partition("[")[0] for each in description.left_out} <= {
        "SecurityGroupIds",
        "Tags",
    }


def test_a_request_becomes_the_same_cluster() -> None:
    description = described(slurm(CONTROLLER, LOGIN, COMPUTE))
    made = requested(opened(description))
    assert contains(made["InstanceGroups"], [CONTROLLER, LOGIN, COMPUTE])
    assert made["Orchestrator"] == MANAGED
    scripts = {"lifecycle": {"own": {"at": "s3://sagemaker-ml/scripts", "on-create": "on_create.sh"}}}
    common = {"security-groups": [SECURITY_GROUP], "hyperpod": {"threads-per-core": 1, **scripts}}
    assert description.cluster == {
        "backend": "hyperpod-slurm",
        "name": "ml-cluster",
        "network": {"existing": {"vpc": f"vpc-{PLACEHOLDER}", "private": {"us-west-2a": SUBNET}}},
        "controller": {"instance": "c5.xlarge", **common},
        "login": {"instance": "m5.xlarge", "nodes": 2, **common},
        "groups": {
            "workers": {"for": "training", "partition": "training", "instance": "p5.48xlarge", "nodes": 4, **common}
        },
        "hyperpod": {"node-recovery": "automatic", "config-strategy": "managed", "execution-role": ROLE},
    }
    assert description.left_out == ()


def test_the_groups_of_file_systems_mount_them_in_the_description() -> None:
    mounts = [{"FsxLustreConfig": LUSTRE}, {"FsxOpenZfsConfig": HOME}]
    groups = [{**each, "InstanceStorageConfigs": mounts} for each in (CONTROLLER, COMPUTE)]
    description = described(slurm(*groups))
    assert description.cluster["storage"] == {
        "fsx": {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "abcdefgh"}}
    }
    assert description.cluster["home"] == {"id": "fs-0fedcba9876543210"}
    assert requested(opened(description))["InstanceGroups"][1]["InstanceStorageConfigs"][:2] == mounts
    assert description.left_out == ()


def test_a_database_is_in_the_description() -> None:
    database = {
        "Endpoint": "db.example.com",
        "Port": 3307,
        "Name": "jobs",
        "SecretArn": "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm",
    }
    orchestrator = {"Slurm": {"AccountingDatabase": database}}
    made = requested(
        opened(described(slurm(CONTROLLER, COMPUTE, Orchestrator=orchestrator, NodeProvisioningMode="Continuous")))
    )
    assert (made["Orchestrator"], made["NodeProvisioningMode"]) == (orchestrator, "Continuous")


@pytest.mark.parametrize(
    ("groups", "left"),
    [
        ([CONTROLLER, {**CONTROLLER, "InstanceGroupName": "second"}, COMPUTE], {"InstanceGroups[1]"}),
        ([{**CONTROLLER, "InstanceCount": 2}, COMPUTE], {"InstanceGroups[0].InstanceCount"}),
        ([a_group("c", "Controller", "p", InstanceCount=1), COMPUTE], {"InstanceGroups[0].SlurmConfig.PartitionNames"}),
        ([CONTROLLER, a_group("w", "Worker", "a")], {"InstanceGroups[1].SlurmConfig.NodeType"}),
        ([CONTROLLER, a_group("w", "Compute", "a", "b")], {"InstanceGroups[1].SlurmConfig.PartitionNames[1]"}),
        ([CONTROLLER, a_group("w", "Compute", "gpu_a")], {"InstanceGroups[1].SlurmConfig.PartitionNames[0]"}),
        (
            [CONTROLLER, {**COMPUTE, "InstanceStorageConfigs": [{"FsxLustreConfig": {**LUSTRE, "MountPath": "/a/b"}}]}],
            {"InstanceGroups[1].InstanceStorageConfigs[0].FsxLustreConfig"},
        ),
        ([CONTROLLER, {**COMPUTE, "CapacityRequirements": {"Spot": {}}}], {"InstanceGroups[1].CapacityRequirements"}),
    ],
)
def test_what_a_description_does_not_have_is_left_out_with_the_reason(
    groups: list[dict[str, Any]], left: set[str]
) -> None:
    description = described(slurm(*groups))
    opened(description)
    assert {each.path for each in description.left_out} == left
    assert all(each.why for each in description.left_out)


def test_without_a_controller_its_type_is_a_placeholder() -> None:
    description = described(slurm(COMPUTE))
    assert "controller" in description.placeholders
    opened(description)


def test_scripts_in_a_bucket_that_is_not_known_have_a_placeholder() -> None:
    """Muster has no scripts for Slurm, unlike on EKS."""
    scripts = {"SourceS3Uri": "s3://${BUCKET}/workers", "OnCreate": "on_create.sh"}
    description = described(slurm(CONTROLLER, {**COMPUTE, "LifeCycleConfig": scripts}))
    opened(description)
    assert description.cluster["groups"]["workers"]["hyperpod"]["lifecycle"]["own"]["on-create"] == "on_create.sh"


def test_without_slurm_config_the_controller_is_not_known() -> None:
    with pytest.raises(InvalidFile, match=re.escape("no instance group has SlurmConfig")):
        described(slurm(WORKERS))
