"""Jobs as batch scripts of Slurm, for clusters on AWS ParallelCluster. One module a job, beside what they share.

What a job is (its image, its arguments, its environment) stands in the module of the same name one folder up; here is
what Slurm makes of it.
"""

from muster.jobs.slurm.batch_script import Script

__all__ = ["Script"]
