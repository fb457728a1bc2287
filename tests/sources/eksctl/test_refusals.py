"""What eksctl refuses is an error with its place and a remedy."""

from typing import Any

import pytest

from muster.sources.eksctl.reader import read
from muster.sources.source import InvalidFile
from tests.sources.eksctl.files import config, opened

TARGET = {"capacityReservationTarget": {"capacityReservationID": "cr-0123456789abcdef0"}}
OF_GROUP: dict[str, tuple[dict[str, Any], str]] = {
    "zones and subnets": ({"availabilityZones": ["us-west-2a"], "subnets": ["a"]}, "availabilityZones and subnets"),
    "EFA in two zones": ({"efaEnabled": True, "availabilityZones": ["us-west-2a", "us-west-2b"]}, "2 entries"),
    "two lists of types": ({"instanceType": "c5.large", "instanceTypes": ["c5.large"]}, "instanceTypes"),
    "an image without a family": ({"ami": "ami-0123456789abcdef0"}, "needs amiFamily"),
    "a market without a reservation": ({"instanceMarketOptions": {"marketType": "capacity-block"}}, "without"),
    "a preference and a target": (
        {"capacityReservation": {**TARGET, "capacityReservationPreference": "open"}},
        "are both set",
    ),
    "a misspelled key": ({"efaEnable": True}, "did you mean 'efaEnabled'?"),
    "a text for a switch": ({"efaEnabled": "true"}, "expects true or false"),
    "a number for a label": ({"labels": {"a": 1}}, "is the number 1"),
    "a list for a block": ({"iam": []}, "expects a block of keys"),
    "an empty entry": ({"taints": [None]}, "an entry without a value"),
    "a type beside a template": (
        {"launchTemplate": {"id": "lt-0123456789abcdef0"}, "instanceType": "c5.large"},
        "beside launchTemplate",
    ),
}


@pytest.mark.parametrize(("change", "said"), OF_GROUP.values(), ids=OF_GROUP)
def test_a_group_that_eksctl_refuses_is_an_error(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidFile) as raised:
        read(opened(config({"name": "workers", **change})))
    assert said in raised.value.got
    assert raised.value.position.line > 6


TEXTS = {
    "a number for the version": ("metadata: {name: a, region: us-west-2, version: 1.30}", "the number 1.3"),
    "no name": ("metadata: {region: us-west-2}", "metadata has no name"),
    "no Region": ("metadata: {name: a}", "metadata has no region"),
    "one zone": ("metadata: {name: a, region: us-west-2}\navailabilityZones: [us-west-2a]", "EKS needs two"),
    "two groups of one name": (
        "metadata: {name: a, region: us-west-2}\nnodeGroups: [{name: b}]\nmanagedNodeGroups: [{name: b}]",
        "two node groups have the name b",
    ),
    "a group without a name": (
        "metadata: {name: a, region: us-west-2}\nnodeGroups: [{minSize: 1}]",
        "no name, which eksctl requires",
    ),
    "a misspelled block": ("metadata: {name: a, region: us-west-2}\nmanagedNodeGroup: []", "'managedNodeGroups'?"),
}
BEGIN = "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\n"


@pytest.mark.parametrize(("text", "said"), TEXTS.values(), ids=TEXTS)
def test_a_file_that_eksctl_refuses_is_an_error(text: str, said: str) -> None:
    with pytest.raises(InvalidFile, match=r"cluster.yaml:\d+:\d+: ") as raised:
        read(opened(BEGIN + text))
    assert said in raised.value.got


@pytest.mark.parametrize(
    ("written", "remedy"), [("1.33", '"1.33"'), ("1.30", '"1.30"'), ("1.3", '"1.30" or "1.3"'), ("1", '"1"')]
)
def test_the_remedy_for_a_number_has_the_version_of_the_file(written: str, remedy: str) -> None:
    with pytest.raises(InvalidFile) as raised:
        read(opened(f"{BEGIN}metadata:\n  name: a\n  region: us-west-2\n  version: {written}\n"))
    assert raised.value.remedy == f"write it in quotes: version: {remedy}"


SOUND = config()
DOCUMENTS = {
    "an old API": (SOUND.replace("v1alpha5", "v1alpha4"), "does not know apiVersion"),
    "another kind": (SOUND.replace("kind: ClusterConfig", "kind: ClusterConfg"), "did you mean 'ClusterConfig'?"),
    "two clusters": (f"{SOUND}---\n{SOUND}", "several ClusterConfigs"),
    "another document first": (f"apiVersion: v1\nkind: Namespace\n---\n{SOUND}", "not the first document"),
}


@pytest.mark.parametrize(("text", "said"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_documents_that_eksctl_does_not_read_are_errors(text: str, said: str) -> None:
    with pytest.raises(InvalidFile) as raised:
        read(opened(text))
    assert said in raised.value.got


def test_a_key_that_muster_does_not_know_is_not_evaluated() -> None:
    source = read(opened(config({"name": "workers", "quantumLinks": True})))
    assert [each.where for each in source.gaps] == ["managedNodeGroups[0].quantumLinks"]


@pytest.mark.parametrize(
    "given", [{"gpu": "true:NoSchedule"}, [{"key": "gpu", "value": "true", "effect": "NoSchedule"}]]
)
def test_old_taints_are_a_map(given: Any) -> None:
    text = config(nodeGroups=[{"name": "workers", "taints": given}])
    (group,) = [each for each in read(opened(text)).registrations if "autoscaling" in each.type]
    tag = "k8s.io/cluster-autoscaler/node-template/taint/gpu"
    assert {"key": tag, "value": "true:NoSchedule", "propagateAtLaunch": True} in group.inputs["tags"]
