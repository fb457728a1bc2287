"""Jobs as batch scripts of Slurm, for clusters on AWS ParallelCluster. One module a job, beside what they share.

The module of the same name one folder up has what a job is (its image, its arguments, its environment); here is
what Slurm makes of it.
"""

from muster.jobs.slurm.batch_script import Script

__all__ = ["Script"]
