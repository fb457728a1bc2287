"""Where a real Slurm runs."""

import pytest

from muster.rehearsal.slurm import programs


@pytest.fixture
def slurm() -> None:
    """Slurm's programs are there; what needs them is skipped, with the reason, where they are not."""
    if lacking := programs.missing_programs():
        pytest.skip(f"SKIPPED: {lacking}")
