"""Reference training jobs, sized from the blueprint: every number in a manifest follows from what the nodes offer.

Pure: nothing here imports pulumi, reads a file or the clock.
"""

from muster.jobs.catalogue import JOBS, Job, UnknownJob, job_of
from muster.jobs.fit import DoesNotFit

__all__ = ["JOBS", "DoesNotFit", "Job", "UnknownJob", "job_of"]
