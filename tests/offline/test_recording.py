"""The offline monitor registers, answers and refuses as the engine does."""

from collections.abc import Callable
from typing import Any

import pytest

from muster.offline.recording import Recording, record
from muster.unknown import UNKNOWN


def _small() -> None:
    import pulumi
    import pulumi_aws as aws

    class Box(pulumi.ComponentResource):
        def __init__(self, name: str) -> None:
            super().__init__("test:box:Box", name)
            own = pulumi.ResourceOptions(parent=self)
            self.group = aws.ec2.SecurityGroup("inner", description="in a box", opts=own)
            self.register_outputs({"id": self.group.id})

    box = Box("box")
    aws.ec2.LaunchTemplate(
        "template",
        network_interfaces=[{"security_groups": [box.group.id]}],
        opts=pulumi.ResourceOptions(protect=True, ignore_changes=["tags"], depends_on=[box]),
    )
    pulumi.export("group", box.group.id)
    pulumi.export("hidden", pulumi.Output.secret({"a": [box.group.arn]}))


STACK_URN = "urn:pulumi:dev::muster::pulumi:pulumi:Stack::muster-dev"
BOX_URN = "urn:pulumi:dev::muster::test:box:Box::box"
INNER_URN = "urn:pulumi:dev::muster::test:box:Box$aws:ec2/securityGroup:SecurityGroup::inner"
TEMPLATE_URN = "urn:pulumi:dev::muster::aws:ec2/launchTemplate:LaunchTemplate::template"


def test_urns_parents_dependencies_and_options() -> None:
    """URNs carry the chain of parent types without the stack; what depends on what is recorded by property."""
    recording = record(_small)
    assert recording.secret_outputs == {"hidden"}
    assert str(recording.outputs["hidden"]["a"][0]).startswith("arn:aws:ec2:us-west-2:")
    by_urn = {each.urn: each for each in recording.registrations}
    assert set(by_urn) == {STACK_URN, BOX_URN, INNER_URN, TEMPLATE_URN}
    assert by_urn[INNER_URN].parent == BOX_URN
    assert by_urn[BOX_URN].parent == STACK_URN
    assert not by_urn[BOX_URN].custom
    template = by_urn[TEMPLATE_URN]
    assert template.property_dependencies == {"networkInterfaces": (INNER_URN,)}
    assert set(template.dependencies) == {BOX_URN, INNER_URN} or template.dependencies == (INNER_URN,)
    assert template.options["protect"] is True
    assert template.options["ignoreChanges"] == ["tags"]
    assert template.inputs["networkInterfaces"] == [{"securityGroups": [by_urn[INNER_URN].id]}]


def test_a_preview_knows_no_ids() -> None:
    """In a preview ids and everything made of them is unknown; what the program says is known."""
    by_name = {each.name: each for each in record(_small, preview=True).registrations}
    assert by_name["inner"].id is UNKNOWN
    assert by_name["inner"].inputs["description"] == "in a box"
    assert by_name["template"].inputs["networkInterfaces"] == [{"securityGroups": [UNKNOWN]}]
    assert by_name["template"].property_dependencies == {"networkInterfaces": (INNER_URN,)}


def test_two_runs_in_one_process_do_not_meet() -> None:
    """The second stack is not parented to the first, and two runs of one program are equal."""
    first, other, again = (
        record(_small).registrations,
        record(_small, stack="other").registrations,
        record(_small).registrations,
    )
    assert first == again
    assert {each.urn.split("::")[0] for each in other} == {"urn:pulumi:other"}
    assert [each.parent for each in other if each.type == "pulumi:pulumi:Stack"] == [""]


OTHER = "org/other/dev"


def _refers() -> None:
    import pulumi
    import pulumi_aws as aws

    other = pulumi.StackReference("other", stack_name=OTHER)
    aws.ec2.SecurityGroup("nodes", vpc_id=other.get_output("vpc"))
    for name in ("vpc", "token", "nothing"):
        pulumi.export(name, other.get_output(name))
    pulumi.export("all", other.outputs.apply(len))


@pytest.mark.parametrize("preview", [False, True])
def test_a_stack_reference_answers_with_the_other_stacks_outputs(preview: bool) -> None:
    """As in the engine: known in previews, each as secret as it was exported; all of them as the most secret one."""
    other = Recording((), {"vpc": "vpc-1", "token": "t"}, frozenset({"token"}))
    recording = record(_refers, preview=preview, stack_outputs={OTHER: other})
    assert recording.outputs == {"vpc": "vpc-1", "token": "t", "all": 2}
    assert recording.secret_outputs == {"token", "all"}
    planned = Recording((), {"vpc": UNKNOWN, "token": "t"}, frozenset())
    assert record(_refers, preview=True, stack_outputs={OTHER: planned}).outputs["vpc"] is UNKNOWN
    by_name = {each.name: each for each in recording.registrations}
    assert by_name["nodes"].inputs["vpcId"] == "vpc-1"
    assert by_name["nodes"].property_dependencies["vpcId"] == (by_name["other"].urn,)
    assert by_name["other"].urn == "urn:pulumi:dev::muster::pulumi:pulumi:StackReference::other"
    assert (by_name["other"].id, by_name["other"].inputs) == (OTHER, {"name": OTHER})


def test_two_programs_that_raise_do_not_meet() -> None:
    """What a program raises comes out; what waited in its event loop is not awaited in the next one's."""

    def broken() -> None:
        import pulumi

        pulumi.StackReference(OTHER).outputs.apply(lambda each: each["nothing"])

    other = Recording((), {"vpc": "vpc-1"}, frozenset())
    for _ in range(3):
        with pytest.raises(KeyError, match="nothing"):
            record(broken, stack_outputs={OTHER: other})


def _invoke(aws: Any) -> None:
    aws.get_availability_zones()


def _stack_reference(_: Any) -> None:
    import pulumi

    pulumi.StackReference("org/other/dev").get_output("x")


def _read(aws: Any) -> None:
    aws.ec2.SecurityGroup.get("existing", "sg-0123456789abcdef0")


def _construct(_: Any) -> None:
    import pulumi_kubernetes as kubernetes

    kubernetes.helm.v4.Chart("chart", chart="volcano")


def _twice(aws: Any) -> None:
    aws.ec2.SecurityGroup("same")
    aws.ec2.SecurityGroup("same")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (_invoke, "aws:index/getAvailabilityZones:getAvailabilityZones"),
        (_stack_reference, "org/other/dev"),
        (_read, "only AWS"),
        (_construct, "kubernetes:helm.sh/v4:Chart"),
        (_twice, r"Duplicate resource URN .*::same"),
    ],
)
def test_what_is_not_modelled_is_refused(program: Callable[[Any], None], words: str) -> None:
    """The monitor never guesses an answer that only AWS has; two resources of one URN it refuses as the engine does."""
    import pulumi_aws

    with pytest.raises(Exception, match=words):
        record(lambda: program(pulumi_aws))
