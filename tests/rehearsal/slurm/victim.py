"""`python -m tests.rehearsal.slurm.victim FOLDER`: rehearsals on Slurm, one after the other, until it is killed.

It says `up` once a job runs for the first time.
"""

import sys
import tempfile

from muster.rehearsal.slurm.batch_script import parse_script
from muster.rehearsal.slurm.job import SlurmJob
from muster.rehearsal.slurm.rehearsal import RehearsalRequest, rehearse
from tests.rehearsal.slurm.clusters import a_script
from tests.slurm_factories import a_slurm_blueprint


class Telling(SlurmJob):
    """Says when a job runs."""

    def end(self):  # type: ignore[no-untyped-def]
        """Just before it would end."""
        print("up", flush=True)
        return super().end()


def main(folder: str) -> None:
    """Goes on for ever."""
    from muster.rehearsal.slurm import rehearsal

    tempfile.tempdir = folder
    rehearsal.SlurmJob = Telling  # type: ignore[misc]
    while True:
        rehearse(RehearsalRequest(a_slurm_blueprint(), parse_script(a_script("--nodes=2")), "job", lost=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
