"""The nodes of a Slurm cluster on AWS PCS: queues with their compute node groups, and groups of login nodes."""

import re
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field


class ClusterSize(StrEnum):
    """The size of the controller (PCS API reference, CreateCluster, size)."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"

    @property
    def nodes(self) -> int:
        """The maximum number of nodes that Slurm manages."""
        return {"small": 32, "medium": 512, "large": 2048}[self.value]

    @property
    def jobs(self) -> int:
        """The maximum number of active and queued jobs."""
        return {"small": 256, "medium": 8192, "large": 16384}[self.value]


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{2,24}")


def _pcs_name(value: str) -> str:
    """The pattern of PCS for names of groups and queues (botocore, `ComputeNodeGroupName` and `QueueName`). The pattern
    also excludes `pcs_`, which contains a character that no name has."""
    if not _NAME.fullmatch(value):
        raise ValueError(
            f"'{value}' is not a valid name; use 3 to 25 letters, digits and -, with a letter first (AWS PCS)"
        )
    return value


PcsName = Annotated[
    str,
    AfterValidator(_pcs_name),
    Field(json_schema_extra={"pattern": f"^{_NAME.pattern}$", "minLength": 3, "maxLength": 25}),
]


_CLUSTER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{2,39}")


def _cluster_name(value: str) -> str:
    """The pattern of PCS (botocore, `ClusterName`)."""
    if not _CLUSTER_NAME.fullmatch(value):
        raise ValueError(
            f"'{value}' is not a valid name; use 3 to 40 letters, digits and -, with a letter first (AWS PCS)"
        )
    return value


PcsClusterName = Annotated[
    str, AfterValidator(_cluster_name), Field(json_schema_extra={"pattern": f"^{_CLUSTER_NAME.pattern}$"})
]
