"""Jobs as batch scripts of Slurm, for clusters on AWS ParallelCluster. One module per job, besides shared ones.

The module with the same name in the folder above defines the job (its image, its arguments, its environment). The
modules here adapt it to Slurm.
"""

from muster.jobs.slurm.batch_script import Script

__all__ = ["Script"]
