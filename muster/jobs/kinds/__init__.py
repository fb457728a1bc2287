"""The kinds of jobs there are, and what each comes to in pods. One module a kind."""

from muster.jobs.kinds.catalogue import UnknownJobKind, current_version, is_job, pods_of, roles_of

__all__ = ["UnknownJobKind", "current_version", "is_job", "pods_of", "roles_of"]
