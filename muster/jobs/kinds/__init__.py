"""The kinds of jobs there are, and what each comes to in pods. One module a kind."""

from muster.jobs.kinds.catalogue import UnknownJobKind, is_job, pods_of, shape_of

__all__ = ["UnknownJobKind", "is_job", "pods_of", "shape_of"]
