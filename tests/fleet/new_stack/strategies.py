"""Random choices for a new stack."""

from datetime import date, timedelta

from hypothesis import strategies as st

from muster.cli.init.choices import (
    AnyNetwork,
    Backend,
    CapacityKind,
    CapacitySource,
    Choices,
    ExistingNetwork,
    NewNetwork,
    ReservedCapacity,
)
from muster.hardware.catalogue import hardware
from tests.strategies import REGIONS, USABLE, made_up

AS_OF = date(2026, 11, 22)

ANYTHING = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
"""What a person may have called something, or AWS may say: line breaks, quotes, hashes."""

names = st.from_regex(r"[a-z][a-z0-9-]{0,20}[a-z0-9]", fullmatch=True)


@st.composite
def choices(draw: st.DrawFn) -> Choices:
    """Any that `muster init` could come to."""
    backend = draw(st.sampled_from(Backend))
    region = draw(st.sampled_from(sorted(REGIONS)))
    zones = draw(st.permutations([f"{region}{letter}" for letter in "abcd"]))[: draw(st.integers(2, 3))]
    zones = zones if backend.has_kubernetes else zones[:1]
    held = draw(_held(backend, zones[0]))
    return Choices(
        stack=draw(names),
        backend=backend,
        region=region,
        reserved=held,
        network=draw(_network(region, tuple(zones))),
        nodes=draw(st.integers(1, held.count)),
        as_of=AS_OF,
        why_region=draw(ANYTHING),
        why_nodes=draw(ANYTHING),
        api_from=draw(st.sampled_from([(), ("8.8.8.0/24",)])) if backend.has_kubernetes else (),
        system_zone=draw(st.sampled_from(["", zones[-1]])),
        account=draw(st.sampled_from(["", "210987654321"])),
    )


@st.composite
def _held(draw: st.DrawFn, backend: Backend, zone: str) -> ReservedCapacity:
    kinds = (
        [CapacityKind.TRAINING_PLAN] if backend.in_hyperpod else [CapacityKind.RESERVATION, CapacityKind.CAPACITY_BLOCK]
    )
    kind = draw(st.sampled_from(kinds))
    starts = AS_OF + timedelta(days=draw(st.integers(-20, 40)))
    arn = f"arn:aws:sagemaker:{zone[:-1]}:210987654321:training-plan/{draw(names)}"
    of_hyperpod = [name for name in USABLE if hardware(name).hyperpod]
    return ReservedCapacity(
        kind=kind,
        id=arn if kind is CapacityKind.TRAINING_PLAN else made_up("cr", draw(st.integers(0, 9999))),
        instance=draw(st.sampled_from(of_hyperpod if backend.in_hyperpod else list(USABLE))),
        zone=zone,
        zone_id=draw(st.sampled_from([None, "usw2-az1"])),
        count=draw(st.integers(1, 64)),
        starts=starts if kind is CapacityKind.CAPACITY_BLOCK else None,
        ends=starts + timedelta(days=14) if kind is CapacityKind.CAPACITY_BLOCK else None,
        begun=draw(st.booleans()),
        placement_group=draw(st.none() | ANYTHING.filter(bool)),
        owner=draw(st.none() | ANYTHING),
        source=draw(st.sampled_from(CapacitySource)),
    )


@st.composite
def _network(draw: st.DrawFn, region: str, zones: tuple[str, ...]) -> AnyNetwork:
    ids = {each: f"{REGIONS[region]}-az{number}" for number, each in enumerate(zones, start=4)}
    ids = draw(st.sampled_from([{}, ids]))
    why = draw(ANYTHING)
    if draw(st.booleans()):
        return NewNetwork(draw(st.sampled_from(["10.0.0.0/16", "10.7.0.0/16"])), zones, why, why, why, ids)
    subnets = {each: made_up("subnet", number) for number, each in enumerate(zones)}
    public = {each: made_up("subnet", 10 + number) for number, each in enumerate(zones)}
    public = draw(st.sampled_from([{}, public]))
    return ExistingNetwork(made_up("vpc", 1), subnets, public, why, dict.fromkeys(zones, why), ids)
