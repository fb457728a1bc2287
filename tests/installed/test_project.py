"""A project of an installed Muster: every command in it, and its life on the engine."""

from pathlib import Path

import pytest

from muster import __version__
from muster.addresses import schema_address
from muster.stack.project import facts_file, stack_file
from tests.installed.conftest import Installed
from tests.pulumi_engine.harness import MISSING_TOOLS, OWN_LANGUAGE_HOST, Project
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import AS_OF, edited, filled_in

STACK, RULE = "p5-odcr", "reservation-covers-nodes"


@pytest.fixture(scope="module")
def project(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new project, in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("users")
    made = installed.muster("new", "my cluster", project=folder)
    assert (made.code, made.err) == (0, "")
    return folder / "my cluster"


COMMANDS = {
    "--version": f"muster {__version__}",
    "check --all --strict": "p5-odcr: clean",
    f"plan {STACK} --json": '"stack": "p5-odcr"',
    f"cost {STACK}": "an hour",
    f"job nccl-tests --stack {STACK}": "kind: MPIJob",
    f"addons {STACK}": "mpi-operator",
    f"mirror {STACK} --to registry.example.com --script": "skopeo copy",
    f"rehearse {STACK} --job nccl-tests --if-built": "not rehearsed",
    "hardware p5.48xlarge": "p5.48xlarge",
    "explain reservation-zone-matches-subnet": "reservation-zone-matches-subnet",
    "schema stack": schema_address("stack"),
    "policies path": "/policies/",
    "components path": "/bin/pulumi-resource-muster",
    "init mine --offline --on-demand --instance p5.48xlarge --nodes 2 --region us-west-2 --zone us-west-2b": (
        "stacks/Pulumi.mine.yaml"
    ),
}


def test_commands_work_in_it(installed: Installed, project: Path) -> None:
    """Without the checkout: a file of it that is opened is an error (`conftest.WATCH`). All in one process."""
    told = {" ".join(command): said for command, said in installed.all_of(map(str.split, COMMANDS), project=project)}
    assert {command: said.err for command, said in told.items() if said.code or "bug in Muster" in said.err} == {}
    assert [command for command, words in COMMANDS.items() if words not in told[command].out + told[command].err] == []


@pytest.mark.engine
@pytest.mark.skipif(bool(MISSING_TOOLS) or OWN_LANGUAGE_HOST, reason="Pulumi's own language host installs packages")
def test_its_life_on_the_engine(installed: Installed, project: Path, tmp_path: Path) -> None:
    """By the pack in a preview, up, again, and destroy, with the Python that `.venv` is a link to."""
    files = {
        str(file.relative_to(project)): filled_in(file.read_text(encoding="utf-8"))
        for file in (stack_file(project, STACK), facts_file(project, STACK))
    }
    with StandIn() as stand_in:
        day = {"MUSTER_AS_OF": AS_OF}
        it = Project(project, tmp_path, stand_in, stack=STACK, environment=day, files=files, synced=True)
        (it.root / ".venv").symlink_to((project / ".venv").readlink())
        pack = installed.muster("policies", "path", project=it.root).out.strip()
        planned = it.preview(packs=[pack]).require()
        assert {each.level for each in planned.violations} == {"advisory"}
        assert not [each for each in planned.violations if "facts" in each.message], "it reads those beside the stack"
        first = it.up().require()
        assert set(first.changes) == set(planned.changes)
        assert it.up().require().changes == {}
        assert it.destroy().require().resources == {}
        text = stack_file(it.root, STACK).read_text(encoding="utf-8")
        text = edited(text, "config:\n", f"config:\n  muster:policies: {{{RULE}: advisory}}\n")
        stack_file(it.root, STACK).write_text(edited(text, "nodes: 1\n", "nodes: 2\n"), encoding="utf-8")
        (found,) = [each for each in it.preview(packs=[pack]).require().violations if each.policy == RULE]
    assert "stacks/Pulumi.p5-odcr.yaml:" in found.message, "it reads the stack's file"
