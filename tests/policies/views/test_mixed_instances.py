"""Views of what Auto Scaling groups say beside their launch template: a mixed instances policy, reservations."""

from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import CapacityTarget, NodeGroup, Ref
from muster.fleet.resources.ref import CAPACITY_RESERVATION, LAUNCH_TEMPLATE, RESOURCE_GROUP
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import registered, seen, template
from tests.policies.views.test_auto_scaling_groups import ODD, a_group, the_group

GPU = Ref(LAUNCH_TEMPLATE, "gpu")
SPECIFICATION = {"launchTemplateSpecification": {"launchTemplateId": "lt-1", "version": "$Latest"}}


def mixed(*overrides: Any, distribution: Any = None, specification: Any = None, **more: Any) -> Registration:
    named = SPECIFICATION if specification is None else specification
    policy = {"launchTemplate": {**named, "overrides": list(overrides)}, "instancesDistribution": distribution}
    return a_group(**{"mixedInstancesPolicy": policy, "minSize": 0, "desiredCapacity": 1, "maxSize": 4, **more})


def the_mixed(*overrides: Any, **more: Any) -> NodeGroup:
    return the_group(mixed(*overrides, **more), template(id="lt-1"))


def test_the_policys_template_and_types() -> None:
    found = the_mixed({"instanceType": "p5.48xlarge"}, {"instanceType": "p5e.48xlarge"})
    assert (found.template, found.instance_types) == (GPU, ("p5.48xlarge", "p5e.48xlarge"))
    assert (found.nodes_min, found.nodes_start, found.nodes_max, found.capacity_type) == (0, 1, 4, None)


def test_a_template_by_name_and_no_overrides() -> None:
    named = {"launchTemplateSpecification": {"launchTemplateName": "gpu-1"}}
    found = the_group(mixed(specification=named), template(name="gpu-1"))
    assert (found.template, found.instance_types) == (GPU, ())


def test_a_preview_knows_which_template_it_is() -> None:
    unknown = {"launchTemplateSpecification": {"launchTemplateId": UNKNOWN}}
    made = mixed(specification=unknown, needs={"mixedInstancesPolicy": [GPU]})
    assert the_group(made, template()).template == GPU


@pytest.mark.parametrize(
    "override",
    [
        UNKNOWN,
        {"instanceType": UNKNOWN},
        {"instanceRequirements": {"vcpuCount": {"min": 96}}},
    ],
)
def test_types_that_nobody_names_are_not_known(override: Any) -> None:
    assert the_mixed({"instanceType": "p5.48xlarge"}, override).instance_types is UNKNOWN


def test_of_several_templates_none_is_the_groups() -> None:
    other = {"instanceType": "g5.48xlarge", "launchTemplateSpecification": {"launchTemplateId": "lt-2"}}
    assert the_mixed({"instanceType": "p5.48xlarge"}, other).template is UNKNOWN


def test_a_launch_configuration_is_none_that_rules_read() -> None:
    assert the_group(a_group(launchConfiguration="old", minSize=0, maxSize=1)).template is UNKNOWN


@pytest.mark.parametrize(
    ("weight", "expected"), [("1", (0, 1, 4)), (1, (0, 1, 4)), ("8", 3 * (UNKNOWN,)), (UNKNOWN, 3 * (UNKNOWN,))]
)
def test_numbers_that_count_weights_are_no_numbers_of_nodes(weight: Any, expected: tuple[Any, ...]) -> None:
    found = the_mixed({"instanceType": "p5.48xlarge", "weightedCapacity": weight})
    assert (found.nodes_min, found.nodes_start, found.nodes_max) == expected


@pytest.mark.parametrize(
    ("distribution", "expected"),
    [
        (None, None),
        ({}, None),
        ({"onDemandPercentageAboveBaseCapacity": 100}, None),
        ({"onDemandPercentageAboveBaseCapacity": 0}, "SPOT"),
        ({"onDemandPercentageAboveBaseCapacity": "50", "onDemandBaseCapacity": 2}, "SPOT"),
        ({"onDemandPercentageAboveBaseCapacity": UNKNOWN}, UNKNOWN),
        (UNKNOWN, UNKNOWN),
    ],
)
def test_a_share_of_spot(distribution: Any, expected: Any) -> None:
    assert the_mixed(distribution=distribution).capacity_type == expected


def test_a_policy_not_yet_known() -> None:
    found = the_group(a_group(mixedInstancesPolicy=UNKNOWN, minSize=0, maxSize=1))
    assert {found.template, found.instance_types, found.capacity_type, found.nodes_max} == {UNKNOWN}


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


@pytest.mark.parametrize("value", ODD, ids=repr)
def test_no_value_crashes_the_view(value: Any) -> None:
    policy = {"launchTemplate": value, "instancesDistribution": value}
    inside = {"launchTemplateSpecification": value, "overrides": value}
    for said in (value, policy, {"launchTemplate": inside}, {"launchTemplate": {"overrides": [{"x": value}, value]}}):
        assert len(seen(a_group(mixedInstancesPolicy=said)).of(NodeGroup)) == 1
    override = {"instanceType": value, "weightedCapacity": value, "instanceRequirements": value}
    target = {"capacityReservationTarget": {IDS: value, ARNS: value}, "capacityReservationPreference": value}
    for reserved in (value, {"capacityReservationTarget": value}, target):
        share = {"onDemandPercentageAboveBaseCapacity": value}
        made = mixed(override, distribution=share, capacityReservationSpecification=reserved)
        assert len(seen(made).of(NodeGroup)) == 1
