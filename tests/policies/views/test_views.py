"""Views of odd programs: half-known, written another way, or wrong; never a crash, never a guess."""

from typing import Any

import pytest

from muster.fleet.facts import Facts
from muster.fleet.resources import EksAddon, LaunchTemplate, NodeGroup, Taint
from muster.fleet.resources.eks import RepairLimit
from muster.fleet.resources.ref import LAUNCH_TEMPLATE, NODE_GROUP, SUBNET
from muster.policies.views import fleet_of
from muster.sources.registrations import Program
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import PREFIX, registered, seen, template


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


ID = "subnet-0123456789abcdef0"


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("existing", [False, True])
def test_a_subnet_that_a_file_names(*, existing: bool, known: bool) -> None:
    """One that is there has the zone of the file and the facts of AWS; one that the file creates has the former."""
    program = Program("dev", "test")
    inputs = {"availabilityZone": "us-west-2a", "mapPublicIpOnLaunch": UNKNOWN}
    program.add(SUBNET, "a", inputs, id_=ID, existing=existing)
    observed = {"zone": "us-west-2b", "zoneId": "usw2-az1", "mapPublicIpOnLaunch": True, "freeAddresses": 9}
    facts = Facts.model_validate({"subnets": {ID: observed}}) if known else None
    found = fleet_of(program.registrations, facts=facts).subnets["a (aws:ec2)"]
    assert (found.created, found.declared_zone) == (not existing, "us-west-2a")
    if existing:
        told = (found.observed_zone, found.zone_id, found.map_public_ip, found.free_addresses)
        assert told == (("us-west-2b", "usw2-az1", True, 9) if known else (None,) * 4)


OF_CLUSTER = {"kubernetes.io/cluster/training": "owned"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([{"resourceType": "instance", "tags": OF_CLUSTER}], True),
        ([{"resourceType": "instance", "tags": {"karpenter.k8s.aws/ec2nodeclass": "a"}}], True),
        ([{"resourceType": "volume", "tags": OF_CLUSTER}], False),
        ([{"resourceType": "instance", "tags": {"team": "a"}}], False),
        ([{"resourceType": "instance", "tags": UNKNOWN}], False),
        (UNKNOWN, False),
        (None, False),
    ],
)
def test_a_tag_states_that_instances_are_nodes_of_kubernetes(given: Any, expected: bool) -> None:
    (found,) = seen(template(tagSpecifications=given)).of(LaunchTemplate)
    assert found.joins_kubernetes is expected
