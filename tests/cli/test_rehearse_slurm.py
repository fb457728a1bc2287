"""`muster rehearse` of stacks with Slurm: the same words, options and exits as on Kubernetes."""

from pathlib import Path

import pytest

from muster.rehearsal.slurm import controller
from tests.cli.conftest import Muster, Ran
from tests.rehearsal.slurm.clusters import a_script
from tests.rehearsal.slurm.conftest import slurm
from tests.stack_files import ROOT

__all__ = ["slurm"]

STACK = "pcluster-gpu"
STACKS = sorted(path.name.split(".")[1] for path in (ROOT / "stacks").glob("Pulumi.pcluster-*.yaml"))
on_slurm = [pytest.mark.slurm, pytest.mark.usefixtures("slurm")]


@pytest.fixture
def taken(muster: Muster) -> Muster:
    """The command, with a stack with Slurm."""
    muster.take(STACK)
    return muster


def rehearsed(muster: Muster, script: str, *more: str) -> Ran:
    """Rehearses a script of one's own."""
    Path("job.sbatch").write_text(script)
    return muster.judged("rehearse", STACK, "--file", "job.sbatch", *more)


@pytest.mark.parametrize("stack", STACKS)
class TestStacks:
    """Every stack of the project's with Slurm."""

    pytestmark = on_slurm

    def test_a_job_of_ours_starts(self, stack: str, muster: Muster) -> None:
        """The first that fits; and the report says that it was Slurm."""
        muster.take(stack)
        ran = muster.judged("rehearse", stack, "--json")
        assert (ran.code, ran.json["verdict"], ran.json["waiting"]) == (0, "starts", []), ran.err
        assert (ran.json["kubernetes"], ran.json["unit"], ran.json["kind"]) == (None, "node", "sbatch")
        assert ran.json["slurm"] == ran.json["binaries"]["slurmctld"]["version"]
        assert ran.json["pods"]["running"] == len(ran.json["placed"]) > 0


class TestScripts:
    """Scripts of one's own."""

    pytestmark = on_slurm

    def test_what_does_not_start_is_told_in_slurms_words(self, taken: Muster) -> None:
        """Exit 1."""
        ran = rehearsed(taken, a_script("--nodes=5"))
        assert ran.code == 1
        assert "message of sbatch: allocation failure: Node count specification invalid" in ran.out
        assert f"job does not start on {STACK}: Slurm refuses it (Slurm " in ran.out

    def test_a_job_that_starts_is_told_with_what_was_played(self, taken: Muster) -> None:
        """Exit 0; the payload did not run, and the report says so; with a page."""
        ran = rehearsed(taken, a_script("--nodes=2"), "--html", "r.html")
        assert ran.code == 0, ran.err
        assert f"job starts on {STACK}: it runs on 2 nodes (Slurm " in ran.out
        page = Path("r.html").read_text()
        assert "Muster ran Slurm " in page
        assert "Kubernetes" not in page
        assert " pod" not in page

    def test_stdin_is_a_script_too(self, taken: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
        """As sbatch takes it."""
        import io

        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(a_script("--nodes=1").encode())))
        assert taken.judged("rehearse", STACK, "--file", "-").code == 0


LACKS = (
    "a rehearsal on Slurm needs Slurm's programs, and slurmctld is not installed on this machine; on Debian "
    "or Ubuntu: sudo apt-get install slurmctld"
)


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with Slurm's commands, and without its controller."""
    names = {name: Path("/usr/bin") / name for name in controller.PACKAGES if name != "slurmctld"}
    monkeypatch.setattr(controller, "found_programs", lambda: names)


@pytest.mark.usefixtures("nowhere")
def test_without_slurm_nothing_is_pretended(taken: Muster) -> None:
    """What is missing, and the packages that have it: a fault; with --if-built a word, and exit 0."""
    ran = taken.judged("rehearse", STACK)
    assert (ran.code, ran.out, ran.err) == (2, "", f"error: the rehearsal cannot continue: {LACKS}\n")
    ran = taken.judged("rehearse", STACK, "--if-built")
    assert (ran.code, ran.out) == (0, f"not rehearsed: {LACKS}\n")


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize(
    ("options", "named"),
    [(("--file", "nope.sh"), "nope.sh"), (("--job", "nope"), "'nope'")],
)
def test_what_was_given_is_read_before_slurm_is_looked_for(taken: Muster, options: tuple[str, ...], named: str) -> None:
    ran = taken.judged("rehearse", STACK, "--if-built", *options)
    assert (ran.code, ran.out) == (2, "")
    assert named in ran.err
    assert "slurmctld" not in ran.err
