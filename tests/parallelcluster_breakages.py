"""Ways to break a legal cluster on ParallelCluster, each named, with the one rule and the places that it must yield."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from hypothesis import strategies as st

from tests.factories import DROP
from tests.slurm_strategies import (
    BEFORE_TURING,
    NEURON,
    OF_PARALLELCLUSTER,
    QUEUE,
    SINCE_TURING,
    WantedSlurm,
    legal_slurm,
    observed,
)
from tests.strategies import IN_BLOCKS, WORKERS, Described, Kind, made_up

TRAIN = f"queues.{QUEUE}"
GROUP = f"{TRAIN}.groups.{WORKERS}"

Edits = Mapping[str, Any]


def _nothing(described: Described) -> Described:
    return described


def _wanted(**said: Any) -> WantedSlurm:
    return WantedSlurm(alone=True, **said)


_ALONE = _wanted()
"""No queues and groups beside the workers: they would be broken, too."""


@dataclass(frozen=True)
class Breakage:
    """One way to break a description, and the rule that names it."""

    rule: str
    places: tuple[str, ...]
    edits: Edits = field(default_factory=dict)
    """What is said instead; `ZONE` stands for the workers' zone, `OTHER` for another one."""
    wanted: WantedSlurm = _ALONE
    learn: Callable[[Described], Described] = _nothing
    """What AWS says instead."""
    also: frozenset[tuple[str, str]] = frozenset()
    """What else cannot but be wrong, by rule and place."""


def _fact(kind: str, id_: str, **said: Any) -> Callable[[Described], Described]:
    return lambda described: described.learn(kind, id_, **said)


IMAGE = made_up("ami", 1)
LUSTRE = {"lustre": {"size": "4800GiB", "throughput": 250}}
EXISTING = {"id": "fs-0123456789abcdef0", "mount-name": "fsx"}
BLOCK = "parallelcluster-block-fixed"


class BrokenSlurm(Enum):
    """The ways."""

    NO_IMAGE_OF_ROCKY = Breakage(
        "parallelcluster-image-made-for-os",
        ("os",),
        {"os": "rocky9", "image": DROP},
        _wanted(types=SINCE_TURING, oses=("rocky9",)),
    )
    IMAGE_OF_AN_OLDER_VERSION = Breakage(
        "parallelcluster-image-of-version",
        ("image",),
        wanted=_wanted(image=True, facts=True),
        learn=_fact("images", IMAGE, parallelclusterVersion="3.15.0"),
    )
    IMAGE_OF_ANOTHER_OS = Breakage(
        "parallelcluster-image-of-version",
        ("image",),
        wanted=_wanted(image=True, facts=True, oses=OF_PARALLELCLUSTER),
        learn=_fact("images", IMAGE, os="rocky9"),
    )
    HEAD_THAT_TAKES_AN_HOUR = Breakage(
        "parallelcluster-head-ready-in-time",
        ("head.post-install.timeout-minutes",),
        {"head.post-install": {"scripts": [{"at": "https://example.com/a.sh"}], "timeout-minutes": 60}},
    )
    NODES_THAT_ALL_TAKE_AN_HOUR = Breakage(
        "parallelcluster-head-ready-in-time",
        ("post-install.timeout-minutes",),
        {
            "head.post-install": DROP,
            "post-install": {"scripts": [{"at": "https://example.com/a.sh"}], "timeout-minutes": 60},
        },
    )
    BLOCK_OF_FEWER_AT_LEAST = Breakage(
        BLOCK,
        (f"{GROUP}.nodes",),
        {f"{GROUP}.nodes": {"min": 0, "max": 1}},
        _wanted(kinds=(Kind.CAPACITY_BLOCK,), types=IN_BLOCKS),
    )
    TWO_ZONES = Breakage(
        "parallelcluster-queue-one-subnet",
        (f"{TRAIN}.zones",),
        {f"{TRAIN}.zones": ["ZONE", "OTHER"]},
        _wanted(zones=2, efa=False, kinds=(Kind.SPOT,)),
    )
    NO_NEURON_DRIVER = Breakage(
        "parallelcluster-neuron-software",
        (f"{GROUP}.instance",),
        {},
        _wanted(types=NEURON, image=False, oses=OF_PARALLELCLUSTER),
    )
    NO_DRIVER_FOR_OLD_GPUS = Breakage(
        "parallelcluster-image-drives-type",
        (f"{GROUP}.instance",),
        {"image": DROP},
        _wanted(types=BEFORE_TURING, oses=OF_PARALLELCLUSTER, kinds=(Kind.ON_DEMAND,)),
    )


@st.composite
def broken_slurm(draw: st.DrawFn, how: BrokenSlurm) -> tuple[Described, set[tuple[str, str]]]:
    """A legal description broken in one way, and exactly what must be found: (rule, place)."""
    breakage = how.value
    legal = draw(legal_slurm(breakage.wanted))
    zones = legal.zones
    zone = legal.document["queues"][QUEUE].get("zones", zones)[0]
    other = next((each for each in zones if each != zone), zone)

    def said(value: Any) -> Any:
        if isinstance(value, list):
            return [said(each) for each in value]
        return {"ZONE": zone, "OTHER": other}.get(value, value) if isinstance(value, str) else value

    edited = legal.edit({place: said(value) for place, value in breakage.edits.items()})
    known = replace(edited, facts=observed(edited.document, edited.region) if legal.facts else {})
    return breakage.learn(known), {(breakage.rule, place) for place in breakage.places} | set(breakage.also)
