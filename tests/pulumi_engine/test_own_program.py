"""A project's own program on the real engine: what it adds and changes, and what is refused before anything is made."""

from pathlib import Path

import pytest

from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import ROOT
from tests.way_out import CHANGES, EXTRA_POLICY, LAUNCH_TEMPLATE

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]


@pytest.mark.parametrize("program", CHANGES, ids=["extra policy", "own add-on", "launch template"])
def test_a_worked_example_lives(program: str, muster: MakeStack, pack: Path) -> None:
    """From `up` with the pack to the next preview, which changes nothing, and `destroy`."""
    it = muster("p5-odcr", beside={"__main__.py": program})  # type: ignore[arg-type]
    made = it.up(packs=[pack]).require()
    assert {each.policy for each in made.violations if each.level == "mandatory"} == set()
    for operation, type_, name, inputs in CHANGES[program]:
        state = made.one(type_, name)
        assert state["inputs"].keys() >= set(inputs), operation
    assert it.preview().require().changes == {}
    it.destroy().require()


EFA_ONLY = """
aws.ec2.LaunchTemplate(
    "gpu",
    instance_type="p5.48xlarge",
    network_interfaces=[{"network_card_index": 0, "device_index": 0, "interface_type": "efa-only"}],
)
"""


WITHOUT_FIRST = LAUNCH_TEMPLATE.replace(
    '"monitoring": {"enabled": True}', '"networkInterfaces": args.props["networkInterfaces"][1:]'
)


@pytest.mark.parametrize("program", [EXTRA_POLICY + EFA_ONLY, WITHOUT_FIRST], ids=["own resource", "transform"])
def test_what_breaks_a_rule_is_refused_first(program: str, muster: MakeStack, stand_in: StandIn) -> None:
    """By `up` without a preview and without the pack."""
    it = muster("p5-odcr", beside={"__main__.py": program})  # type: ignore[arg-type]
    outcome = it.up()
    assert outcome.code != 0
    assert "primary-interface-carries-ip: " in outcome.text
    assert "Traceback" not in outcome.text
    assert stand_in.log.names("create") == []


def test_rules_of_users_are_a_second_pack(muster: MakeStack, pack: Path) -> None:
    """Beside Muster's, at the resources of Muster's program."""
    own = pack.parent / "own"
    own.mkdir()
    (own / "PulumiPolicy.yaml").write_text((pack / "PulumiPolicy.yaml").read_text())
    rules = str(ROOT / "examples/own-rules")
    (own / "__main__.py").write_text(f"from muster.policies.analyzer import serve\n\nserve({rules!r})\n")
    told = muster("p5-odcr").preview(packs=[pack, own]).require().violations
    found = {each.urn.rpartition("::")[2] for each in told if each.policy == "nodes-have-a-team"}
    assert found == {"system", "workers"}
