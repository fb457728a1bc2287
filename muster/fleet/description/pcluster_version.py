"""The version of ParallelCluster that a cluster is of: the description says it, never an upgrade of Muster.

It is part of what CloudFormation's stack goes by, so that another one is another cluster. Were it a constant of
Muster's, the first `up` of a newer Muster would take the cluster away, and /home and /apps with it.
"""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from muster.versions import PARALLELCLUSTER

MISSING = (
    "'version' is missing",
    f'write version: "{PARALLELCLUSTER}", the ParallelCluster that this Muster makes clusters of',
)
"""What is found, and the word to write."""

_REMEDY = (
    "keep a cluster that exists to the Muster that made it: of another version it would be made anew, and /home and "
    f'/apps would go; for a new cluster, in a stack and under a name of its own, write version: "{PARALLELCLUSTER}"'
)


def _of_this_muster(value: Any) -> Any:
    written = getattr(value, "text", value)
    if isinstance(value, bool) or not isinstance(value, str | int | float) or written == PARALLELCLUSTER:
        return value
    raise PydanticCustomError(
        "choice",
        "{got}; {remedy}",
        {
            "got": f"this Muster makes clusters of ParallelCluster {PARALLELCLUSTER} alone, and '{written}' is another",
            "remedy": _REMEDY,
        },
    )


ParallelClusterVersion = Annotated[
    str, BeforeValidator(_of_this_muster), Field(json_schema_extra={"enum": [PARALLELCLUSTER]})
]
