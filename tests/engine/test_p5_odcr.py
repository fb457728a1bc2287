"""p5-odcr in the real engine: a life from preview to destroy, and edits that must register nothing."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

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
