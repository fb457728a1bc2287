"""Damaged configurations: words, never a crash; and every description is valid."""

import json
import random
from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.sources.source import CannotBeRead, InputFile
from tests.damage import damaged
from tests.sources.brought_over import opened
from tests.sources.parallelcluster.files import SOUND, the_format

WHOLE = {
    **yaml.safe_load(SOUND),
    "Imds": {"ImdsSupport": "v2.0"},
    "Tags": [{"Key": "team", "Value": "ml"}],
    "Monitoring": {"Logs": {"CloudWatch": {"RetentionInDays": 30}}},
    "DevSettings": {"Timeouts": {"HeadNodeBootstrapTimeout": 3000}},
    "LoginNodes": {
        "Pools": [
            {
                "Name": "login",
                "InstanceType": "m5.large",
                "Count": 1,
                "Networking": {"SubnetIds": ["subnet-0123456789abcdef0"]},
                "Ssh": {"AllowedIps": "203.0.113.0/24"},
                "CustomActions": {"OnNodeConfigured": {"Script": "https://example.com/a.sh"}},
                "GracetimePeriod": 10,
            }
        ]
    },
}


def a_damaged_file(seed: int) -> InputFile:
    value = json.loads(json.dumps(damaged(WHOLE, random.Random(seed)), default=str))
    text = json.dumps(value)
    return InputFile(Path("cluster.json"), text, (value,), is_json=True)


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_a_damaged_configuration_is_read_or_refused_in_words(seed: int) -> None:
    try:
        source = the_format().read(a_damaged_file(seed))
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
def test_a_damaged_configuration_is_described_validly_or_refused_in_words(seed: int) -> None:
    try:
        description = the_format().describe(a_damaged_file(seed))
    except CannotBeRead as fault:
        assert str(fault)
        return
    opened(description)
