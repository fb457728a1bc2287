"""Claims for volumes that keep a pod waiting."""

from muster.rehearsal.outcome import Cause

CLAIM_MISSING = "claim-missing"


def claim_cause(reason: str) -> Cause | None:
    """What is wrong with the claims it mounts; None where the scheduler's words are not about them."""
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
