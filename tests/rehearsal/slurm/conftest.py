"""Where a real Slurm runs."""

import pytest

from muster.rehearsal.slurm import controller


@pytest.fixture
def slurm() -> None:
    """Slurm's programs are there; what needs them is skipped, with the reason, where they are not."""
    if lacking := controller.missing_programs():
        pytest.skip(f"SKIPPED: {lacking}")
