"""Whether what a stack exports of a file system is enough to make another one like it."""

from collections.abc import Mapping

from muster.contract import StorageOutput


def is_complete(storage: StorageOutput, subnets: Mapping[str, str]) -> bool:
    """Whether the outputs say all that it takes to make another file system like this one; those of one that existed
    before do not, nor those of an older Muster.

    Args:
        storage: what is exported of it.
        subnets: zone -> private subnet, of the same stack.
    """
    said = (storage.type, storage.disk, storage.version, storage.security_group)
    return all(said) and storage.zone in subnets
