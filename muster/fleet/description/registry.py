"""The registry of training images."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from muster.fleet.description.on_destroy import OnDestroy
from muster.fleet.description.part import Change, Part, field

_REPOSITORY = re.compile(r"(?:[a-z0-9]+(?:[._-][a-z0-9]+)*/)*[a-z0-9]+(?:[._-][a-z0-9]+)*")
_LONGEST = 256


def _repository(value: str) -> str:
    if not _REPOSITORY.fullmatch(value) or not 1 < len(value) <= _LONGEST:
        raise ValueError(f"'{value}' is not the name of an ECR repository; write one like ml/training")
    return value


class Registry(Part):
    """An ECR repository. Nodes may pull from it, whoever builds images pushes."""

    repository: (
        Annotated[str, AfterValidator(_repository), Field(json_schema_extra={"pattern": f"^{_REPOSITORY.pattern}$"})]
        | None
    ) = field("Its name; the cluster's without it.", Change.REPLACES, default=None)
    on_destroy: OnDestroy = field(
        "keep: `destroy` stops while it exists, before it deletes anything (with --skip-preview only after all else). "
        "delete: it goes, with its images.",
        Change.IN_PLACE,
        default=OnDestroy.KEEP,
    )
