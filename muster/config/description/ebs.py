"""EBS volumes, and those of ParallelCluster: root volumes, and volumes that the head node shares with all nodes. These
are encrypted, and may be written as their size alone.

Their limits are those of 3.16.1 (`ebs_validators.py`), which are lower than EBS's own.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, StrictInt, model_validator

from muster.config.description.base import (
    NO_BOOL_OR_FLOAT,
    Change,
    OnDestroy,
    StrictModel,
    also_drawn,
    fault_at,
    key,
    optional,
)
from muster.config.identifiers import VolumeId
from muster.size import Size, whole_gib_within

GP3_IOPS = 3000
"""The IOPS that every gp3 volume includes, which is also the least that you can request. The same holds for its
throughput."""
GP3_MIBPS = 125
_IOPS_PER_MIBPS = 4


class Volume(StrictModel):
    """A volume whose IOPS and throughput fit its type and its size: gp3, where it has no key for the type."""

    iops_of: ClassVar[Mapping[str, tuple[int, int, int]]]
    """Type -> the least and the most IOPS, and the most for each GiB (EBS user guide)."""

    if TYPE_CHECKING:
        size: Size
        iops: int | None
        throughput: int | None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        """Raises a fault at the first key that goes beyond what the type gives."""
        for fault in self._faults(getattr(self, "type", "gp3")):
            raise fault_at(*fault)
        return self

    def _faults(self, kind: str) -> Iterator[tuple[str, str, str]]:
        least, most, for_each = self.iops_of.get(kind, (0, 0, 0))
        iops, most = self.iops or least, min(most, max(least, self.size.gib * for_each))
        if self.iops is not None and not most:
            yield "iops", f"IOPS of a {kind} volume cannot be set", "remove it, or set type: io2"
        elif not least <= iops <= most:
            yield "iops", f"a {kind} volume of {self.size} cannot have {iops} IOPS", f"write {least} to {most}"
        if self.throughput is None:
            return
        if kind != "gp3":
            yield "throughput", f"the throughput of a {kind} volume cannot be set", "remove it"
        if (need := self.throughput * _IOPS_PER_MIBPS) > iops:
            remedy = f"write iops: {need}, or a throughput of at most {iops // _IOPS_PER_MIBPS}"
            yield "throughput", f"{self.throughput} MiB/s need {need} IOPS, but the volume has {iops}", remedy


VolumeType = Literal["gp3", "gp2", "io1", "io2"]

_LARGEST = Size(16 * 1024 * 1024)
_SMALLEST_ROOT = Size(40 * 1024)
"""The images of ParallelCluster have 40 GiB (`get_default_volume_size`: the size of the image is the minimum)."""
_SMALLEST_SHARED = Size(6 * 1024)
"""ParallelCluster requests 3000 IOPS for every gp3 volume, and refuses more than 500 for each GiB
(`EbsVolumeIopsValidator`)."""
_DEFAULT = Size(200 * 1024)
_TYPE_TEXT = "Type: gp3, gp2, io1 or io2. Default: gp3."
_IOPS_TEXT = (
    "IOPS: of gp3, 3000 to 16000, and at most 500 for each GiB; of io1 and io2, from 100. Default: the least number."
)
_THROUGHPUT_TEXT = "Throughput of gp3 in MiB/s, 125 to 1000. Each MiB/s needs 4 IOPS. Default: 125, as gp3 includes."

RootSize = Annotated[Size, AfterValidator(whole_gib_within(_SMALLEST_ROOT, _LARGEST, "a root volume"))]
SharedSize = Annotated[Size, AfterValidator(whole_gib_within(_SMALLEST_SHARED, _LARGEST, "a volume"))]


class RootVolume(Volume):
    """The root volume of a node."""

    iops_of: ClassVar = {"gp3": (GP3_IOPS, 16_000, 500), "io1": (100, 64_000, 50), "io2": (100, 256_000, 1000)}

    size: RootSize = key("Size in whole GiB. Default: 200GiB.", Change.DRAINS, default=_DEFAULT)
    type: VolumeType = key(_TYPE_TEXT, Change.DRAINS, default="gp3")
    iops: StrictInt | None = optional(_IOPS_TEXT, Change.DRAINS)
    throughput: StrictInt | None = optional(_THROUGHPUT_TEXT, Change.DRAINS, ge=GP3_MIBPS, le=1000)

    @model_validator(mode="before")
    @classmethod
    def _of_a_size(cls, value: Any) -> Any:
        return value if isinstance(value, dict | RootVolume) else {"size": value}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        """The block, or its size alone."""
        drawn = handler.resolve_ref_schema(handler(schema))
        size = drawn["properties"]["size"]
        also_drawn(drawn, {name: size[name] for name in ("type", "pattern", "$ref") if name in size})
        return drawn


class SharedVolume(RootVolume):
    """A volume of the head node, which exports it to all nodes."""

    size: SharedSize = key("Size in whole GiB. Default: 200GiB.", Change.REFUSED, default=_DEFAULT)
    type: VolumeType = key(_TYPE_TEXT, Change.REFUSED, default="gp3")
    iops: StrictInt | None = optional(_IOPS_TEXT, Change.IN_PLACE)
    throughput: StrictInt | None = optional(_THROUGHPUT_TEXT, Change.IN_PLACE, ge=GP3_MIBPS, le=1000)


class Raid(StrictModel):
    """Several equal volumes that form one (`Raid`)."""

    level: Annotated[Literal[0, 1], NO_BOOL_OR_FLOAT] = key(
        "0 stripes the data, for speed; 1 mirrors it (`Raid.Type`).", Change.REFUSED
    )
    volumes: StrictInt = key("Number of volumes, 2 to 5. Default: 2.", Change.REFUSED, default=2, ge=2, le=5)


class Ebs(SharedVolume):
    """A volume of EBS that ParallelCluster creates. The head node exports it to all nodes."""

    raid: Raid | None = optional(
        "RAID array of volumes, each with these settings. Default: none, one volume.", Change.REFUSED
    )
    on_destroy: OnDestroy = key(
        "keep: the volume stays when you remove it here, or delete the cluster. delete: ParallelCluster deletes it "
        "then. Default: keep.",
        Change.IN_PLACE,
        default=OnDestroy.KEEP,
    )


class ExistingEbs(StrictModel):
    """An existing volume of EBS, in the zone of the head node, which exports it to all nodes."""

    id: VolumeId = key("Id of the volume, as in vol-0123456789abcdef0.", Change.REFUSED)
