"""Engine tests start a stand-in cloud each, and say loudly when they could not run at all."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED, Project, copy
from tests.pulumi_engine.muster_stack import MusterStack
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import ROOT

MakeProject = Callable[..., Project]
MakeStack = Callable[..., MusterStack]


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    """The plugins of aws and kubernetes, standing in."""
    with StandIn() as running:
        yield running


@pytest.fixture
def project(tmp_path: Path, stand_in: StandIn) -> MakeProject:
    """Makes a copy of a project on the real engine: `project(source, stack=..., config=...)`."""
    if MISSING_TOOLS:
        pytest.skip(WHY_SKIPPED)

    def make(source: Path, **settings: object) -> Project:
        return Project(source, tmp_path, stand_in, **settings)  # type: ignore[arg-type]

    return make


@pytest.fixture
def muster(tmp_path: Path, stand_in: StandIn) -> MakeStack:
    """Makes a stack of this repository on the real engine: `muster("p5-odcr", text=..., facts=...)`."""
    if MISSING_TOOLS:
        pytest.skip(WHY_SKIPPED)

    def make(stack: str, **described: str) -> MusterStack:
        return MusterStack(stack, tmp_path, stand_in, **described)

    return make


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The pack in a checkout of its own, beside a program that has none of Muster's. In the checkout that is tested the
    engine would have uv install the project anew, below the other tests."""
    checkout = tmp_path / "muster"
    copy(ROOT, checkout, without=("pyproject.toml", "examples", "docs", "stacks"))
    (checkout / "uv.lock").write_text("version = 1\n", encoding="utf-8")
    (checkout / ".venv").symlink_to(sys.prefix)
    return checkout / "policies"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says once more, at the end of the run, that the engine was never there."""
    if MISSING_TOOLS:
        terminalreporter.write_sep("!", f"ENGINE TESTS SKIPPED: {WHY_SKIPPED}", yellow=True, bold=True)
