"""Training jobs: the reference ones, sized from the blueprint, and what any job comes to in pods.

Pure: nothing here imports pulumi, reads a file or the clock.
"""

from muster.jobs.ask import Ask
from muster.jobs.catalogue import JOBS, Job, UnknownJob, first_fitting, job_of
from muster.jobs.fit import DoesNotFit

__all__ = ["JOBS", "Ask", "DoesNotFit", "Job", "UnknownJob", "first_fitting", "job_of"]
