"""Whether what a stack exports of a file system is enough to make another one like it."""

from collections.abc import Mapping

from muster.contract import StorageOutput


def is_complete(storage: StorageOutput, subnets: Mapping[str, str]) -> bool:
    """Whether the outputs have all settings that are needed to create an equal file system. The outputs of an existing
    file system, or of an older Muster, do not.

    Args:
        storage: the outputs of the file system.
        subnets: zone -> private subnet, of the same stack.
    """
    required = (storage.type, storage.disk, storage.version, storage.security_group)
    return all(required) and storage.zone in subnets
