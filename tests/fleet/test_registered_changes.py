"""What becomes of registered resources when inputs change."""

from dataclasses import replace
from typing import Any

import pytest

from muster.fleet.registered_changes import Operation, changes
from muster.fleet.registration import Registration
from muster.fleet.unknown import UNKNOWN

VPC, SUBNET, TAGGED = "aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet", "aws:kms/key:Key"
TEMPLATE, GROUP = "aws:ec2/launchTemplate:LaunchTemplate", "aws:eks/nodeGroup:NodeGroup"
FILES = "aws:fsx/lustreFileSystem:LustreFileSystem"


def it(type_: str, name: str = "it", /, stack: str = "dev", **more: Any) -> Registration:
    inputs = more.pop("inputs", {})
    return Registration(f"urn:pulumi:{stack}::muster::{type_}::{name}", type_, name, inputs, **more)


def operations(before: list[Registration], after: list[Registration]) -> dict[str, str]:
    """Logical name -> the operation."""
    return {each.name: each.operation.value for each in changes(before, after)}


def test_who_is_who_is_told_by_urns_without_the_stack() -> None:
    """A resource of one stack is that of another with the same type and name."""
    assert operations([it(VPC, inputs={"cidrBlock": "a"})], [it(VPC, stack="prod", inputs={"cidrBlock": "a"})]) == {}
    assert operations([it(VPC, "a")], [it(VPC, "b")]) == {"a": "delete", "b": "create"}


def test_components_stacks_and_what_reads_stacks_are_no_resources() -> None:
    """But those of Kubernetes' provider stand for what they make."""
    others = [
        it("muster:infra:Cluster", custom=False),
        it("pulumi:pulumi:Stack"),
        it("pulumi:pulumi:StackReference"),
    ]
    assert operations([], others) == {}
    assert operations([], [it("kubernetes:yaml/v2:ConfigFile", custom=False)]) == {"it": "create"}


def test_an_input_replaces_where_the_table_says_so() -> None:
    """Each with the places that differ, as deep as both have them."""
    before = it(VPC, inputs={"cidrBlock": "10.0.0.0/16", "tags": {"a": "1", "b": "2"}})
    (updated,) = changes([before], [replace(before, inputs={**before.inputs, "tags": {"a": "2"}})])
    assert (updated.operation, updated.inputs, updated.replacing) == (Operation.UPDATE, ("tags.a", "tags.b"), ())
    (replaced,) = changes([before], [replace(before, inputs={"cidrBlock": "10.1.0.0/16"})])
    assert (replaced.operation, replaced.replacing) == (Operation.REPLACE, ("cidrBlock",))
    assert replaced.inputs == ("cidrBlock", "tags")


def test_lists_are_compared_item_by_item_where_they_are_as_long() -> None:
    """An item by its index; a list that grew as one."""
    before = it(TEMPLATE, inputs={"networkInterfaces": [{"deviceIndex": 0}, {"deviceIndex": 1}]})
    longer = replace(before, inputs={"networkInterfaces": [{"deviceIndex": 0}]})
    other = replace(before, inputs={"networkInterfaces": [{"deviceIndex": 0}, {"deviceIndex": 2}]})
    assert changes([before], [other])[0].inputs == ("networkInterfaces[1].deviceIndex",)
    assert changes([before], [longer])[0].inputs == ("networkInterfaces",)


def test_what_is_unknown_on_both_sides_is_the_same() -> None:
    """One that becomes known, or unknown, is another."""
    unknown, known = it(TAGGED, inputs={"policy": UNKNOWN}), it(TAGGED, inputs={"policy": "a"})
    assert operations([unknown], [unknown]) == {}
    assert operations([known], [unknown]) == {"it": "update"}


def test_ignored_inputs_change_nothing() -> None:
    """Nor what is below them; what is beside them does."""
    ignored = {"ignoreChanges": ["scalingConfig.desiredSize"]}
    before = it(GROUP, inputs={"scalingConfig": {"desiredSize": 1, "maxSize": 2}}, options=ignored)
    other = replace(before, inputs={"scalingConfig": {"desiredSize": 3, "maxSize": 2}})
    assert operations([before], [other]) == {}
    more = replace(before, inputs={"scalingConfig": {"desiredSize": 3, "maxSize": 4}})
    assert changes([before], [more])[0].inputs == ("scalingConfig.maxSize",)


def test_a_program_may_ask_for_a_replacement() -> None:
    """With `replaceOnChanges`, as the native provider's SDK does."""
    before = it(TAGGED, inputs={"policy": "a"}, options={"replaceOnChanges": ["policy"]})
    assert operations([before], [replace(before, inputs={"policy": "b"})]) == {"it": "replace"}


def test_what_is_made_of_a_replaced_resource_follows() -> None:
    """It is replaced where that input replaces, through any number of steps, and updated where it does not."""
    vpc = it(VPC, inputs={"cidrBlock": "a"})
    subnet = it(SUBNET, inputs={"vpcId": "v"}, property_dependencies={"vpcId": (vpc.urn,)})
    group = it(GROUP, inputs={"subnetIds": ["s"]}, property_dependencies={"subnetIds": (subnet.urn,)})
    key = it(TAGGED, inputs={"policy": "v"}, property_dependencies={"policy": (vpc.urn,)})
    before = [vpc, subnet, group, key]
    found = {each.type: each for each in changes(before, [replace(vpc, inputs={"cidrBlock": "b"}), subnet, group, key])}
    assert {type_: each.operation.value for type_, each in found.items()} == {
        VPC: "replace",
        SUBNET: "replace",
        GROUP: "replace",
        TAGGED: "update",
    }
    assert found[GROUP].follows == (subnet.urn,)
    assert found[SUBNET].replacing == ("vpcId",)


def test_a_replaced_provider_has_its_resources_replaced() -> None:
    """Another cluster has none of the objects."""
    provider = it("pulumi:providers:kubernetes", "k8s", inputs={"clusterIdentifier": "a"})
    release = it("kubernetes:helm.sh/v3:Release", "kueue", options={"provider": f"{provider.urn}::some-id"})
    other = replace(provider, inputs={"clusterIdentifier": "b"})
    assert operations([provider, release], [other, release]) == {"k8s": "replace", "kueue": "replace"}


def test_an_updated_template_has_another_version() -> None:
    """Groups that take its newest roll, though no recording counts; no other input of it changes."""
    template = it(TEMPLATE, "workers", inputs={"instanceType": "a"})
    group = it(
        GROUP,
        "workers-group",
        inputs={"launchTemplate": {"id": "lt-1", "version": "1"}},
        property_dependencies={"launchTemplate": (template.urn,)},
    )
    found = changes([template, group], [replace(template, inputs={"instanceType": "b"}), group])
    assert [(each.name, each.operation.value, each.inputs) for each in found] == [
        ("workers", "update", ("instanceType",)),
        ("workers-group", "update", ("launchTemplate.version",)),
    ]


def test_a_replaced_template_replaces_the_group() -> None:
    """A managed group keeps to one template for good."""
    template = it(TEMPLATE, "workers", inputs={"namePrefix": "a"})
    group = it(
        GROUP,
        "workers-group",
        inputs={"launchTemplate": {"id": "lt-1", "version": "1"}},
        property_dependencies={"launchTemplate": (template.urn,)},
    )
    found = operations([template, group], [replace(template, inputs={"namePrefix": "b"}), group])
    assert found == {"workers": "replace", "workers-group": "replace"}


@pytest.mark.parametrize(("option", "told"), [("protect", (True, False)), ("retainOnDelete", (False, True))])
def test_what_is_kept_is_told_where_it_would_go(option: str, told: tuple[bool, bool]) -> None:
    """By what it was deployed with: of a deletion, and of a replacement; not of an update."""
    before = it(FILES, inputs={"storageCapacity": 2400}, options={option: True})
    (deleted,) = changes([before], [])
    assert (deleted.kept, deleted.stays) == told
    (replaced,) = changes([before], [replace(before, inputs={"storageCapacity": 1200}, options={})])
    assert (replaced.operation, replaced.kept, replaced.stays) == (Operation.REPLACE, *told)
    (updated,) = changes([before], [replace(before, inputs={"storageCapacity": 4800})])
    assert (updated.operation, updated.kept, updated.stays) == (Operation.UPDATE, False, False)


def test_the_dearest_operations_stand_first() -> None:
    """Deleted, replaced, updated, made."""
    before = [it(VPC, "gone"), it(VPC, "other", inputs={"cidrBlock": "a"}), it(VPC, "same", inputs={"tags": {}})]
    after = [
        it(VPC, "new"),
        it(VPC, "other", inputs={"cidrBlock": "b"}),
        it(VPC, "same", inputs={"tags": {"a": "b"}}),
    ]
    assert list(operations(before, after).values()) == ["delete", "replace", "update", "create"]
