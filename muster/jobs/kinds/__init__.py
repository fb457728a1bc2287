"""The kinds of jobs there are, and what each comes to in pods. One module a kind."""

from muster.jobs.kinds.catalogue import UnknownJobKind, current, is_job, objects_of, pods_of, shape_of

__all__ = ["UnknownJobKind", "current", "is_job", "objects_of", "pods_of", "shape_of"]
