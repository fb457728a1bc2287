"""The scripts that HyperPod runs on a new instance."""

from typing import ClassVar, Self

from pydantic import model_validator

from muster.fleet.description.identifiers import LifecycleBucket, ScriptName
from muster.fleet.description.part import Change, Choice, Nothing, Part, exactly_one, field


class OwnScripts(Part):
    """Scripts of your own, in S3 already."""

    @model_validator(mode="after")
    def _one_entry(self) -> Self:
        exactly_one(self, "on_create", "on_init_complete")
        return self

    at: LifecycleBucket = field(
        "The folder in S3: s3://BUCKET/FOLDER. Muster lets the instances' role read the bucket", Change.NEXT_LAUNCH
    )
    on_create: ScriptName | None = field(
        "The script that sets up a new instance, in HyperPod's place.", Change.NEXT_LAUNCH, default=None
    )
    on_init_complete: ScriptName | None = field(
        "The script that runs when HyperPod has set up a new instance itself.", Change.NEXT_LAUNCH, default=None
    )


class Lifecycle(Choice):
    """Whose scripts run on a new instance."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"default", "none"})

    default: Nothing | None = field(
        "Muster's: they set aside huge pages, and have containers on the group's `volume`. Muster makes their bucket.",
        Change.NEXT_LAUNCH,
        default=None,
    )
    own: OwnScripts | None = field("Yours, from a bucket that exists.", Change.NEXT_LAUNCH, default=None)
    none: Nothing | None = field(
        "None: HyperPod's own set-up alone. Nothing sets aside huge pages then.", Change.NEXT_LAUNCH, default=None
    )
