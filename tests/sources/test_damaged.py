"""Damaged files of every format are read, judged and described, or refused in words."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.sources.recognition import recognize
from muster.sources.source import CannotBeRead, InputFile
from tests.damage import ODD_TEXTS, at, damaged, places
from tests.sources.brought_over import opened
from tests.sources.cloudformation.files import SOUND as TEMPLATES
from tests.sources.cloudformation.files import parsed
from tests.sources.eksctl.files import WHOLE as CLUSTER_CONFIG
from tests.sources.hyperpod.files import CLI, REQUEST, WORKERS
from tests.sources.parallelcluster.files import SOUND as CONFIGURATION
from tests.sources.terraform.clusters import CALLS, cluster
from tests.sources.terraform.plans import Resource, plan, state

FUNCTIONS = [
    {name: argument}
    for name in ("Ref", "Fn::GetAtt", "Fn::Sub", "Fn::If", "Fn::Select", "Fn::FindInMap", "Fn::Cidr", "Fn::Join")
    for argument in ("AWS::NoValue", "Vpc", ["Vpc", "Arn"], [0, ["a"]], ["a", {"x": "${a}"}], {}, None, 3)
]
PARALLELCLUSTER = {
    **yaml.safe_load(CONFIGURATION),
    "Imds": {"ImdsSupport": "v2.0"},
    "Tags": [{"Key": "team", "Value": "ml"}],
    "DevSettings": {"Timeouts": {"HeadNodeBootstrapTimeout": 3000}},
    "LoginNodes": {"Pools": [{"Name": "login", "Count": 1, "Ssh": {"AllowedIps": "203.0.113.0/24"}}]},
}
HYPERPOD = {
    **REQUEST,
    "InstanceGroups": [
        {
            **WORKERS,
            "OverrideVpcConfig": REQUEST["VpcConfig"],
            "KubernetesConfig": {"Labels": {"a": "b"}, "Taints": [{"Key": "k", "Effect": "NoSchedule"}]},
            "InstanceStorageConfigs": [{"EbsVolumeConfig": {"VolumeSizeInGB": 100}}],
        },
        {**WORKERS, "InstanceGroupName": "more", "TrainingPlanArn": "arn:aws:sagemaker:us-west-2:1:training-plan/a"},
    ],
    "Tags": [{"Key": "team", "Value": "ml"}],
}
TERRAFORM = (
    *cluster(cards=2),
    Resource("helm_release.kueue", {"chart": "kueue", "values": ["a: 1"], "set": [{"name": "a.b", "value": "1"}]}),
    Resource("kubernetes_job_v1.j", {"spec": [{"template": [{"spec": [{"container": [{"name": "a"}]}]}]}]}),
    Resource(
        "awscc_sagemaker_cluster.h",
        {"instance_groups": [{"instance_group_name": "g", "instance_count": 2}]},
        depends_on=("helm_release.kueue", "module.eks"),
    ),
)
WHOLE: dict[str, Any] = {
    "eksctl": CLUSTER_CONFIG,
    "hyperpod": HYPERPOD,
    "HyperPod CLI": yaml.safe_load(CLI),
    "parallelcluster": PARALLELCLUSTER,
    "Terraform plan": plan(*TERRAFORM, calls=CALLS),
    "Terraform state": state(*cluster(cards=2), calls=CALLS),
    **{name: parsed(file).documents[0] for name, file in TEMPLATES.items()},
}


def is_taken(document: Any) -> bool:
    """Whether a document is read, with every view and rule; False if it is refused in words."""
    text = json.dumps(document, default=str)
    value = json.loads(text)
    file = InputFile(Path("damaged.json"), text, (value,), is_json=True)
    try:
        format_ = recognize(file)
        source = format_.read(file)
        fleet = fleet_of(source.registrations, region=source.region)
        assert fleet.unreadable == {}
        for each in judge(fleet).findings:
            source.place(each)
            assert (each.got + each.remedy).strip()
        assert all(each.missing.strip() for each in source.gaps)
        opened(format_.describe(file))
    except CannotBeRead as fault:
        assert str(fault).strip()
        return False
    return True


@pytest.mark.parametrize("name", WHOLE)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_damage_ends_in_words(name: str, seed: int) -> None:
    is_taken(damaged(WHOLE[name], random.Random(seed), [*FUNCTIONS, *ODD_TEXTS]))


@pytest.mark.parametrize("name", ["eksctl", "hyperpod", "parallelcluster"])
def test_any_value_may_be_a_placeholder(name: str) -> None:
    for path in places(WHOLE[name]):
        value = json.loads(json.dumps(WHOLE[name]))
        if path and path[0] not in ("apiVersion", "kind"):
            at(value, path[:-1])[path[-1]] = "$PLACEHOLDER"
            is_taken(value)
