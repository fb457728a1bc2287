"""S3 buckets: who reads them from outside."""

from dataclasses import dataclass, field
from typing import Generic

from muster.fleet.resources.place import Place, Ref
from muster.fleet.unknown import U

ANY_BUCKET = "muster:s3:Bucket"
"""Not a Pulumi type: a bucket of the program, whatever it holds. One with lifecycle scripts is a `LifecycleBundle`,
too, which has the bucket's own reference."""


@dataclass(frozen=True, slots=True)
class Bucket(Generic[U]):
    """One bucket."""

    ref: Ref
    place: Place = field(compare=False)
    blocked: bool | U = True
    """Whether all public access is blocked: S3's default since April 2023, until a program says something else."""
    acl: str | None | U = None
    """A canned access control list: ``private``, ``public-read``."""
    policy_for_all: bool | U = False
    """Whether its policy allows everybody something, and without a condition."""
    website: bool = False
    """Whether it hosts a website (S3 user guide, "Hosting a static website": its objects are public on purpose)."""
