"""However a rehearsal ends, it leaves nothing behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.machine_limits import ComponentDied
from tests.rehearsal.leftovers import left, processes

pytestmark = [
    pytest.mark.rehearsal,
    pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="looks for processes in /proc"),
]

VICTIM = """
import sys, time
from pathlib import Path
from muster.rehearsal.kubernetes import kueue
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from tests.factories import a_blueprint

jobs = ["PyTorchJob", "MPIJob", "TrainJob", "RayJob"]
configuration = kueue.configuration(a_blueprint())
with ControlPlane(jobs=jobs, schedulers=["volcano"], kueue=configuration, folder=Path(sys.argv[1])):
    print("up", flush=True)
    time.sleep(300)
"""


def test_killed_once_it_is_up_it_leaves_nothing(tmp_path: Path):
    command = [sys.executable, "-c", VICTIM, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        assert victim.stdout.readline() == "up\n"
        assert len(processes(tmp_path)) == 16  # itself, the watchdog, and fourteen components
        victim.kill()
    assert left(tmp_path) == []


def test_a_rehearsal_without_its_watchdog_ends_and_leaves_nothing(tmp_path: Path):
    with ControlPlane(folder=tmp_path) as plane:
        plane.processes._watchdog.kill()
        with pytest.raises(ComponentDied, match="watchdog was killed"):
            plane.processes.wait(10)
    assert left(tmp_path) == []
