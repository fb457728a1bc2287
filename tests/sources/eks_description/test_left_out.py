"""What a description does not have of registered resources: each input and each resource gets a line."""

import base64
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.fleet.registration import Registration
from muster.fleet.resources import ref
from muster.sources.eks_description import Described, Hints, describe_cluster
from muster.sources.eks_description.parts import distinct_names
from muster.sources.program import Program
from muster.sources.source import CannotBeRead
from tests.damage import damaged

ROLE, POLICY = "aws:iam/role:Role", "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
LUSTRE = {"storageCapacity": 1200, "deploymentType": "PERSISTENT_2", "perUnitStorageThroughput": 125}


def encoded(text: str) -> str:
    """User data as EC2 takes it."""
    return base64.b64encode(text.encode()).decode()


def resources(
    template: Mapping[str, Any], group: Mapping[str, Any], cluster: Mapping[str, Any], *others: tuple[str, str, Any]
) -> tuple[Registration, ...]:
    """A cluster with one group of two nodes and its template, and other resources: type, name and inputs."""
    program = Program("training", "terraform")
    program.add(ref.CLUSTER, "cluster", {"name": "training", "version": "1.35", **cluster})
    program.add(ref.LAUNCH_TEMPLATE, "workers", {"instanceType": "g6.12xlarge", **template}, id_="lt-1")
    counts = {"minSize": 2, "desiredSize": 2, "maxSize": 2}
    made = {"clusterName": "training", "scalingConfig": counts, "launchTemplate": {"id": "lt-1"}, "amiType": "CUSTOM"}
    program.add(ref.NODE_GROUP, "workers", {**made, **group})
    for type_, name, inputs in others:
        program.add(type_, name, inputs)
    return tuple(program.registrations)


def left_out(listed: tuple[Registration, ...], hints: Hints | None = None) -> dict[str, str]:
    """Resource and property -> why the description does not have it."""
    made: Described = describe_cluster(listed, region="us-west-2", hints=hints)
    return {f"{each.urn.rpartition('::')[2]}.{each.property}".strip("."): each.why for each in made.left_out}


NODE_CONFIG = "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster: {name: a}\n"
OF_TEMPLATE: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "what Muster writes too": (
        {
            "metadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 1},
            "userData": encoded(f"{NODE_CONFIG}  instance: {{localStorage: {{strategy: RAID0}}}}\n"),
            "blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": 50, "encrypted": True}}],
        },
        {},
    ),
    "Bottlerocket's settings": ({"userData": encoded('[settings.kubernetes]\n"cluster-name" = "a"\n')}, {}),
    "other settings of Bottlerocket": (
        {"userData": encoded('[settings]\nmotd = "a"\n')},
        {"workers.userData": "user data"},
    ),
    "the settings of the kubelet": (
        {"userData": encoded(f"{NODE_CONFIG}  kubelet: {{flags: [--v=4]}}\n")},
        {"workers.userData": "user data"},
    ),
    "a script": ({"userData": encoded("#!/bin/bash\necho a\n")}, {"workers.userData": "user data"}),
    "the hop limit": (
        {"metadataOptions": {"httpPutResponseHopLimit": 2}},
        {"workers.metadataOptions.httpPutResponseHopLimit": "to 1"},
    ),
    "the key of a volume": (
        {"blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": 50, "kmsKeyId": "a"}}]},
        {"workers.blockDeviceMappings": "kmsKeyId"},
    ),
    "a small volume": (
        {"blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": 10}}]},
        {"workers.blockDeviceMappings": "20GiB"},
    ),
    "an input of no key": ({"monitoring": {"enabled": True}}, {"workers.monitoring": "no key"}),
    "empty blocks": ({"monitoring": [], "cpuOptions": {"coreCount": None}}, {}),
    "tags": (
        {"tagSpecifications": [{"resourceType": "instance", "tags": {"team": "a", "Name": "b"}}]},
        {"workers.tagSpecifications": "under tags"},
    ),
}


@pytest.mark.parametrize(("template", "said"), OF_TEMPLATE.values(), ids=OF_TEMPLATE)
def test_each_input_of_a_template_is_described_or_left_out(template: dict[str, Any], said: dict[str, str]) -> None:
    found = left_out(resources(template, {}, {}))
    assert found.keys() == said.keys()
    assert all(text in found[where] for where, text in said.items())


def test_the_inputs_of_the_group_and_the_cluster_are_left_out() -> None:
    role = "arn:aws:iam::111122223333:role/own"
    group = {"nodeRoleArn": role, "tags": {"team": "b"}, "releaseVersion": "1.35.0-20260101"}
    found = left_out(resources({}, group, {"tags": {"team": "a"}, "upgradePolicy": {"supportType": "STANDARD"}}))
    assert found.keys() == {
        *("workers.nodeRoleArn", "workers.tags", "workers.releaseVersion"),
        "cluster.upgradePolicy",
    }


def test_the_tags_of_the_cluster_are_those_of_the_description() -> None:
    listed = resources({}, {"tags": {"team": "a"}}, {"tags": {"team": "a", "Name": "training"}})
    assert describe_cluster(listed, region="us-west-2").cluster["tags"] == {"team": "a"}
    assert left_out(listed) == {}


def test_resources_of_one_type_are_one_line_and_plumbing_is_silent() -> None:
    trust = '{"Statement": [{"Principal": {"Service": "ec2.amazonaws.com"}, "Effect": "Allow"}]}'
    others = (
        *((ref.SECURITY_GROUP, f"group-{index}", {}) for index in range(3)),
        ("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", "rule", {}),
        ("aws:ec2/routeTable:RouteTable", "private", {}),
        (ROLE, "nodes", {"assumeRolePolicy": trust}),
        (POLICY, "usual", {"policyArn": "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"}),
        (POLICY, "more", {"policyArn": "arn:aws:iam::aws:policy/AmazonS3FullAccess"}),
        (
            ROLE,
            "storage",
            {"assumeRolePolicy": trust, "managedPolicyArns": ["arn:aws:iam::aws:policy/AmazonS3FullAccess"]},
        ),
        (ROLE, "pods", {"assumeRolePolicy": trust.replace("ec2", "pods.eks")}),
        (ref.BUCKET, "data", {}),
    )
    found = left_out(resources({}, {}, {}, *others))
    assert found.keys() == {"group-0", "more", "storage.managedPolicyArns", "pods", "data"}
    assert "and 3 more like it" in found["group-0"]


def test_a_created_network_has_one_subnet_of_a_tier_for_each_zone() -> None:
    others = ((ref.SUBNET, f"private-{index}", {"availabilityZone": "us-west-2a"}) for index in range(3))
    found = left_out(resources({}, {}, {}, *others))
    assert found.keys() == {"private-1"}
    assert "and 1 more like it" in found["private-1"]


def test_logs_are_kept_as_long_as_in_the_file() -> None:
    group = ("aws:cloudwatch/logGroup:LogGroup", "logs", {"name": "/aws/eks/training/cluster", "retentionInDays": 30})
    listed = resources({}, {}, {}, group)
    assert describe_cluster(listed, region="us-west-2").cluster["logs"] == {"types": [], "retention-days": 30}
    assert left_out(listed) == {}


def test_groups_of_modules_have_the_names_of_their_modules() -> None:
    name = 'module.eks.module.node_group["{}"].aws_eks_node_group.this[0]'
    assert distinct_names([ref.Ref("", name.format(each)) for each in ("gpu", "GPU")], 24, "group") == ["gpu", "gpu-2"]


def test_a_format_with_keys_of_its_own_reports_them_itself() -> None:
    assert left_out(resources({"monitoring": {"enabled": True}}, {}, {}), Hints(lists_keys=True)) == {}


def test_two_file_systems_of_one_name_stay_two() -> None:
    others = (
        (ref.LUSTRE, "module.a.scratch", LUSTRE),
        (ref.LUSTRE, "module.b.scratch", {**LUSTRE, "storageCapacity": 2400}),
    )
    found = describe_cluster(resources({}, {}, {}, *others), region="us-west-2").cluster["storage"]
    assert {name: each["lustre"]["size"] for name, each in found.items()} == {
        "scratch": "1200GiB",
        "scratch-2": "2400GiB",
    }


@pytest.mark.parametrize(("services", "expected"), [([], None), (["s3"], False), (["s3", "ecr.api"], None)])
def test_endpoints_are_stated_only_if_the_file_has_some(services: list[str], expected: bool | None) -> None:
    endpoint = "aws:ec2/vpcEndpoint:VpcEndpoint"
    names = (f"com.amazonaws.us-west-2.{each}" for each in services)
    others = ((endpoint, each, {"serviceName": each}) for each in names)
    made = describe_cluster(resources({}, {}, {}, *others), region="us-west-2").cluster
    assert made["network"]["create"].get("registry-endpoints") is expected


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=0))
def test_damaged_resources_are_described_or_refused_with_words(seed: int) -> None:
    drawn = random.Random(seed)
    template = OF_TEMPLATE["what Muster writes too"][0] | OF_TEMPLATE["tags"][0]
    groups = {"mixedInstancesPolicy": {"instancesDistribution": {"onDemandBaseCapacity": 1}}, "tags": [{"key": "a"}]}
    others = (
        (ref.LUSTRE, "scratch", LUSTRE),
        (ref.SUBNET, "a", {"availabilityZone": "us-west-2a"}),
        (ref.AUTO_SCALING_GROUP, "more", groups),
        (ref.ADDON, "dns", {"addonName": "coredns", "addonVersion": "v1"}),
        (ROLE, "nodes", {"assumeRolePolicy": {}, "managedPolicyArns": ["a"]}),
    )
    cluster = {"accessConfig": {"authenticationMode": "API"}, "encryptionConfig": [], "tags": {"team": "a"}}
    sound = resources(template, {"tags": {"team": "a"}}, cluster, *others)
    listed = [replace(each, inputs=odd) for each in sound if isinstance(odd := damaged(dict(each.inputs), drawn), dict)]
    try:
        describe_cluster(listed, region="us-west-2")
    except CannotBeRead as fault:
        assert "node group" in str(fault)
