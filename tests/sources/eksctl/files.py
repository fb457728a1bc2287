"""Compact ClusterConfigs, modelled on real ones, and what Muster finds in them."""

from datetime import date
from pathlib import Path
from typing import Any

import yaml

from muster.cli.findings import ReportedFinding, StackReport
from muster.cli.rule_selection import select_rules
from muster.cli.source_files import judge_source
from muster.sources.recognition import recognize
from muster.sources.source import InputFile
from muster.yaml_text import load_all
from tests.stack_files import AS_OF

HEAD = {"apiVersion": "eksctl.io/v1alpha5", "kind": "ClusterConfig"}


def opened(text: str) -> InputFile:
    """A file with this text."""
    return InputFile(Path("cluster.yaml"), text, tuple(load_all(text, template=True)), is_json=False)


def config(*groups: dict[str, Any], **more: Any) -> str:
    """A ClusterConfig in us-west-2 with managed node groups. `version` is the Kubernetes version."""
    metadata = {"name": "training", "region": "us-west-2", "version": more.pop("version", "1.35")}
    value = {**HEAD, "metadata": {**metadata, **more.pop("metadata", {})}}
    if groups:
        value["managedNodeGroups"] = [{"name": f"group-{index + 1}", **each} for index, each in enumerate(groups)]
    return yaml.safe_dump({**value, **more}, sort_keys=False)


def report(text: str) -> StackReport:
    """The report of `muster check` about a file with this text."""
    file = opened(text)
    how = select_rules(None, None, None, None, None)
    return judge_source(file, recognize(file), how, date.fromisoformat(AS_OF))


def findings(text: str) -> tuple[ReportedFinding, ...]:
    """The findings about a file with this text."""
    made = report(text)
    assert made.bugs == ()
    return made.findings


def mandatory(text: str) -> set[str]:
    """The mandatory rules that a file breaks."""
    return {each.rule for each in findings(text) if each.level == "mandatory"}


WHOLE = yaml.safe_load(
    config(
        {
            "instanceType": "p5.48xlarge",
            "efaEnabled": True,
            "privateNetworking": True,
            "availabilityZones": ["us-west-2a"],
            "labels": {"a": "b"},
            "taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}],
            "capacityReservation": {"capacityReservationTarget": {"capacityReservationID": "cr-0123456789abcdef0"}},
            "ssh": {"publicKeyName": "a", "sourceSecurityGroupIds": ["sg-0123456789abcdef0"]},
            "iam": {"attachPolicyARNs": ["arn:aws:iam::aws:policy/A"], "withAddonPolicies": {"fsx": True}},
            "securityGroups": {"attachIDs": ["sg-0123456789abcdef0"]},
            "additionalVolumes": [{"volumeName": "/dev/sdb", "volumeSize": 10}],
            "updateConfig": {"maxUnavailable": 1},
            "nodeRepairConfig": {"enabled": True},
            "preBootstrapCommands": ["a"],
            "maxPodsPerNode": 20,
        },
        availabilityZones=["us-west-2a", "us-west-2b"],
        nodeGroups=[
            {
                "name": "own",
                "instancesDistribution": {"instanceTypes": ["c5.large", "m5.large"], "spotInstancePools": 2},
                "taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}],
            }
        ],
        vpc={"cidr": "10.0.0.0/16", "nat": {"gateway": "HighlyAvailable"}, "publicAccessCIDRs": ["10.0.0.0/8"]},
        addons=[{"name": "vpc-cni", "version": "latest"}],
        cloudWatch={"clusterLogging": {"enableTypes": ["all"], "logRetentionInDays": 30}},
        accessConfig={"accessEntries": [{"principalARN": "arn:aws:iam::1:role/a", "accessPolicies": []}]},
    )
)
"""A file with most of the keys that readers read."""
