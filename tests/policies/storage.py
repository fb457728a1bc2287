"""File systems of FSx for Lustre with defaults."""

from typing import Any

from muster.fleet.resources import DataAssociation

DATA: dict[str, Any] = {"associations": (DataAssociation("/imagenet", "s3://data/imagenet"),)}
"""A link of a path to S3."""
