"""`muster init --from`: a copy of a stack, for other instances, another Region, or another account."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muster.cli.exits import WrongInput
from muster.cli.init_choosing import needed, network_of, region_of, see
from muster.cli.init_given import Given
from muster.cli.init_held import asking, assumed, find_held, misfit_of, nodes_of, tell

if TYPE_CHECKING:
    from muster.account.asking import Asker
    from muster.fleet.dotted import Path_
    from muster.fleet.new_stack.copied import Exchange
    from muster.fleet.new_stack.entry import Entries
    from muster.fleet.new_stack.held import Held
    from muster.fleet.stack_file import StackFile


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy's text, what was chosen for it, and who was asked: nobody offline."""

    text: str
    entries: "Entries"
    ask: "Asker | None" = None


@dataclass(frozen=True, slots=True)
class _Original:
    """The stack that is copied, and the group in it that gets the instances."""

    opened: "StackFile"
    text: str
    described: Any
    path: "Path_"
    """Of the group, below `muster:cluster`."""
    group: Any

    @property
    def zone(self) -> str:
        """Where the group is, the first zone of the network where it does not say."""
        held = getattr(self.group.capacity, "held", None)
        named = held.zone if held else getattr(self.group, "zone", None)
        network = self.described.network
        return str(named or next(iter(network.create.zones if network.create else network.existing.private)))


def copy(given: Given) -> Copy:
    """The copy.

    Raises:
        typer.Exit: the original has faults of form; they are told.
        WrongInput: it is no cluster's, has several groups, or does not take the instances.
    """
    from muster.fleet.new_stack.copied import Exchange, copied

    original = _original(given)
    region = region_of(given, original.opened.region)
    held, ask = _held(given, original, region)
    if given.api_from:
        raise WrongInput("--api-from is for stacks that are written anew; with --from change it in the file")
    if held is None:
        zones = _zones(original, region, ())
        return Copy(copied(original.text, Exchange(original.opened.stack, region, zones)), (), ask)
    _fits(original, held)
    exchange, ask = _exchange(given, original, region, held, ask)
    return Copy(copied(original.text, exchange), _entries(exchange), ask)


def _original(given: Given) -> _Original:
    from muster.cli.opening import description_of, open_stacks
    from muster.fleet.description import AddonsOf, SlurmCluster
    from muster.fleet.description.group_core import Purpose

    assert given.source is not None, "there is one to copy"
    try:
        opened = open_stacks([given.source])[0]
    except WrongInput as fault:
        if Path(given.source).suffix not in {".yaml", ".yml", ".json"}:
            raise
        raise WrongInput(f"--from takes a stack of stacks/, and no other file: {fault}") from None
    described = description_of(opened)
    if isinstance(described, AddonsOf):
        raise WrongInput(f"{opened.stack} has add-ons only; name the stack of a cluster ({described.addons_of})")
    if given.backend is not None and given.backend != described.backend:
        raise WrongInput(f"{opened.stack} is for {described.backend}; leave --backend away, or copy another stack")
    paths: dict[str, Path_] = {
        name: ("queues", described.queue_of(name), "groups", name)
        if isinstance(described, SlurmCluster)
        else ("groups", name)
        for name, group in described.groups.items()
        if group.purpose is Purpose.TRAINING
    }
    name = given.group or (next(iter(paths)) if len(paths) == 1 else None)
    if name not in paths and (given.held is not None or given.group is not None):
        known = ", ".join(paths) or "none"
        raise WrongInput(f"--group must say which training group of {opened.stack} gets the instances: {known}")
    name = name if name in paths else next(iter(described.groups))
    return _Original(opened, opened.document.text, described, paths.get(name, ()), described.groups[name])


def _held(given: Given, original: _Original, region: str) -> "tuple[Held | None, Asker | None]":
    from muster.fleet.new_stack.choices import Backend
    from muster.fleet.new_stack.held import Kind

    if given.held is None:
        return None, None
    if misfit := misfit_of(Backend(original.described.backend), Kind(given.held[0])):
        name, backend = original.opened.stack, original.described.backend
        raise WrongInput(f"{name} is for {backend}: {misfit}; copy a stack of another backend")
    if not given.offline:
        return find_held(given, region)
    zone = given.zone or _zones(original, region, ())[original.zone]
    instance = given.instance or original.group.instance
    count = given.nodes or original.group.nodes.max or 1
    return assumed(given, region, instance, zone, count), None


def _fits(original: _Original, held: "Held") -> None:
    """Whether the group's software is for such hardware."""
    from muster.fleet.hardware import UnknownInstance, hardware

    try:
        new, old = hardware(held.instance), hardware(original.group.instance)
    except UnknownInstance as fault:
        raise WrongInput(f"no stack can be made for {held.name}: {fault}") from None
    if new.accelerator is not old.accelerator:
        raise WrongInput(
            f"{original.opened.stack} is made for {old.instance}, and {held.name} holds {new.instance}, which has "
            "other accelerators; copy a stack for such ones, or leave --from away"
        )


def _exchange(
    given: Given, original: _Original, region: str, held: "Held", ask: "Asker | None"
) -> "tuple[Exchange, Asker | None]":
    from muster.fleet.new_stack.choices import Backend, Choices
    from muster.fleet.new_stack.copied import Exchange
    from muster.fleet.new_stack.networks import NewNetwork

    nodes, why = nodes_of(given, held) if ask else (held.count, "asked for with --nodes" if given.nodes else "assumed")
    if ask is None:
        zones = _zones(original, region, (held.zone,))
        return Exchange(original.opened.stack, region, zones, original.path, held, nodes, why_nodes=why), None
    backend = Backend(original.described.backend)
    trial = Choices(
        given.stack, backend, region, held, NewNetwork("10.0.0.0/16", (held.zone,)), nodes, given.as_of, "", why
    )
    need = needed(trial)
    with asking(given, region, ask) as asker:
        seen = see(asker, need, given.vpc)
    tell(seen.unanswered)
    network: Any = network_of(given, seen, need)
    zones = _zones(original, region, network.zones, sorted(seen.zones))
    kept = original.described.network.create is not None and given.vpc is None
    return (
        Exchange(
            original.opened.stack,
            region,
            zones,
            original.path,
            held,
            nodes,
            None if kept else network,
            seen.account,
            why,
        ),
        asker,
    )


def _zones(original: _Original, region: str, new: tuple[str, ...], known: "list[str] | None" = None) -> dict[str, str]:
    from muster.fleet.new_stack.copied import other_zones, zones_of

    return other_zones(zones_of(original.text), original.zone, region, new, known or [])


def _entries(exchange: "Exchange") -> "Entries":
    """What was chosen, for whoever wants to know why."""
    from muster.fleet.new_stack.capacity_entries import capacity_entries, why_instance
    from muster.fleet.new_stack.entry import Entry

    assert exchange.held is not None, "the copy is for some instances"
    inside: Entries = (
        Entry("instance", exchange.held.instance, why_instance(exchange.held)),
        Entry("nodes", exchange.nodes, exchange.why_nodes),
        Entry("capacity", (Entry(exchange.held.kind.value, capacity_entries(exchange.held)),)),
    )
    for step in reversed(exchange.group):
        inside = (Entry(str(step), inside),)
    network = (exchange.network_entry(exchange.network),) if exchange.network is not None else ()
    return (Entry("config", (Entry("muster:cluster", (*network, *inside)),)),)
