"""What is refused in the real engine: placeholders, mistakes, programs of others; and then nothing is registered."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.edits import EDITS, Edit
from tests.pulumi_engine.conftest import MakeProject, MakeStack
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import filled_in, text_of

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

STACK = "p5-odcr"


def registered(state: Mapping[str, object]) -> list[str]:
    """The URNs of a state, without the stack itself, which the engine makes before the program runs."""
    return [urn for urn in state if "pulumi:pulumi:Stack" not in urn]


def test_placeholders_are_refused_in_preview_and_up_alike(muster: MakeStack, stand_in: StandIn) -> None:
    """As it is committed the stack is refused, naming every key to fill."""
    it = muster(STACK, text=text_of(STACK), facts="")
    for outcome in (it.preview(), it.up()):
        assert outcome.code != 0
        assert registered(outcome.resources) == []
        for key in (
            "network.existing.vpc",
            "groups.workers.capacity.reservation.id",
            "access[0].principal",
            "api.public[0]",
        ):
            assert f"set {key} to a value of your account" in outcome.text
        assert "Traceback" not in outcome.text
    assert stand_in.log.names("create") == []


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_a_mistake_registers_nothing(edit: Edit, muster: MakeStack, stand_in: StandIn) -> None:
    """`up --yes --skip-preview` without a pack: refused by name and place, and nothing was made."""
    it = muster(STACK, facts=filled_in(edit.facts_text or ""))
    it.describe(filled_in(edit.applied(text_of(STACK))))
    outcome = it.up()
    assert outcome.code != 0
    assert registered(outcome.resources) == []
    assert stand_in.log.names("create") == []
    assert "Traceback" not in outcome.text
    if edit.name == "the same key twice":
        assert 'mapping key "nodes" already defined' in outcome.text  # the engine itself refuses such a file
    else:
        assert f"{edit.rule}: " in outcome.text


FOREIGN = """
import pulumi
import pulumi_aws as aws

everything = {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
itself = {"protocol": "-1", "from_port": 0, "to_port": 0, "self": True}

class Network(pulumi.ComponentResource):
    def __init__(self, type):
        super().__init__(type, "network", {"ingress": [itself], "egress": [itself]})
        self.id = aws.ec2.SecurityGroup("nodes", egress=[everything], opts=pulumi.ResourceOptions(parent=self)).id
        self.register_outputs({"id": self.id, "arn": self.id, "name": self.id})

group = Network(pulumi.Config().require("type"))
aws.ec2.SecurityGroup.get("again", group.id)
template = aws.ec2.LaunchTemplate(
    "gpu",
    instance_type="p5.48xlarge",
    network_interfaces=[
        {"network_card_index": 0, "device_index": 0, "interface_type": "efa-only", "security_groups": [group.id]},
        {"network_card_index": 1, "device_index": 2, "interface_type": "efa", "security_groups": [group.id]},
    ],
)
"""


@pytest.mark.parametrize("type_", ["acme:net:Group", "aws:ec2/securityGroup:SecurityGroup"])
def test_the_pack_stops_a_foreign_program(
    type_: str, tmp_path_factory: pytest.TempPathFactory, project: MakeProject, pack: Path
) -> None:
    """Another team's program, in a preview with unknown ids, on `up` and in the next preview: each fault under its
    rule's name, at its resource, and the command fails. Neither a component, whatever its type, nor a resource that is
    only read takes over the id of the group."""
    source = tmp_path_factory.mktemp("foreign")
    (source / "__main__.py").write_text(FOREIGN, encoding="utf-8")
    (source / "Pulumi.yaml").write_text(
        "name: foreign\nruntime: {name: python, options: {toolchain: uv, virtualenv: .venv}}\n", encoding="utf-8"
    )
    theirs = project(
        source,
        stack="dev",
        config={"aws:region": "us-west-2", "type": type_},
        environment={"PYTHONPATH": str(pack.parent)},
    )
    for run in (theirs.preview, theirs.up, theirs.preview):
        outcome = run(packs=[pack])
        assert outcome.code != 0
        found = {(each.policy, each.urn.rpartition("::")[2], each.level) for each in outcome.violations}
        assert {(rule, name) for rule, name, level in found if level == "mandatory"} == {
            ("primary-interface-carries-ip", "gpu"),
            ("interfaces-fit-cards", "gpu"),
            ("efa-security-groups-allow-themselves", "nodes"),
        }
