"""However a rehearsal ends, it leaves nothing behind."""

import random
import signal
from pathlib import Path

import pytest

from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.machine_limits import ComponentDied
from tests.rehearsal.leftovers import left, processes
from tests.rehearsal.victims import a_victim, signalled

pytestmark = [
    pytest.mark.rehearsal,
    pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="looks for processes in /proc"),
]

LONGEST = 18.0
"""Seconds: beyond a whole rehearsal, into the next."""


VICTIM = "tests.rehearsal.victim"


SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
PHASES = 9


@pytest.mark.parametrize("phase", range(PHASES))
def test_killed_at_a_random_moment_of_each_phase(tmp_path: Path, phase: int):
    """By each signal in turn."""
    number = SIGNALS[phase % len(SIGNALS)]
    after = (phase + random.random()) * LONGEST / PHASES
    with a_victim(VICTIM, str(tmp_path), "rehearsals") as victim:
        signalled(victim, number, after)
    assert left(tmp_path) == [], f"{number.name} after {after:.2f} s"


def test_killed_once_it_is_up_it_leaves_nothing(tmp_path: Path):
    with a_victim(VICTIM, str(tmp_path), "plane") as victim:
        assert victim.stdout is not None
        assert victim.stdout.readline() == "up\n"
        assert len(processes(tmp_path)) == 16  # itself, the watchdog, and fourteen components
        victim.kill()
    assert left(tmp_path) == []


def test_a_rehearsal_without_its_watchdog_ends_and_leaves_nothing(tmp_path: Path):
    with ControlPlane(folder=tmp_path) as plane:
        plane._processes._watchdog.kill()
        with pytest.raises(ComponentDied, match="watchdog was killed"):
            plane.wait(10)
    assert left(tmp_path) == []
