"""Requests and configurations as text, and what is said of them. Modelled on the requests of
awsome-distributed-training and on the configuration that the HyperPod CLI writes, in other words."""

import json
from pathlib import Path
from typing import Any

from muster.cli.findings import StackReport
from muster.cli.rule_selection import RuleSelection
from muster.cli.source_files import judge_source
from muster.policies.engine.configuration import Configuration
from muster.sources.source import InputFile
from muster.yaml_text import load_all
from tests.sources.parallelcluster.files import AS_OF, the_format

SUBNET = "subnet-0123456789abcdef0"
SECURITY_GROUP = "sg-0123456789abcdef0"
ROLE = "arn:aws:iam::210987654321:role/hyperpod-instances"
EKS = "arn:aws:eks:us-west-2:210987654321:cluster/ml"

WORKERS: dict[str, Any] = {
    "InstanceGroupName": "workers",
    "InstanceType": "ml.p5.48xlarge",
    "InstanceCount": 4,
    "LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-ml/scripts", "OnCreate": "on_create.sh"},
    "ExecutionRole": ROLE,
    "ThreadsPerCore": 1,
    "OnStartDeepHealthChecks": ["InstanceStress", "InstanceConnectivity"],
}
REQUEST: dict[str, Any] = {
    "ClusterName": "ml-cluster",
    "Orchestrator": {"Eks": {"ClusterArn": EKS}},
    "InstanceGroups": [WORKERS],
    "VpcConfig": {"SecurityGroupIds": [SECURITY_GROUP], "Subnets": [SUBNET]},
    "NodeRecovery": "Automatic",
}
CLI = """\
# template: cluster-stack
hyperpod_cluster_name: ml-cluster
kubernetes_version: "1.34"
node_recovery: Automatic
node_provisioning_mode: Continuous
helm_operators: mpi-operator.enabled=true,nvidia-device-plugin.devicePlugin.enabled=true
instance_group_settings:
  - InstanceGroupName: workers
    InstanceType: ml.g5.8xlarge
    InstanceCount: 2
    ThreadsPerCore: 2
    TargetAvailabilityZoneId: usw2-az2
storage_capacity: 1200
per_unit_storage_throughput: 250
data_compression_type: NONE
"""


def a_request(**keys: Any) -> InputFile:
    """The sound request as JSON, with other keys; None removes one."""
    made = {key: value for key, value in {**REQUEST, **keys}.items() if value is not None}
    text = json.dumps(made, indent=2)
    return InputFile(Path("cluster-config.json"), text, (made,), is_json=True)


def of_workers(**keys: Any) -> InputFile:
    """The sound request with other keys of its group; None removes one."""
    group = {key: value for key, value in {**WORKERS, **keys}.items() if value is not None}
    return a_request(InstanceGroups=[group])


def a_configuration(*edits: tuple[str, str]) -> InputFile:
    """The configuration of the HyperPod CLI, with parts replaced, each of which it has once."""
    text = CLI
    for before, after in edits:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return InputFile(Path("config.yaml"), text, tuple(load_all(text, template=True)), is_json=False)


def report(file: InputFile) -> StackReport:
    """What is said of a file."""
    return judge_source(file, the_format("hyperpod"), RuleSelection(Configuration()), AS_OF)


def said(file: InputFile) -> set[tuple[str, str]]:
    """Rules that find something, with the line of the file."""
    found = report(file)
    assert found.bugs == ()
    lines = file.text.splitlines()
    return {(each.rule, lines[each.where.line - 1].strip().rstrip(",")) for each in found.findings}


def unsaid(file: InputFile) -> dict[str, set[str]]:
    """Rules that are not evaluated, with what is missing."""
    made: dict[str, set[str]] = {}
    for each in report(file).not_evaluated:
        made.setdefault(each.rule, set()).add(each.missing)
    return made
