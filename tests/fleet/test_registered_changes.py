"""What becomes of registered resources when inputs change."""

from dataclasses import replace
from typing import Any

import pytest

from muster.extras.against.resource_changes import Operation, resource_changes
from muster.fleet.registration import Registration
from muster.unknown import UNKNOWN

VPC, SUBNET, TAGGED = "aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet", "aws:kms/key:Key"
TEMPLATE, GROUP = "aws:ec2/launchTemplate:LaunchTemplate", "aws:eks/nodeGroup:NodeGroup"
FILES = "aws:fsx/lustreFileSystem:LustreFileSystem"


def it(type_: str, name: str = "it", /, stack: str = "dev", **more: Any) -> Registration:
    inputs = more.pop("inputs", {})
    return Registration(f"urn:pulumi:{stack}::muster::{type_}::{name}", type_, name, inputs, **more)


def operations(before: list[Registration], after: list[Registration]) -> dict[str, str]:
    """Logical name -> the operation."""
    return {each.name: each.operation.value for each in resource_changes(before, after)}


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
    (updated,) = resource_changes([before], [replace(before, inputs={**before.inputs, "tags": {"a": "2"}})])
    assert (updated.operation, updated.inputs, updated.replacing) == (Operation.UPDATE, ("tags.a", "tags.b"), ())
    (replaced,) = resource_changes([before], [replace(before, inputs={"cidrBlock": "10.1.0.0/16"})])
    assert (replaced.operation, replaced.replacing) == (Operation.REPLACE, ("cidrBlock",))
    assert replaced.inputs == ("cidrBlock", "tags")


def test_lists_are_compared_item_by_item_where_they_are_as_long() -> None:
    """An item by its index; a list that grew as one."""
    before = it(TEMPLATE, inputs={"networkInterfaces": [{"deviceIndex": 0}, {"deviceIndex": 1}]})
    longer = replace(before, inputs={"networkInterfaces": [{"deviceIndex": 0}]})
    other = replace(before, inputs={"networkInterfaces": [{"deviceIndex": 0}, {"deviceIndex": 2}]})
    assert resource_changes([before], [other])[0].inputs == ("networkInterfaces[1].deviceIndex",)
    assert resource_changes([before], [longer])[0].inputs == ("networkInterfaces",)


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
    assert resource_changes([before], [more])[0].inputs == ("scalingConfig.maxSize",)


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
    found = {
        each.type: each
        for each in resource_changes(before, [replace(vpc, inputs={"cidrBlock": "b"}), subnet, group, key])
    }
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
    found = resource_changes([provider, release], [other, release])
    assert [(each.name, each.operation.value, each.inputs, each.replacing, each.follows) for each in found] == [
        ("kueue", "replace", (), (), (provider.urn,)),
        ("k8s", "replace", ("clusterIdentifier",), ("clusterIdentifier",), ()),
    ]


def test_an_updated_template_has_another_version() -> None:
    """Groups that take its newest roll, though no recording counts; no other input of it changes."""
    template = it(TEMPLATE, "workers", inputs={"instanceType": "a"})
    group = it(
        GROUP,
        "workers-group",
        inputs={"launchTemplate": {"id": "lt-1", "version": "1"}},
        property_dependencies={"launchTemplate": (template.urn,)},
    )
    found = resource_changes([template, group], [replace(template, inputs={"instanceType": "b"}), group])
    assert [(each.name, each.operation.value, each.inputs) for each in found] == [
        ("workers", "update", ("instanceType",)),
        ("workers-group", "update", ("launchTemplate.version",)),
    ]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"id": "lt-1", "version": "1"}, ("launchTemplate.id",)),
        ({"name": "workers", "version": "1"}, ("launchTemplate.name",)),
        ({"id": UNKNOWN}, ("launchTemplate.id",)),
        (UNKNOWN, ("launchTemplate.id", "launchTemplate.name")),
        ({"version": "1"}, ()),
    ],
)
def test_what_replaces_is_what_the_program_says(said: Any, told: tuple[str, ...]) -> None:
    """Nobody is told of an input that his program does not have; what is not known yet may hold each."""
    template = it(TEMPLATE, "workers", inputs={"namePrefix": "a"})
    group = it(
        GROUP, "group", inputs={"launchTemplate": said}, property_dependencies={"launchTemplate": (template.urn,)}
    )
    found = {each.type: each for each in resource_changes([template, group], [replace(template, inputs={}), group])}
    own = found[GROUP]
    assert (own.operation, own.replacing) == (Operation.REPLACE if told else Operation.UPDATE, told)
    assert own.follows == ((template.urn,) if told else ())


@pytest.mark.parametrize(("option", "told"), [("protect", (True, False)), ("retainOnDelete", (False, True))])
def test_what_is_kept_is_told_where_it_would_go(option: str, told: tuple[bool, bool]) -> None:
    """By what it was deployed with: of a deletion, and of a replacement; not of an update."""
    before = it(FILES, inputs={"storageCapacity": 2400}, options={option: True})
    (deleted,) = resource_changes([before], [])
    assert (deleted.kept, deleted.stays) == told
    (replaced,) = resource_changes([before], [replace(before, inputs={"storageCapacity": 1200}, options={})])
    assert (replaced.operation, replaced.kept, replaced.stays) == (Operation.REPLACE, *told)
    (updated,) = resource_changes([before], [replace(before, inputs={"storageCapacity": 4800})])
    assert (updated.operation, updated.kept, updated.stays) == (Operation.UPDATE, False, False)


@pytest.mark.parametrize(("option", "told"), [("protect", (True, False)), ("retainOnDelete", (False, True))])
def test_what_is_kept_is_told_where_it_follows(option: str, told: tuple[bool, bool]) -> None:
    """Of what is replaced because another is, by what it was deployed with; also where it changes by itself, too. Not
    of what is only updated."""
    vpc = it(VPC, inputs={"cidrBlock": "a"})
    subnet = it(SUBNET, inputs={"vpcId": "v"}, options={option: True}, property_dependencies={"vpcId": (vpc.urn,)})
    key = it(TAGGED, inputs={"policy": "v"}, options={option: True}, property_dependencies={"policy": (vpc.urn,)})
    now = replace(subnet, options={})
    for other in (now, replace(now, inputs={"vpcId": "v", "tags": {"a": "b"}})):
        after = [replace(vpc, inputs={"cidrBlock": "b"}), other, key]
        found = {each.type: each for each in resource_changes([vpc, subnet, key], after)}
        assert (found[SUBNET].operation, found[SUBNET].kept, found[SUBNET].stays) == (Operation.REPLACE, *told)
        assert (found[TAGGED].operation, found[TAGGED].kept, found[TAGGED].stays) == (Operation.UPDATE, False, False)


def test_an_ignored_input_follows_nothing() -> None:
    """Though it is made of a replaced resource; nor is it told beside one that follows."""
    vpc = it(VPC, inputs={"cidrBlock": "a"})
    other = replace(vpc, inputs={"cidrBlock": "b"})
    made_of = {"vpcId": (vpc.urn,), "tags": (vpc.urn,)}
    for ignored, expected in ((["vpcId", "tags"], None), (["tags"], ("vpcId",)), ([], ("tags", "vpcId"))):
        subnet = it(
            SUBNET, inputs={"vpcId": "v"}, options={"ignoreChanges": ignored}, property_dependencies=dict(made_of)
        )
        found = {each.type: each for each in resource_changes([vpc, subnet], [other, subnet])}
        assert (found[SUBNET].inputs if SUBNET in found else None) == expected, ignored


def test_what_is_new_or_gone_follows_nobody() -> None:
    """A resource that is made of a replaced one is made, or deleted, all the same, and no more is said of it."""
    vpc = it(VPC, inputs={"cidrBlock": "a"})
    other = replace(vpc, inputs={"cidrBlock": "b"})
    subnet = it(SUBNET, inputs={"vpcId": "v"}, property_dependencies={"vpcId": (vpc.urn,)})
    for before, after, operation in (
        ([vpc], [other, subnet], Operation.CREATE),
        ([vpc, subnet], [other], Operation.DELETE),
    ):
        found = {each.type: each for each in resource_changes(before, after)}
        own = found[SUBNET]
        assert (own.operation, own.inputs, own.replacing, own.follows) == (operation, (), (), ())


def test_an_input_that_changes_by_itself_is_told_once() -> None:
    """At the place below it that differs, though what it is made of is replaced as well."""
    template = it(TEMPLATE, "workers", inputs={"namePrefix": "a"})
    made_of = {"launchTemplate": (template.urn,)}
    group = it(GROUP, "group", inputs={"launchTemplate": {"id": "lt-1", "version": "1"}}, property_dependencies=made_of)
    other = replace(group, inputs={"launchTemplate": {"id": "lt-2", "version": "1"}})
    found = {each.type: each for each in resource_changes([template, group], [replace(template, inputs={}), other])}
    own = found[GROUP]
    assert own.inputs == own.replacing == ("launchTemplate.id",)
    assert own.follows == (template.urn,)


def test_the_dearest_operations_stand_first() -> None:
    """Deleted, replaced, updated, made."""
    before = [it(VPC, "gone"), it(VPC, "other", inputs={"cidrBlock": "a"}), it(VPC, "same", inputs={"tags": {}})]
    after = [
        it(VPC, "new"),
        it(VPC, "other", inputs={"cidrBlock": "b"}),
        it(VPC, "same", inputs={"tags": {"a": "b"}}),
    ]
    assert list(operations(before, after).values()) == ["delete", "replace", "update", "create"]
