"""The nodes of a Slurm cluster on AWS PCS: queues with their compute node groups, and groups of login nodes."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from muster.config.description.base import Form


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


def _name(longest: int) -> Form:
    example = f"training: 3 to {longest} letters, digits and -, with a letter first (AWS PCS)"
    return Form(f"[A-Za-z][A-Za-z0-9-]{{2,{longest - 1}}}", "a valid name", example)


PcsName = Annotated[str, _name(25), Field(json_schema_extra={"minLength": 3, "maxLength": 25})]
"""The pattern of PCS for names of groups and queues (botocore, `ComputeNodeGroupName` and `QueueName`). The pattern
also excludes `pcs_`, which contains a character that no name has."""
PcsClusterName = Annotated[str, _name(40)]
"""The pattern of PCS (botocore, `ClusterName`)."""
