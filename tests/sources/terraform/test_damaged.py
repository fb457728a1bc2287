"""Damaged plans and states are read, or refused in words."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.policies.views import fleet_of
from muster.sources.source import CannotBeRead, InputFile
from muster.sources.terraform.reader import read
from tests.damage import damaged
from tests.sources.terraform.clusters import CALLS, cluster
from tests.sources.terraform.plans import Resource, plan, state

SOUND: tuple[Any, ...] = (
    plan(
        *cluster(cards=2),
        Resource("helm_release.kueue", {"chart": "kueue", "values": ["a: 1"], "set": [{"name": "a.b", "value": "1"}]}),
        Resource("kubernetes_job_v1.j", {"spec": [{"template": [{"spec": [{"container": [{"name": "a"}]}]}]}]}),
        Resource(
            "awscc_sagemaker_cluster.h",
            {"instance_groups": [{"instance_group_name": "g", "instance_count": 2}]},
            depends_on=("helm_release.kueue", "module.eks"),
        ),
        calls=CALLS,
    ),
    state(*cluster(cards=2), calls=CALLS),
)


def _take(document: Any) -> None:
    try:
        text = json.dumps(document)
        source = read(InputFile(Path("plan.json"), text, (document,), is_json=True))
    except CannotBeRead:
        return
    assert not fleet_of(source.registrations, region=source.region).unreadable


@pytest.mark.parametrize("sound", SOUND, ids=["plan", "state"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_damage_ends_in_words(sound: Any, seed: int) -> None:
    _take(damaged(sound, random.Random(seed), SOUND))
