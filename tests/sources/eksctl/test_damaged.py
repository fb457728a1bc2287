"""Damaged files get a report or an error in words, and never end the reader."""

import random
from copy import deepcopy
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.policies.views.fleet import fleet_of
from muster.sources.description import describe
from muster.sources.eksctl.reader import read
from muster.sources.source import CannotBeRead, InputFile
from tests.damage import at, damaged, places
from tests.sources import brought_over
from tests.sources.eksctl.files import config, opened
from tests.stack_files import ROOT

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
                "taints": {"a": "b:NoSchedule"},
            }
        ],
        vpc={"cidr": "10.0.0.0/16", "nat": {"gateway": "HighlyAvailable"}, "publicAccessCIDRs": ["10.0.0.0/8"]},
        addons=[{"name": "vpc-cni", "version": "latest"}],
        cloudWatch={"clusterLogging": {"enableTypes": ["all"], "logRetentionInDays": 30}},
        accessConfig={"accessEntries": [{"principalARN": "arn:aws:iam::1:role/a", "accessPolicies": []}]},
    )
)


def taken(file: InputFile) -> bool:
    """Whether a file is read, with every view; False if it is refused in words."""
    try:
        source = read(file)
        assert fleet_of(source.registrations, region=source.region).unreadable == {}
        brought_over.opened(describe(file, source))
    except CannotBeRead:
        return False
    return True


def test_the_whole_file_is_taken() -> None:
    assert taken(opened(yaml.safe_dump(WHOLE)))
    assert taken(opened((ROOT / "examples/other-tools/eks-p5.yaml").read_text(encoding="utf-8")))


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=0))
def test_damaged_values_get_words(seed: int) -> None:
    value = damaged(WHOLE, random.Random(seed))
    if isinstance(value, dict) and str(value.get("apiVersion")).startswith("eksctl.io/"):
        taken(opened(yaml.safe_dump(value, sort_keys=False, allow_unicode=True)))


PLACES = [each for each in places(WHOLE) if each and each[0] not in ("apiVersion", "kind")]


@pytest.mark.parametrize("odd", ["$PLACEHOLDER", None, []], ids=["placeholder", "null", "list"])
def test_any_value_may_be_missing(odd: Any) -> None:
    for path in PLACES:
        value = deepcopy(WHOLE)
        at(value, path[:-1])[path[-1]] = odd
        assert taken(opened(yaml.safe_dump(value, sort_keys=False))) or odd != "$PLACEHOLDER", path
