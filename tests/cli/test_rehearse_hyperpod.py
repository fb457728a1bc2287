"""`muster rehearse` on HyperPod: how far its deep health checks are is said on the command line."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import Muster, Ran
from tests.rehearsal.clusters import a_hyperpod_job
from tests.rehearsal.conftest import kueue_plane, plane, shared_plane
from tests.stack_files import ROOT

__all__ = ["kueue_plane", "plane", "shared_plane"]

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]


@pytest.fixture(autouse=True)
def the_stack(muster: Muster) -> None:
    """It stands beside p5-odcr."""
    shutil.copy(ROOT / "stacks" / "Pulumi.hyperpod-p5.yaml", muster.folder / "stacks")


def rehearsed(muster: Muster, *more: str) -> Ran:
    """Rehearses a job of four workers on the stack as it is."""
    job: dict[str, Any] = a_hyperpod_job()
    Path("job.yaml").write_text(yaml.safe_dump(job))
    return muster.judged("rehearse", "hyperpod-p5", "--file", "job.yaml", *more)


@pytest.mark.parametrize(
    ("how", "code", "words"),
    [
        (("--deep-checks", "in-progress"), 1, "wait: the checks"),
        (("--deep-checks", "passed"), 0, "the verdict assumes that they passed"),
        (
            (),
            0,
            (
                "simulated: the deep health checks end (on a real cluster after about two hours): 4 nodes of "
                "'workers' are"
            ),
        ),
    ],
)
def test_how_far_the_checks_are_decides_the_verdict(
    muster: Muster, how: tuple[str, ...], code: int, words: str
) -> None:
    """Without the option they are played to their end."""
    ran = rehearsed(muster, *how)
    assert (ran.code, words in ran.out) == (code, True), ran.out + ran.err


def test_other_jobs_have_the_queue_first(muster: Muster) -> None:
    """The reference job is in the stack's queue of Kueue's: it waits for quota, and starts when the others end."""
    ran = muster.judged("rehearse", "hyperpod-p5", "--deep-checks", "passed", "--full-queue")
    assert "simulated: other jobs use all quota of ClusterQueue main" in ran.out
    assert "waits (Kueue: couldn't assign flavors" in ran.out
    assert "Kueue admitted the job to ClusterQueue main" in ran.out
    assert "starts on hyperpod-p5" in ran.out


def test_the_cause_stands_where_the_checks_are_asked_for(muster: Muster) -> None:
    """The line of the stack file, for programs too."""
    (cause,) = {(each["id"], each["where"]["path"]) for each in in_progress(muster).json["waiting"]}
    assert cause == ("hyperpod-deep-checks", "groups.workers.hyperpod.deep-health-checks")


def in_progress(muster: Muster) -> Ran:
    """While they run, as JSON."""
    return rehearsed(muster, "--deep-checks", "in-progress", "--json")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("hyperpod-p5", "--deep-checks", "pased"),
            "'pased' is not a value; did you mean 'passed'? (values: simulated, ",
        ),
        (
            ("p5-odcr", "--deep-checks", "passed"),
            "no group of p5-odcr has hyperpod.deep-health-checks; leave out the option",
        ),
    ],
)
def test_a_way_that_there_is_not_is_told_before_anything_runs(
    muster: Muster, arguments: tuple[str, ...], words: str
) -> None:
    """Also where no group has any checks."""
    ran = muster.judged("rehearse", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
