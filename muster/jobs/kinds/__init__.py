"""The supported kinds of jobs, and the pods of each. One module per kind."""

from muster.jobs.kinds.catalogue import UnknownJobKind, is_job, pods_of, roles_of

__all__ = ["UnknownJobKind", "is_job", "pods_of", "roles_of"]
