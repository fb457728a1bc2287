"""Causes in the claims that a pod mounts."""

from muster.rehearsal.outcome import Cause

CLAIM_MISSING = "claim-missing"


def claim_cause(reason: str) -> Cause | None:
    """The cause in the claims that the pod mounts; None if the scheduler's message is not about them."""
    if "persistentvolumeclaim" in reason and "not found" in reason:
        return Cause(
            CLAIM_MISSING,
            "the pod mounts a PersistentVolumeClaim that does not exist",
            "create the claim before the job; for a rehearsal, put it into the job's file",
        )
    if "unbound immediate PersistentVolumeClaims" in reason or "find available persistent volumes" in reason:
        return Cause(
            "claim-unbound",
            "the pod mounts a PersistentVolumeClaim that is not bound to a volume",
            "put a PersistentVolume that matches the claim (class, access modes, size) into the job's file",
        )
    return None
