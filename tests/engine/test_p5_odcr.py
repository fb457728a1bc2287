"""p5-odcr in the real engine: a life from preview to destroy, and edits that must register nothing."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.edits import EDITS, Edit
from tests.stack_files import AS_OF, ROOT, edited, filled_in, text_of

from .conftest import MakeProject
from .harness import MISSING_TOOLS, WHY_SKIPPED, Project
from .provider import StandIn

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

STACK = "p5-odcr"
Muster = Callable[..., Project]


@pytest.fixture
def muster(tmp_path_factory: pytest.TempPathFactory, project: MakeProject) -> Muster:
    """A copy of the repository with the stack file given, on the real engine."""

    def make(stack_text: str, facts: str | None = None) -> Project:
        source = tmp_path_factory.mktemp("checkout") / "muster"
        ignored = shutil.ignore_patterns(".git", ".venv", "tests", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, source, ignore=ignored)
        (source / "stacks" / f"Pulumi.{STACK}.yaml").write_text(stack_text, encoding="utf-8")
        if facts is not None:
            (source / "stacks" / "facts" / f"{STACK}.json").write_text(facts, encoding="utf-8")
        return project(source, stack=STACK, environment={"MUSTER_AS_OF": AS_OF})

    return make


def registered(state: dict[str, object]) -> list[str]:
    """The URNs of a state, without the stack itself, which the engine makes before the program runs."""
    return [urn for urn in state if "pulumi:pulumi:Stack" not in urn]


def test_a_life(muster: Muster, stand_in: StandIn) -> None:
    """Preview makes nothing; up makes all; a second up changes nothing; destroy leaves nothing."""
    it = muster(filled_in(text_of(STACK)))

    planned = it.preview(packs=["policies"]).require()
    assert set(planned.changes.values()) == {"create"}
    assert stand_in.log.names("create") == []

    first = it.up(packs=["policies"]).require()
    template = first.one("aws:ec2/launchTemplate:LaunchTemplate", "workers")
    assert len(template["inputs"]["networkInterfaces"]) == 33

    again = it.up().require()
    assert again.changes == {}

    gone = it.destroy().require()
    assert gone.resources == {}


def test_placeholders_are_refused_in_preview_and_up_alike(muster: Muster, stand_in: StandIn) -> None:
    """As it is committed the stack is refused, naming every key to fill."""
    it = muster(text_of(STACK))
    for outcome in (it.preview(), it.up()):
        assert outcome.code != 0
        assert registered(outcome.resources) == []
        for key in ("network.existing.vpc", "groups.workers.capacity.reservation.id", "access[0].principal", "api.public[0]"):
            assert f"fill in {key}" in outcome.text
        assert "Traceback" not in outcome.text
    assert stand_in.log.names("create") == []


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_a_mistake_registers_nothing(edit: Edit, muster: Muster, stand_in: StandIn) -> None:
    """`up --yes --skip-preview` without a pack: refused by name and place, and nothing was made."""
    facts = edit.facts_text
    it = muster(filled_in(text_of(STACK)), facts and filled_in(facts))
    file = it.root / "stacks" / f"Pulumi.{STACK}.yaml"
    salt = next(line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("encryptionsalt"))
    file.write_text(f"{filled_in(edit.applied(text_of(STACK)))}\n{salt}\n", encoding="utf-8")
    outcome = it.up()
    assert outcome.code != 0
    assert registered(outcome.resources) == []
    assert stand_in.log.names("create") == []
    assert "Traceback" not in outcome.text
    if edit.name == "the same key twice":
        assert 'mapping key "nodes" already defined' in outcome.text  # the engine itself refuses such a file
    else:
        assert f"{edit.rule}: " in outcome.text
