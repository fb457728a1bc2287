"""EBS volumes of ParallelCluster: root volumes, and volumes that the head node shares with all nodes. Each is
encrypted, and may be written as its size alone.

The limits are those of 3.16.1 (`ebs_validators.py`), which are lower than EBS's own.
"""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, StrictInt, model_validator

from muster.config.description.base import NO_BOOL_OR_FLOAT, Change, OnDestroy, StrictModel, also_drawn, fault_at, key
from muster.config.description.node_settings import GP3_IOPS, GP3_MIBPS, speed_faults
from muster.config.identifiers import VolumeId
from muster.size import Size, whole_gib_within

VolumeType = Literal["gp3", "gp2", "io1", "io2", "st1", "sc1", "standard"]

_LARGEST = Size(16 * 1024 * 1024)
_SMALLEST_ROOT = Size(40 * 1024)
"""The images of ParallelCluster have 40 GiB (`get_default_volume_size`: the size of the image is the minimum)."""
_SMALLEST_SHARED = Size(6 * 1024)
"""ParallelCluster requests 3000 IOPS for every gp3 volume, and refuses more than 500 for each GiB
(`EbsVolumeIopsValidator`)."""
_GIB = {"st1": (500, 16384), "sc1": (500, 16384), "standard": (1, 1024)}
"""Type -> its least and its greatest size, where they are narrower."""
_IOPS = {"gp3": (GP3_IOPS, 16_000, 500), "io1": (100, 64_000, 50), "io2": (100, 256_000, 1000)}
"""Type -> the least and the most IOPS, and the most for each GiB."""
_NO_BOOT = ("st1", "sc1")
_DEFAULT = Size(200 * 1024)
_TYPE_TEXT = "Type: gp3, gp2, io1, io2, st1, sc1 or standard. Default: gp3."
_IOPS_TEXT = (
    "IOPS: of gp3, 3000 to 16000, and at most 500 for each GiB; of io1 and io2, from 100. Default: the least number."
)
_THROUGHPUT_TEXT = "Throughput of gp3 in MiB/s, 125 to 1000. Each MiB/s needs 4 IOPS. Default: 125, as gp3 includes."

RootSize = Annotated[Size, AfterValidator(whole_gib_within(_SMALLEST_ROOT, _LARGEST, "a root volume"))]
SharedSize = Annotated[Size, AfterValidator(whole_gib_within(_SMALLEST_SHARED, _LARGEST, "a volume"))]


class RootVolume(StrictModel):
    """The root volume of a node."""

    boots: ClassVar[bool] = True
    """Whether instances start from it, which the types of hard disks cannot (EBS user guide, "Volume types")."""

    size: RootSize = key("Size in whole GiB. Default: 200GiB.", Change.DRAINS, default=_DEFAULT)
    type: VolumeType = key(_TYPE_TEXT, Change.DRAINS, default="gp3")
    iops: StrictInt | None = key(_IOPS_TEXT, Change.DRAINS, default=None)
    throughput: StrictInt | None = key(_THROUGHPUT_TEXT, Change.DRAINS, default=None, ge=GP3_MIBPS, le=1000)

    @model_validator(mode="before")
    @classmethod
    def _of_a_size(cls, value: Any) -> Any:
        return value if isinstance(value, dict | RootVolume) else {"size": value}

    @model_validator(mode="after")
    def _of_its_type(self) -> Self:
        """Raises a fault at the first key that goes beyond what the type gives."""
        for fault in self._faults():
            raise fault_at(*fault)
        return self

    def _faults(self) -> Iterator[tuple[str, str, str]]:
        kind, size = self.type, self.size.gib
        if self.boots and kind in _NO_BOOT:
            yield "type", f"instances cannot start from a volume of {kind}", "write gp3, gp2, io1 or io2"
        smallest, largest = _GIB.get(self.type, (size, size))
        if not smallest <= size <= largest:
            yield "size", f"a {kind} volume cannot have {self.size}", f"write {smallest}GiB to {largest}GiB"
        least, most, for_each = _IOPS.get(self.type, (0, 0, 0))
        if self.iops is not None and not most:
            yield "iops", f"IOPS of a {kind} volume cannot be set", "remove it, or set type: io2"
        if self.throughput is not None and kind != "gp3":
            yield "throughput", f"the throughput of a {kind} volume cannot be set", "remove it"
        within = (least, min(most, size * for_each))
        yield from speed_faults(kind, self.size, self.iops or least, within, self.throughput)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        """The block, or its size alone."""
        drawn = handler.resolve_ref_schema(handler(schema))
        size = drawn["properties"]["size"]
        also_drawn(drawn, {name: size[name] for name in ("type", "pattern", "$ref") if name in size})
        return drawn


class SharedVolume(RootVolume):
    """A volume of the head node, which exports it to all nodes."""

    boots: ClassVar[bool] = False

    size: SharedSize = key("Size in whole GiB. Default: 200GiB.", Change.REFUSED, default=_DEFAULT)
    type: VolumeType = key(_TYPE_TEXT, Change.REFUSED, default="gp3")
    iops: StrictInt | None = key(_IOPS_TEXT, Change.IN_PLACE, default=None)
    throughput: StrictInt | None = key(_THROUGHPUT_TEXT, Change.IN_PLACE, default=None, ge=GP3_MIBPS, le=1000)


class Raid(StrictModel):
    """Several equal volumes that form one (`Raid`)."""

    level: Annotated[Literal[0, 1], NO_BOOL_OR_FLOAT] = key(
        "0 stripes the data, for speed; 1 mirrors it (`Raid.Type`).", Change.REFUSED
    )
    volumes: StrictInt = key("Number of volumes, 2 to 5. Default: 2.", Change.REFUSED, default=2, ge=2, le=5)


class Ebs(SharedVolume):
    """A volume of EBS that ParallelCluster creates. The head node exports it to all nodes."""

    raid: Raid | None = key(
        "RAID array of volumes, each with these settings. Default: none, one volume.", Change.REFUSED, default=None
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
