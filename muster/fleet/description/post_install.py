"""What is installed on nodes of ParallelCluster when they start (`CustomActions`)."""

import re
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StrictInt, model_validator

from muster.fleet.description.once import each_once
from muster.fleet.description.part import Change, Part, field

_SCRIPT = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/[^\s]+|https://[^\s/]+/[^\s]+")


def _address(value: str) -> str:
    if not _SCRIPT.fullmatch(value):
        raise ValueError(f"'{value}' is not a script's address; write s3://BUCKET/KEY or https://HOST/PATH")
    return value


ScriptAddress = Annotated[str, AfterValidator(_address), Field(json_schema_extra={"pattern": f"^({_SCRIPT.pattern})$"})]


DEFAULT_TIMEOUT_MINUTES = 35
"""`NODE_BOOTSTRAP_TIMEOUT` of 3.16.1."""


class Software(StrEnum):
    """What AWS's own post-install scripts install (aws-samples/aws-parallelcluster-post-install-scripts)."""

    DOCKER = "docker"
    PYXIS = "pyxis"
    """Pyxis and Enroot: containers as `srun --container-image` runs them."""


class OwnScript(Part):
    """A script of your own."""

    at: ScriptAddress = field(
        "Where it is: s3://BUCKET/KEY (nodes then may read that key) or https://...", Change.DRAINS
    )
    arguments: tuple[str, ...] = field("Its arguments.", Change.DRAINS, default=())


class PostInstall(Part):
    """Scripts that run on a node when it has started and ParallelCluster has configured it; AWS's first, then yours.

    On the head node they run once, at creation: ParallelCluster refuses others later.
    """

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.install and not self.scripts:
            raise ValueError("neither install nor scripts is given; add one, or remove post-install")
        return self

    install: Annotated[tuple[Software, ...], AfterValidator(each_once)] = field(
        "docker, pyxis (with Enroot): by AWS's own scripts.", Change.DRAINS, default=()
    )
    scripts: tuple[OwnScript, ...] = field("Scripts of your own, in this order.", Change.DRAINS, default=())
    timeout_minutes: StrictInt = field(
        "How long a node may take until it is ready, scripts included; ParallelCluster's own 35 without it. The "
        "longest of all queues holds for each of them.",
        Change.IN_PLACE,
        default=DEFAULT_TIMEOUT_MINUTES,
        ge=1,
        le=12 * 60,
    )
