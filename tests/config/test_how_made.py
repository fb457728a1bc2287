"""Whether outputs of a file system are enough to make another one like it."""

from typing import Any

import pytest

from muster.config.storage_outputs import is_complete
from muster.contract import StorageOutput

SAID: dict[str, Any] = {
    "fileSystem": "fs-0123456789abcdef0",
    "dnsName": "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
    "mountName": "a1b2cdef",
    "zone": "us-west-2a",
    "type": "PERSISTENT_2",
    "disk": "SSD",
    "version": "2.15",
    "securityGroup": "sg-0123456789abcdef0",
}
SUBNETS = {"us-west-2a": "subnet-0aaaaaaaaaaaaaaaa"}


def test_all_of_it_is_enough() -> None:
    """In a zone that has a private subnet."""
    assert is_complete(StorageOutput.model_validate(SAID), SUBNETS)
    assert not is_complete(StorageOutput.model_validate(SAID), {})
    assert not is_complete(StorageOutput.model_validate({**SAID, "zone": "us-west-2b"}), SUBNETS)


@pytest.mark.parametrize("key", ["zone", "type", "disk", "version", "securityGroup"])
def test_without_any_of_these_it_is_not(key: str) -> None:
    """Those of a file system that existed before, and of an older Muster, lack some."""
    assert not is_complete(StorageOutput.model_validate({**SAID, key: None}), SUBNETS)
