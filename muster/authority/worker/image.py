"""A build-image configuration by the package's own schema."""

from typing import Any

from marshmallow import ValidationError
from pcluster.schemas.imagebuilder_schema import ImageBuilderSchema

from muster.authority.worker.faults import faults_of


def image(configuration: dict[str, Any]) -> list[dict[str, Any]]:
    """What the schema says of a configuration for `pcluster build-image`; nothing where it takes it."""
    try:
        ImageBuilderSchema().load(configuration)
    except ValidationError as refused:
        return list(faults_of(refused.messages))
    return []
