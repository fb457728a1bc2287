"""The description of a ClusterConfig's cluster."""

from typing import Any

import pytest

from muster.sources.eksctl.description import describe
from muster.sources.source import ImportedDescription, InvalidFile
from muster.sources.valid_description import valid_description
from tests.sources.eksctl.files import config, opened
from tests.stack_files import AS_OF

ZONES = {"availabilityZones": ["us-west-2a", "us-west-2b"]}
TARGET = {"capacityReservationTarget": {"capacityReservationID": "cr-0123456789abcdef0"}}
EFA = {
    "name": "workers",
    "instanceType": "p5.48xlarge",
    "efaEnabled": True,
    "privateNetworking": True,
    "desiredCapacity": 2,
    "availabilityZones": ["us-west-2a"],
}
PLAIN = {"for": "training", "instance": "p5.48xlarge", "nodes": 2, "zone": "us-west-2a", "interfaces": "classic"}


def described(text: str) -> ImportedDescription:
    """The description, which is valid."""
    found, faults = valid_description(describe(opened(text)))
    assert faults == ()
    return found


HELD = {"id": "cr-0123456789abcdef0", "zone": "us-west-2a", "count": 2}
GROUPS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "on demand": ({}, {}),
    "a range of nodes": (
        {"minSize": 0, "maxSize": 4},
        {"nodes": {"min": 0, "start": 2, "max": 4, "scaled-by": "you"}},
    ),
    "an autoscaler": (
        {"maxSize": 4, "iam": {"withAddonPolicies": {"autoScaler": True}}},
        {"nodes": {"min": 2, "start": 2, "max": 4, "scaled-by": "autoscaler"}},
    ),
    "a reservation of AWS": (
        {"capacityReservation": TARGET},
        {"capacity": {"reservation": {**HELD, "provided-by": "aws"}}},
    ),
    "a reservation in a placement group": (
        {"capacityReservation": TARGET, "placement": {"groupName": "own"}},
        {"capacity": {"reservation": {**HELD, "provided-by": "you", "placement-group": "own"}}},
    ),
    "a Capacity Block": (
        {"capacityReservation": TARGET, "instanceMarketOptions": {"marketType": "capacity-block"}},
        {"capacity": {"capacity-block": {**HELD, "starts": "2026-11-21", "ends": "2026-12-05", "active": True}}},
    ),
    "spot": ({"spot": True}, {"capacity": {"spot": {"interruptions-accepted": True}}}),
    "a volume": ({"volumeSize": 900, "volumeThroughput": 500}, {"volume": {"size": "900GiB", "throughput": 500}}),
    "local disks": (
        {"overrideBootstrapCommand": "spec: {instance: {localStorage: {strategy: RAID0}}}"},
        {"local-storage": "raid0"},
    ),
    "labels and taints": (
        {"labels": {"team": "a"}, "taints": [{"key": "team", "value": "true", "effect": "NoExecute"}]},
        {"labels": {"team": "a"}, "taints": {"team": "NoExecute"}},
    ),
    "Bottlerocket": ({"amiFamily": "Bottlerocket"}, {"image": "bottlerocket"}),
    "repair": ({"nodeRepairConfig": {"enabled": True}}, {"node-repair": True}),
    "no EFA": ({"efaEnabled": False}, {"interfaces": "plain"}),
}


@pytest.mark.parametrize(("change", "expected"), GROUPS.values(), ids=GROUPS)
def test_a_group_is_described(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], expected: dict[str, Any]
) -> None:
    monkeypatch.setenv("MUSTER_AS_OF", AS_OF)
    group = described(config({**EFA, **change}, **ZONES)).cluster["groups"]["workers"]
    rest = {"volume": {"size": "80GiB"}, "node-repair": False}
    usual = {key: each for key, each in {**PLAIN, **rest, **expected}.items() if (key, each) != ("node-repair", True)}
    assert group == usual


def test_a_self_managed_group_stays_one() -> None:
    found = described(config(nodeGroups=[EFA], **ZONES)).cluster["groups"]["workers"]
    assert (found["self-managed"], found["instance"]) == (True, "p5.48xlarge")


def test_a_new_network_has_the_zones_and_the_cidr() -> None:
    made = described(config(EFA, **ZONES, vpc={"cidr": "10.1.0.0/16", "nat": {"gateway": "HighlyAvailable"}}))
    assert made.cluster["network"] == {
        "create": {
            "cidr": "10.1.0.0/16",
            "zones": ["us-west-2a", "us-west-2b"],
            "nat": "per-zone",
            "registry-endpoints": False,
        }
    }
    assert made.placeholders == ()


def test_an_existing_network_has_its_subnets_by_zone() -> None:
    private = {"us-west-2a": {"id": "subnet-0000000000000000a"}, "b": {"id": "subnet-0000000000000000b"}}
    vpc = {"id": "vpc-0123456789abcdef0", "subnets": {"private": private}}
    group = {**EFA, "availabilityZones": [], "subnets": ["us-west-2a"]}
    made = described(config(group, vpc=vpc))
    assert made.cluster["network"]["existing"]["private"] == {
        "us-west-2a": "subnet-0000000000000000a",
        "us-west-2b": "subnet-0000000000000000b",
    }
    assert "network.existing.private.us-west-2b" in made.placeholders
    assert "network.existing.private.us-west-2a" not in made.placeholders


def test_what_has_no_key_is_named_with_its_place() -> None:
    text = config({**EFA, "instancePrefix": "a", "iam": {"withAddonPolicies": {"fsx": True}}}, karpenter={}, **ZONES)
    made = described(config({**EFA, "instancePrefix": "a", "instanceTypes": []}, **ZONES))
    assert [(each.path, each.position.line > 1) for each in made.left_out] == [
        ("managedNodeGroups[0].instancePrefix", True)
    ]
    assert {each.path for each in described(text).left_out} == {
        "managedNodeGroups[0].iam",
        "managedNodeGroups[0].instancePrefix",
    }


BLOCK = {"capacityReservation": TARGET, "instanceMarketOptions": {"marketType": "capacity-block"}}
LEFT_OUT: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, str]]] = {
    "a setting of no key": ({"cpuCredits": "unlimited"}, {}, {"nodeGroups[0].cpuCredits": "has no key"}),
    "IMDSv1": ({"disableIMDSv1": False}, {}, {"nodeGroups[0].disableIMDSv1": "requires IMDSv2"}),
    "a placement group": ({"placement": {"groupName": "a"}}, {}, {"nodeGroups[0].placement": "placement group itself"}),
    "tags of the Auto Scaling group": ({"propagateASGTags": True}, {}, {"nodeGroups[0].propagateASGTags": "no tags"}),
    "on demand and spot": (
        {"instancesDistribution": {"instanceTypes": ["p5.48xlarge"], "onDemandBaseCapacity": 2}},
        {},
        {"nodeGroups[0].instancesDistribution.onDemandBaseCapacity": "write two groups"},
    ),
    "a small volume": ({"volumeSize": 10}, {}, {"nodeGroups[0].volumeSize": "has 20GiB"}),
    "a second volume": (
        {"additionalVolumes": [{"volumeName": "/dev/sdb", "volumeSize": 50}]},
        {},
        {"nodeGroups[0].additionalVolumes": "one volume"},
    ),
    "an image of another system": ({"amiFamily": "Ubuntu2204"}, {}, {"nodeGroups[0].amiFamily": "not Ubuntu2204"}),
    "several types, the first unknown": (
        {
            "efaEnabled": None,
            "instanceType": None,
            "instancesDistribution": {"instanceTypes": ["p9.48xlarge", "p5.48xlarge"]},
        },
        {},
        {"nodeGroups[0].instanceTypes": "has p5.48xlarge, not p9.48xlarge"},
    ),
    "a network without NAT": ({}, {"vpc": {"nat": {"gateway": "Disable"}}}, {"vpc.nat.gateway": "network.existing"}),
    "OIDC": ({}, {"iam": {"withOIDC": True}}, {"iam.withOIDC": "Pod Identity"}),
    "the version and the policies of an add-on": (
        {},
        {
            "addons": [
                {"name": "metrics-server", "version": "v0.1.0", "attachPolicyARNs": ["arn:aws:iam::aws:policy/A"]}
            ]
        },
        {"addons[0].version": "tested with", "addons[0].attachPolicyARNs": "roles of add-ons"},
    ),
}


@pytest.mark.parametrize(("change", "more", "said"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_each_key_without_a_place_is_left_out_with_its_reason(
    change: dict[str, Any], more: dict[str, Any], said: dict[str, str]
) -> None:
    group = {key: each for key, each in {**EFA, **change}.items() if each is not None}
    found = {each.path: each.why for each in described(config(nodeGroups=[group], **ZONES, **more)).left_out}
    assert found.keys() == said.keys()
    assert all(text in found[path] for path, text in said.items())


def test_what_a_description_has_leaves_nothing_out() -> None:
    text = config(EFA, **ZONES, accessConfig={"authenticationMode": "API"}, addons=[{"name": "metrics-server"}])
    assert described(text).left_out == ()


def test_a_block_of_a_type_that_muster_does_not_know_is_left_out() -> None:
    unknown = {**EFA, **BLOCK, "name": "blocked", "instanceType": "p9.48xlarge"}
    made = described(config(EFA, unknown, **ZONES))
    assert list(made.cluster["groups"]) == ["workers"]
    assert {each.path: each.why for each in made.left_out} == {
        "managedNodeGroups[1]": "Muster does not know the instance type p9.48xlarge"
    }
    with pytest.raises(InvalidFile, match=r"no node group can be described: .* p9\.48xlarge"):
        describe(opened(config(unknown, **ZONES)))


def test_what_the_file_does_not_have_is_a_placeholder() -> None:
    made = described(config({"name": "workers", "instanceType": "$TYPE"}, version="1.XX"))
    assert set(made.placeholders) == {
        "groups.workers.instance",
        "kubernetes",
        "network.create.zones",
    }


def test_the_control_plane_keeps_its_settings() -> None:
    made = described(
        config(
            EFA,
            **ZONES,
            vpc={"publicAccessCIDRs": ["198.51.100.0/24"]},
            cloudWatch={"clusterLogging": {"enableTypes": ["api", "audit"], "logRetentionInDays": 30}},
            metadata={"tags": {"team": "a"}},
        )
    )
    assert (made.name, made.region) == ("training", "us-west-2")
    assert made.cluster["api"] == {"public": ["198.51.100.0/24"]}
    assert made.cluster["logs"] == {"types": ["api", "audit"], "retention-days": 30}
    assert made.cluster["tags"] == {"team": "a"}
