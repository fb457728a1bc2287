"""Causes in the claims that a pod mounts."""

from muster.rehearsal.outcome import Cause

CLAIM_MISSING = "claim-missing"


def claim_cause(reason: str) -> Cause | None:
    """The cause in the claims that it mounts; None where the scheduler's message is not about them."""
    if "persistentvolumeclaim" in reason and "not found" in reason:
        return Cause(
            CLAIM_MISSING,
            "it mounts a PersistentVolumeClaim that does not exist",
            "create the claim before the job; in a rehearsal put it into the job's file",
        )
    if "unbound immediate PersistentVolumeClaims" in reason or "find available persistent volumes" in reason:
        return Cause(
            "claim-unbound",
            "it mounts a PersistentVolumeClaim that is bound to no volume",
            "put a PersistentVolume that the claim fits (class, access modes, size) into the job's file",
        )
    return None
