"""Views of Auto Scaling groups: a cluster's nodes or none of ours, what they say beside their launch template, and the
schedules that end them."""

from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import CapacityTarget, NodeGroup, Ref, Taint
from muster.fleet.resources.ref import (
    AUTO_SCALING_GROUP,
    CAPACITY_RESERVATION,
    CLUSTER,
    LAUNCH_TEMPLATE,
    RESOURCE_GROUP,
    SUBNET,
)
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import registered, seen, template

SCHEDULE = "aws:autoscaling/schedule:Schedule"
MINE = {"key": "kubernetes.io/cluster/mine", "value": "owned", "propagateAtLaunch": True}
NODE = "k8s.io/cluster-autoscaler/node-template"
OURS = Ref(AUTO_SCALING_GROUP, "nodes")


def a_group(*tags: Any, **more: Any) -> Registration:
    return registered(AUTO_SCALING_GROUP, "nodes", **{"tags": [MINE, *tags], **more})


def the_group(*resources: Registration) -> NodeGroup:
    (found,) = seen(*resources).of(NodeGroup)
    return found


def test_a_group_of_nodes() -> None:
    """Numbers may be text; it starts with the least. Labels and taints stand in the tags that an autoscaler reads."""
    made = a_group(
        {"key": f"{NODE}/label/team", "value": "ml"},
        {"key": f"{NODE}/taint/nvidia.com/gpu", "value": "true:NoSchedule"},
        {"key": f"{NODE}/taint/bare", "value": ":NoExecute"},
        minSize="1",
        maxSize=2,
        vpcZoneIdentifiers=["subnet-b", "subnet-a"],
        launchTemplate={"id": "lt-1"},
    )
    found = the_group(made, template(id="lt-1"))
    assert (found.ref, found.managed, found.template) == (OURS, False, Ref(LAUNCH_TEMPLATE, "gpu"))
    assert (found.nodes_min, found.nodes_start, found.nodes_max) == (1, 1, 2)
    assert found.subnets == ("subnet-a", "subnet-b")
    assert found.labels == {("team", "ml")}
    assert found.taints == {Taint("nvidia.com/gpu", "true", "NoSchedule"), Taint("bare", "", "NoExecute")}
    assert (found.ami_type, found.capacity_type, found.version, found.zero_at) == (None, None, None, ())


@pytest.mark.parametrize(
    "tags", [None, [], [{"key": "Name", "value": "web"}], [{"key": "k8s.io/cluster/mine", "value": "owned"}], ["text"]]
)
def test_a_group_without_a_clusters_tag_is_none_of_ours(tags: Any) -> None:
    assert seen(registered(AUTO_SCALING_GROUP, "nodes", tags=tags, minSize=0, maxSize=3)).of(NodeGroup) == ()


@pytest.mark.parametrize("tags", [UNKNOWN, [{"key": UNKNOWN, "value": "owned"}], [UNKNOWN]])
@pytest.mark.parametrize(("behind", "ours"), [([Ref(CLUSTER, "mine")], 1), ([Ref(SUBNET, "a")], 0), ([], 0)])
def test_a_tag_made_of_a_clusters_unknown_name_makes_it_ours(tags: Any, behind: list[Ref], ours: int) -> None:
    """`kubernetes.io/cluster/${cluster.name}` is unknown in a preview, and must not hide the group from the rules."""
    made = registered(AUTO_SCALING_GROUP, "nodes", tags=tags, minSize=0, maxSize=3, needs={"tags": behind})
    assert len(seen(made, registered(CLUSTER, "mine"), registered(SUBNET, "a")).of(NodeGroup)) == ours


@pytest.mark.parametrize(
    ("tag", "labels", "taints"),
    [
        ({"key": f"{NODE}/label/team", "value": UNKNOWN}, UNKNOWN, frozenset()),
        ({"key": f"{NODE}/taint/mine", "value": UNKNOWN}, frozenset(), UNKNOWN),
        (UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_a_tag_of_an_unknown_value_is_no_text(tag: Any, labels: object, taints: object) -> None:
    """What autoscalers are told of nodes is not known as soon as a part of it is not."""
    made = a_group(tag, minSize=0, maxSize=1, needs={"tags": [Ref(CLUSTER, "mine")]})
    found = the_group(made, registered(CLUSTER, "mine"))
    assert (found.labels, found.taints) == (labels, taints)


def test_a_preview_knows_what_stands_behind_unknown_ids() -> None:
    made = a_group(
        minSize=UNKNOWN,
        maxSize=3,
        vpcZoneIdentifiers=[UNKNOWN],
        launchTemplate={"id": UNKNOWN},
        needs={"vpcZoneIdentifiers": [Ref(SUBNET, "a")], "launchTemplate": [Ref(LAUNCH_TEMPLATE, "gpu")]},
    )
    found = the_group(made, template(), registered(SUBNET, "a"))
    assert found.template == Ref(LAUNCH_TEMPLATE, "gpu")
    assert found.subnets == (Ref(SUBNET, "a"),)
    assert (found.nodes_min, found.nodes_start, found.nodes_max) == (UNKNOWN, UNKNOWN, 3)


def schedule(name: str = "down", **said: Any) -> Registration:
    default = {"autoscalingGroupName": UNKNOWN, "desiredCapacity": 0, "needs": {"autoscalingGroupName": [OURS]}}
    return registered(SCHEDULE, name, **{**default, **said})


AT = "2026-12-15T10:30:00Z"


@pytest.mark.parametrize(
    ("schedules", "expected"),
    [
        ([schedule(startTime=AT)], (AT,)),
        ([schedule(startTime=AT, autoscalingGroupName="nodes-1")], (AT,)),
        ([schedule()], ()),
        ([schedule("b", startTime=AT), schedule("a", startTime="2026-12-14T10:30:00Z")], ("2026-12-14T10:30:00Z", AT)),
        ([schedule(startTime=AT, desiredCapacity="0")], (AT,)),
        ([schedule(startTime=AT, desiredCapacity=2)], ()),
        ([schedule(startTime=AT, desiredCapacity=-1)], ()),
        ([schedule(startTime=UNKNOWN)], UNKNOWN),
        ([schedule("b", startTime=UNKNOWN), schedule("a", startTime=AT)], UNKNOWN),
        ([schedule(recurrence="0 10 * * *")], UNKNOWN),
        ([schedule(startTime=AT, autoscalingGroupName="another")], ()),
        ([schedule(startTime=AT, needs={"autoscalingGroupName": [Ref(AUTO_SCALING_GROUP, "other")]})], ()),
        ([schedule(startTime=AT, needs={})], UNKNOWN),
        ([schedule(startTime=AT, needs={"autoscalingGroupName": [OURS, Ref(AUTO_SCALING_GROUP, "other")]})], UNKNOWN),
        ([schedule(startTime=AT, desiredCapacity=UNKNOWN)], UNKNOWN),
        ([schedule(startTime=AT, desiredCapacity=UNKNOWN, autoscalingGroupName="another")], ()),
        ([schedule(startTime=AT, desiredCapacity=2, needs={})], ()),
        ([], ()),
    ],
)
def test_when_it_goes_down_to_no_nodes(schedules: list[Registration], expected: object) -> None:
    """Its own schedules alone, by its name or by what stands behind an unknown one; one that may be its own, or may set
    it to no nodes, is not known to be none."""
    made = a_group(name="nodes-1", minSize=0, maxSize=1)
    other = registered(AUTO_SCALING_GROUP, "other", tags=[])
    assert the_group(made, other, *schedules).zero_at == expected


# mixed instances policies

GPU, TYPE = Ref(LAUNCH_TEMPLATE, "gpu"), {"instanceType": "p5.48xlarge"}
SPOT = "onDemandPercentageAboveBaseCapacity"


def mixed(*overrides: Any, distribution: Any = None, **template: Any) -> dict[str, Any]:
    named = {"launchTemplateSpecification": template or {"launchTemplateId": "lt-1", "version": "$Latest"}}
    return {"launchTemplate": {**named, "overrides": list(overrides)}, "instancesDistribution": distribution}


NODES = {"nodes_min": 0, "nodes_start": 1, "nodes_max": 4}
WEIGHTS = dict.fromkeys(NODES, UNKNOWN)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (
            mixed(TYPE, {"instanceType": "p5e.48xlarge"}),
            {"template": GPU, "instance_types": ("p5.48xlarge", "p5e.48xlarge"), "capacity_type": None, **NODES},
        ),
        (mixed(launchTemplateName="gpu-1"), {"template": GPU, "instance_types": ()}),
        (mixed(launchTemplateId=UNKNOWN), {"template": GPU}),
        # types that nobody names
        (mixed(TYPE, UNKNOWN), {"instance_types": UNKNOWN}),
        (mixed(TYPE, {"instanceType": UNKNOWN}), {"instance_types": UNKNOWN}),
        (mixed(TYPE, {"instanceRequirements": {"vcpuCount": {"min": 96}}}), {"instance_types": UNKNOWN}),
        # of several templates none is the group's
        (mixed(TYPE, {"launchTemplateSpecification": {"launchTemplateId": "lt-2"}}), {"template": UNKNOWN}),
        # numbers that count weights are no numbers of nodes
        (mixed({**TYPE, "weightedCapacity": "1"}), NODES),
        (mixed({**TYPE, "weightedCapacity": 1}), NODES),
        (mixed({**TYPE, "weightedCapacity": "8"}), WEIGHTS),
        (mixed({**TYPE, "weightedCapacity": UNKNOWN}), WEIGHTS),
        # a share of spot
        (mixed(distribution={}), {"capacity_type": None}),
        (mixed(distribution={SPOT: 100}), {"capacity_type": None}),
        (mixed(distribution={SPOT: 0}), {"capacity_type": "SPOT"}),
        (mixed(distribution={SPOT: "50", "onDemandBaseCapacity": 2}), {"capacity_type": "SPOT"}),
        (mixed(distribution={SPOT: UNKNOWN}), {"capacity_type": UNKNOWN}),
        (mixed(distribution=UNKNOWN), {"capacity_type": UNKNOWN}),
        (UNKNOWN, dict.fromkeys(["instance_types", "capacity_type", "nodes_max"], UNKNOWN)),
    ],
)
def test_a_mixed_instances_policy(policy: Any, expected: dict[str, Any]) -> None:
    numbers = {"minSize": 0, "desiredCapacity": 1, "maxSize": 4}
    made = a_group(mixedInstancesPolicy=policy, **numbers, needs={"mixedInstancesPolicy": [GPU]})
    found = the_group(made, template(id="lt-1", name="gpu-1"))
    assert {name: getattr(found, name) for name in expected} == expected


def test_a_launch_configuration_is_none_that_rules_read() -> None:
    assert the_group(a_group(launchConfiguration="old", minSize=0, maxSize=1)).template is UNKNOWN


# reservations of its own

CR, ARN = "cr-0123456789abcdef0", "arn:aws:resource-groups:us-west-2:000000000000:group/p5"
IDS, ARNS = "capacityReservationIds", "capacityReservationResourceGroupArns"
LATER = CapacityTarget(reservation=UNKNOWN)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (None, None),
        ({}, None),
        ({"capacityReservationPreference": "default"}, None),
        ({"capacityReservationPreference": "none"}, CapacityTarget("none")),
        ({"capacityReservationTarget": {IDS: [CR]}}, CapacityTarget(reservation=CR)),
        (
            {
                "capacityReservationPreference": "capacity-reservations-only",
                "capacityReservationTarget": {ARNS: [ARN]},
            },
            CapacityTarget("capacity-reservations-only", group=ARN),
        ),
        ({"capacityReservationTarget": {IDS: [CR, "cr-0fedcba9876543210"]}}, LATER),
        ({"capacityReservationTarget": {IDS: [CR], ARNS: [ARN]}}, LATER),
        ({"capacityReservationTarget": {IDS: [UNKNOWN]}}, LATER),
        ({"capacityReservationTarget": UNKNOWN}, LATER),
        ({"capacityReservationPreference": UNKNOWN}, LATER),
        (UNKNOWN, LATER),
    ],
)
def test_reservations_of_its_own(said: Any, expected: Any) -> None:
    assert the_group(a_group(capacityReservationSpecification=said, minSize=0, maxSize=1)).target == expected


@pytest.mark.parametrize(("name", "ref"), [(IDS, Ref(CAPACITY_RESERVATION, "p5")), (ARNS, Ref(RESOURCE_GROUP, "p5"))])
def test_a_preview_knows_which_reservations_they_are(name: str, ref: Ref) -> None:
    made = a_group(
        capacityReservationSpecification={"capacityReservationTarget": {name: [UNKNOWN]}},
        minSize=0,
        maxSize=1,
        needs={"capacityReservationSpecification": [ref]},
    )
    target = the_group(made, registered(ref.type, ref.name)).target
    assert target is not None
    assert ref in (target.reservation, target.group)
