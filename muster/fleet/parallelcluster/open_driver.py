"""Which GPUs the open driver knows, which ParallelCluster's own images have."""

_BEFORE_TURING = frozenset({"g2", "g3", "g3s", "p2", "p3", "p3dn"})
"""`NVIDIA_OPENRM_UNSUPPORTED_INSTANCE_TYPES` of 3.16.1."""


def knows(instance: str) -> bool:
    """Whether the GPUs of a type, if it has any, are of Turing or newer."""
    return instance.partition(".")[0] not in _BEFORE_TURING
