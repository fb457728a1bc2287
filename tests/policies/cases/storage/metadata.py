"""Metadata of file systems."""

from typing import Any


def provisioned(iops: Any, **more: Any) -> dict[str, Any]:
    return {"metadata_mode": "USER_PROVISIONED", "metadata_iops": iops, **more}
