"""`muster rehearse` on HyperPod: how far its deep health checks are is said on the command line."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import Muster, Ran
from tests.rehearsal.clusters import a_hyperpod_job
from tests.stack_files import ROOT

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


def test_the_job_starts_once_the_checks_have_ended(muster: Muster) -> None:
    ran = rehearsed(muster)
    assert (ran.code, "simulated: the deep health checks end" in ran.out) == (0, True), ran.out + ran.err
