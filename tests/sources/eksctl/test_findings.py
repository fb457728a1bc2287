"""Which rules whole files break."""

from typing import Any

import pytest

from muster.sources.eksctl.reader import read
from tests.sources.eksctl.files import config, findings, opened, report

SYSTEM = {"name": "system", "instanceType": "c5.2xlarge", "desiredCapacity": 1}
EFA = {
    "name": "workers",
    "instanceType": "p5.48xlarge",
    "efaEnabled": True,
    "privateNetworking": True,
    "desiredCapacity": 2,
    "availabilityZones": ["us-west-2a"],
}
ZONES = {"availabilityZones": ["us-west-2a", "us-west-2b"]}

SECURITY = {"api-not-open-to-all", "imds-out-of-pods"}
"""Advice about eksctl's defaults."""
# The manifests of awsome-distributed-training, 1.architectures/4.amazon-eks, in which the version is outdated.
# The same project's 3.test_cases/megatron/nemo1.0/EKS/p4de-cluster-config.yaml.
# The EKS user guide's efa-cluster.yaml, with its placeholder for the version.
GUIDE = config({**EFA, "minSize": 1, "maxSize": 3, "volumeSize": 300}, version="1.XX", iam={"withOIDC": True}, **ZONES)
# AWS's blog post "Scaling distributed training with AWS Trainium and Amazon EKS".
TRAINIUM = config(
    {
        "name": "trn1-ng1",
        "launchTemplate": {"id": "TRN1_LAUNCH_TEMPLATE_ID"},
        "minSize": 2,
        "desiredCapacity": 2,
        "maxSize": 2,
        "availabilityZones": ["us-west-xx"],
        "privateNetworking": True,
        "efaEnabled": True,
    },
    version="1.23",
    availabilityZones=["us-west-xx", "us-west-yy"],
)

FILES = {
    "the guide's manifest": (GUIDE, SECURITY),
    "another launch template": (
        TRAINIUM,
        {"api-not-open-to-all", "kubernetes-version-supported"},
    ),
    "a sound cluster": (
        config(
            {**EFA, "volumeEncrypted": True, "disablePodIMDS": True},
            vpc={"clusterEndpoints": {"publicAccess": False, "privateAccess": True}},
            secretsEncryption={"keyARN": "arn:aws:kms:us-west-2:111122223333:key/1"},
            **ZONES,
        ),
        set(),
    ),
}


@pytest.mark.parametrize(("text", "rules"), FILES.values(), ids=FILES)
def test_the_findings_of_a_file_are_exactly_these(text: str, rules: set[str]) -> None:
    assert {each.rule for each in findings(text)} == rules


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "EFA in public subnets": ({"privateNetworking": False}, "several-interfaces-private-subnets"),
    "EFA on cards that take none": ({"instanceType": "p6-b300.48xlarge"}, "efa-fits-instance"),
    "a type without EFA": ({"instanceType": "c5.2xlarge"}, "efa-fits-instance"),
    "a taint that eksctl's EFA plugin does not tolerate": (
        {"taints": [{"key": "team", "value": "a", "effect": "NoSchedule"}]},
        "plugin-reaches-its-nodes",
    ),
    "a type that eksctl's EFA plugin does not select": (
        {"instanceType": "p6-b200.48xlarge"},
        "plugin-reaches-its-nodes",
    ),
    "an old image": ({"amiFamily": "AmazonLinux2"}, "image-fits-group"),
    "a placement group on a Capacity Block": (
        {
            "placement": {"groupName": "p5"},
            "capacityReservation": {"capacityReservationTarget": {"capacityReservationID": "cr-0123456789abcdef0"}},
            "instanceMarketOptions": {"marketType": "capacity-block"},
        },
        "placement-group-fits-capacity",
    ),
}


@pytest.mark.parametrize(("change", "rule"), BROKEN.values(), ids=BROKEN)
def test_a_mistake_is_found(change: dict[str, Any], rule: str) -> None:
    assert rule in {each.rule for each in findings(config({**EFA, **change}, **ZONES))}
    assert rule not in {each.rule for each in findings(config(EFA, **ZONES))}


def test_a_finding_names_the_key_and_eksctls_words() -> None:
    text = config(SYSTEM, {**EFA, "privateNetworking": False}, **ZONES)
    (found,) = [each for each in findings(text) if each.rule == "several-interfaces-private-subnets"]
    assert text.splitlines()[found.where.line - 1].strip() == "availabilityZones:"
    assert found.remedy == "set privateNetworking: true, or remove efaEnabled"


def test_reports_name_the_parts_of_the_file() -> None:
    source = read(opened(config(EFA, addons=[{"name": "vpc-cni"}], **ZONES)))
    assert {source.label(each.urn) for each in source.registrations} == {
        "add-on vpc-cni",
        "cluster training",
        "eksctl's DaemonSet aws-efa-k8s-device-plugin",
        "eksctl's DaemonSet nvidia-device-plugin-daemonset",
        "node group workers",
    }


def test_zones_of_new_subnets_are_unknown_if_eksctl_chooses_them() -> None:
    group = {key: each for key, each in EFA.items() if key != "availabilityZones"}
    made = report(config(group))
    assert "efa-single-zone" in {each.rule for each in made.not_evaluated}
    assert "efa-single-zone" not in {each.rule for each in made.findings}
