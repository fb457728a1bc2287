"""Damaged requests and configurations: words, never a crash; and every description is valid."""

import json
import random
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.sources.source import CannotBeRead, InputFile
from muster.yaml_text import load_all
from tests.damage import damaged
from tests.sources.brought_over import opened
from tests.sources.hyperpod.files import CLI, REQUEST, WORKERS
from tests.sources.parallelcluster.files import the_format

WHOLE: dict[str, Any] = {
    **REQUEST,
    "InstanceGroups": [
        {
            **WORKERS,
            "OverrideVpcConfig": REQUEST["VpcConfig"],
            "KubernetesConfig": {"Labels": {"a": "b"}, "Taints": [{"Key": "k", "Effect": "NoSchedule"}]},
            "InstanceStorageConfigs": [{"EbsVolumeConfig": {"VolumeSizeInGB": 100}}],
            "AutoPatchConfig": {"PatchingStrategy": "WhenIdle"},
        },
        {**WORKERS, "InstanceGroupName": "more", "TrainingPlanArn": "arn:aws:sagemaker:us-west-2:1:training-plan/a"},
    ],
    "AutoScaling": {"Mode": "Enable", "AutoScalerType": "Karpenter"},
    "TieredStorageConfig": {"Mode": "Enable", "InstanceMemoryAllocationPercentage": 20},
    "Tags": [{"Key": "team", "Value": "ml"}],
}


def a_damaged_file(seed: int) -> InputFile:
    whole = WHOLE if seed % 3 else load_all(CLI, template=True)[0]
    value = json.loads(json.dumps(damaged(whole, random.Random(seed)), default=str))
    return InputFile(Path("cluster.json"), json.dumps(value), (value,), is_json=True)


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_a_damaged_file_is_read_or_refused_in_words(seed: int) -> None:
    try:
        source = the_format("hyperpod").read(a_damaged_file(seed))
    except CannotBeRead as fault:
        assert str(fault)
        return
    fleet = fleet_of(source.registrations, region=source.region)
    assert not fleet.unreadable
    for each in judge(fleet).findings:
        assert source.place(each)
        source.words(each.got + each.remedy)


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_a_damaged_file_is_described_validly_or_refused_in_words(seed: int) -> None:
    try:
        description = the_format("hyperpod").describe(a_damaged_file(seed))
    except CannotBeRead as fault:
        assert str(fault)
        return
    opened(description)
