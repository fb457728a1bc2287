"""Views of odd programs: half-known, written another way, or wrong; never a crash, never a guess."""

from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    CapacityReservation,
    EksAddon,
    LaunchTemplate,
    NodeGroup,
    Ref,
    ReservationGroup,
    SecurityGroup,
    Taint,
)
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.fleet.resources.eks import RepairLimit
from muster.fleet.resources.ref import (
    AUTO_SCALING_GROUP,
    CAPACITY_RESERVATION,
    LAUNCH_TEMPLATE,
    NODE_GROUP,
    RESOURCE_GROUP,
    SECURITY_GROUP,
)
from muster.policies.views import fleet_of
from muster.unknown import UNKNOWN, if_known
from tests.policies.views.registrations import INGRESS_RULE, ODD, PREFIX, registered, seen, template


def group(name: str, **inputs: Any) -> Registration:
    return registered(SECURITY_GROUP, name, **inputs)


A, B, C = (Ref(SECURITY_GROUP, name) for name in "abc")


def opens_itself(group: SecurityGroup, direction: str) -> object:
    """Whether a group allows everything from or to itself."""
    return if_known(lambda: group.lets(direction, None, frozenset({group.ref})), UNKNOWN)


@pytest.mark.parametrize(
    ("listed", "behind", "expected"),
    [
        ([UNKNOWN, UNKNOWN], [A, B], (A, B)),
        ([UNKNOWN], [A, B], UNKNOWN),
        ([UNKNOWN, UNKNOWN], [A], UNKNOWN),
        (["sg-1", UNKNOWN], [A], (A, "sg-1")),
        (["sg-1"], [], ("sg-1",)),
        ([], [], ()),
        (UNKNOWN, [A], UNKNOWN),
    ],
)
def test_unknown_groups_are_resolved_only_where_one_answer_is_left(listed, behind, expected) -> None:
    """As many unknown ids as groups behind the property: these; otherwise not known."""
    groups = [group(ref.name) for ref in (A, B)]
    made = template(vpcSecurityGroupIds=listed, needs={"vpcSecurityGroupIds": behind})
    (found,) = seen(*groups, made).of(LaunchTemplate)
    assert found.security_groups == (expected if expected is UNKNOWN else tuple(sorted(expected, key=str)))


def rule_of(owner: Ref, source: Ref, protocol: Any = "-1") -> Registration:
    return registered(
        INGRESS_RULE,
        "rule",
        securityGroupId=UNKNOWN,
        referencedSecurityGroupId=UNKNOWN,
        ipProtocol=protocol,
        needs={"securityGroupId": [owner], "referencedSecurityGroupId": [source]},
    )


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (rule_of(A, A), True),
        (rule_of(B, B), False),
        (rule_of(B, A), False),
        (rule_of(A, B), False),
        (rule_of(A, A, "tcp"), False),
        (rule_of(A, A, UNKNOWN), UNKNOWN),
    ],
)
def test_a_rule_counts_for_its_own_group_only(rule: Registration, expected: object) -> None:
    """Another group's self rule opens nothing of this one."""
    found = seen(group("a"), group("b"), rule).find(SecurityGroup, A)
    assert found is not None
    assert opens_itself(found, INGRESS) is expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"type": "ingress", "self": True}, (True, False)),
        ({"type": "ingress", "self": UNKNOWN}, (UNKNOWN, False)),
        ({"type": UNKNOWN, "self": True}, (UNKNOWN, UNKNOWN)),
        ({"type": "egress", "self": False, "cidrBlocks": ["10.0.0.0/8"]}, (False, False)),
    ],
)
def test_a_classic_rule_of_which_something_is_not_known_may_be_what_opens(said, expected) -> None:
    """Neither that it opens nor that it does not."""
    rule = registered(
        "aws:ec2/securityGroupRule:SecurityGroupRule",
        "rule",
        securityGroupId=UNKNOWN,
        protocol="-1",
        needs={"securityGroupId": [A]},
        **said,
    )
    found = seen(group("a"), rule).find(SecurityGroup, A)
    assert found is not None
    assert (opens_itself(found, INGRESS), opens_itself(found, EGRESS)) == expected
    directions = {each.direction for each in found.allows}
    assert directions == ({"ingress", "egress"} if said["type"] is UNKNOWN else {said["type"]})


@pytest.mark.parametrize(
    ("inline", "expected"),
    [
        ([{"protocol": "-1", "self": True}], True),
        ({"protocol": "-1", "self": True}, True),
        ([{"protocol": "tcp", "self": True}], False),
        ([{"protocol": UNKNOWN, "self": True}], UNKNOWN),
        ([{"protocol": "-1", "securityGroups": UNKNOWN}], UNKNOWN),
        ([{"protocol": "-1", "securityGroups": ["sg-a"]}], True),
        ([{"protocol": "-1", "cidrBlocks": ["0.0.0.0/0"]}], False),
        ([UNKNOWN], UNKNOWN),
        (UNKNOWN, UNKNOWN),
        ([None, "nonsense"], False),
    ],
)
def test_inline_rules(inline: Any, expected: object) -> None:
    """A list, one block, unknown, or nonsense."""
    found = seen(group("a", id="sg-a", ingress=inline)).find(SecurityGroup, A)
    assert found is not None
    assert opens_itself(found, INGRESS) is expected


def test_two_templates_of_one_name_below_two_components_stay_two() -> None:
    """A group is judged by its own template, not by its namesake."""
    mine, other = (
        registered(LAUNCH_TEMPLATE, "lt", below=f"team:x:{box}$", id=f"lt-{box}", instanceType=instance)
        for box, instance in (("Mine", "p5.48xlarge"), ("Other", "c5.2xlarge"))
    )
    nodes = registered(NODE_GROUP, "nodes", launchTemplate={"id": "lt-Mine"})
    fleet = seen(mine, other, nodes)
    (found,) = fleet.of(NodeGroup)
    judged = fleet.template_of(found)
    assert judged is not None
    assert judged.instance == "p5.48xlarge"


def test_a_template_named_by_its_name_is_found() -> None:
    """`launchTemplate: {name: ...}` is known in a preview, ids are not."""
    fleet = seen(template(name="gpu-nodes"), registered(NODE_GROUP, "nodes", launchTemplate={"name": "gpu-nodes"}))
    (found,) = fleet.of(NodeGroup)
    assert fleet.template_of(found) is not None


def test_the_smallest_of_several_types_is_what_a_template_must_fit() -> None:
    fleet = seen(
        template(id="lt-1"),
        registered(NODE_GROUP, "nodes", launchTemplate={"id": "lt-1"}, instanceTypes=["p5en.48xlarge", "p4d.24xlarge"]),
    )
    (judged,) = fleet.of(LaunchTemplate)
    machine = fleet.hardware_of(judged)
    assert machine is not None
    assert machine.instance == "p4d.24xlarge"


def test_no_value_crashes_a_view() -> None:
    """Whatever stands where a block, a list, a number or a text belongs."""
    types = {
        LAUNCH_TEMPLATE: (
            "networkInterfaces vpcSecurityGroupIds placement capacityReservationSpecification metadataOptions "
            "instanceMarketOptions blockDeviceMappings instanceType imageId userData name"
        ),
        NODE_GROUP: (
            "launchTemplate scalingConfig instanceTypes subnetIds labels taints updateConfig nodeRepairConfig amiType"
        ),
        SECURITY_GROUP: "ingress egress",
        "aws:eks/cluster:Cluster": "vpcConfig version enabledClusterLogTypes encryptionConfig",
        "aws:eks/addon:Addon": "addonName addonVersion",
        INGRESS_RULE: "securityGroupId referencedSecurityGroupId ipProtocol",
        "aws:ec2/subnet:Subnet": "availabilityZone mapPublicIpOnLaunch",
    }
    for value in ODD:
        for type_, names in types.items():
            for name in names.split():
                fleet = fleet_of([registered(type_, "odd", **{name: value}), group("a")])
                assert fleet.unreadable == {}, (type_, name)
        inside = [{"networkCardIndex": value, "deviceIndex": value, "interfaceType": value, "securityGroups": value}]
        assert fleet_of([template(networkInterfaces=inside)]).unreadable == {}
        assert fleet_of([registered("aws:eks/cluster:Cluster", "c", id="x")]).unreadable == {}


@pytest.mark.parametrize(
    ("said", "labels", "taints"),
    [
        ({"labels": {"team": UNKNOWN}}, UNKNOWN, frozenset()),
        ({"labels": UNKNOWN}, UNKNOWN, frozenset()),
        ({"taints": [{"key": "a", "value": UNKNOWN, "effect": "NO_SCHEDULE"}]}, frozenset(), UNKNOWN),
        ({"taints": UNKNOWN}, frozenset(), UNKNOWN),
        (
            {"labels": {"team": "ml"}, "taints": [{"key": "a", "effect": "NO_EXECUTE"}]},
            {("team", "ml")},
            {Taint("a", "", "NoExecute")},
        ),
    ],
)
def test_labels_and_taints_are_known_whole_or_not_at_all(said: Any, labels: object, taints: object) -> None:
    """An unknown value is no text that pods could ask for, or fail to tolerate."""
    (found,) = seen(registered(NODE_GROUP, "workers", **said)).of(NodeGroup)
    assert (found.labels, found.taints) == (labels, taints)


def test_a_resource_that_cannot_be_read_blinds_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named; all others are judged."""
    from muster.policies.views import fleet as module

    def crash(of: object) -> None:
        raise KeyError("oops")

    monkeypatch.setitem(module._VIEWS, NODE_GROUP, crash)
    fleet = fleet_of([registered(NODE_GROUP, "odd"), template()])
    assert fleet.unreadable == {f"{PREFIX}{NODE_GROUP}::odd": "KeyError: 'oops'"}
    assert len(fleet.of(LaunchTemplate)) == 1


def resource_group(configurations: Any) -> Registration:
    return registered(RESOURCE_GROUP, "p5", id="p5", configurations=configurations)


POOL_ENTRY = {"type": "AWS::EC2::CapacityReservationPool"}
MEMBER = registered(
    "aws:resourcegroups/resource:Resource",
    "member",
    groupArn=UNKNOWN,
    resourceArn=UNKNOWN,
    needs={"groupArn": [Ref(RESOURCE_GROUP, "p5")], "resourceArn": [Ref(CAPACITY_RESERVATION, "cr")]},
)
RESERVATION_MADE = registered(
    CAPACITY_RESERVATION, "cr", instanceType="p5.48xlarge", instanceCount=2, instancePlatform="Linux/UNIX"
)


@pytest.mark.parametrize("configurations", [[POOL_ENTRY], UNKNOWN, [UNKNOWN]])
def test_a_reservation_group_knows_its_members_also_where_its_entries_are_not_known(configurations) -> None:
    (found,) = seen(resource_group(configurations), MEMBER, RESERVATION_MADE).of(ReservationGroup)
    assert found.members == (Ref(CAPACITY_RESERVATION, "cr"),)
    assert found.configurations in (UNKNOWN, frozenset({POOL_ENTRY["type"]}))


def test_a_resource_group_of_something_else_is_none_of_ours() -> None:
    assert seen(resource_group([{"type": "AWS::NetworkFirewall::RuleGroup"}])).objects == ()


def test_a_reservation_says_what_it_is_for() -> None:
    (found,) = seen(RESERVATION_MADE).of(CapacityReservation)
    assert (found.instance, found.count, found.platform, found.tenancy, found.starts) == (
        "p5.48xlarge",
        2,
        "Linux/UNIX",
        None,
        None,
    )


@pytest.mark.parametrize(
    ("said", "moments"),
    [
        ({"startTime": "2026-12-01T10:30:00Z"}, ("2026-12-01T10:30:00Z",)),
        ({"startTime": UNKNOWN}, UNKNOWN),
        ({"recurrence": "30 10 * * *"}, UNKNOWN),
        ({}, ()),
        ({"startTime": "2026-12-01T10:30:00Z", "desiredCapacity": 1}, ()),
    ],
)
def test_when_an_auto_scaling_group_goes_to_zero(said, moments) -> None:
    owned = [{"key": "kubernetes.io/cluster/training", "value": "owned", "propagateAtLaunch": True}]
    workers = registered(AUTO_SCALING_GROUP, "workers", name="workers", minSize=0, maxSize=1, tags=owned)
    schedule = registered(
        "aws:autoscaling/schedule:Schedule", "zero", autoscalingGroupName="workers", **{"desiredCapacity": 0, **said}
    )
    (found,) = seen(workers, schedule).of(NodeGroup)
    assert found.zero_at == moments


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        (None, False),
        ("{}", False),
        ('{"env": {"ENABLE_PREFIX_DELEGATION": "true", "WARM_PREFIX_TARGET": "1"}}', True),
        ("env:\n  ENABLE_PREFIX_DELEGATION: 'true'\n", True),
        ('{"env":{"ENABLE_PREFIX_DELEGATION":"false"}}', False),
        (UNKNOWN, UNKNOWN),
    ],
)
def test_prefix_delegation_is_read_in_either_form_of_configuration(configuration, expected) -> None:
    addon = registered("aws:eks/addon:Addon", "cni", addonName="vpc-cni", configurationValues=configuration)
    (seen_,) = seen(addon).of(EksAddon)
    assert seen_.prefix_delegation is expected


def test_limits_of_node_repair_come_with_their_numbers() -> None:
    group = registered(NODE_GROUP, "g", nodeRepairConfig={"enabled": True, "maxParallelNodesRepairedCount": 1})
    (seen_,) = seen(group).of(NodeGroup)
    assert seen_.repair_limits == (RepairLimit("maxParallelNodesRepairedCount", 1),)
