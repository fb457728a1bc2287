"""`muster init --from`: copies a stack's file for other instances, another Region or account, and drops comments that
are no longer true."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muster.cli.exits import WrongInput
from muster.cli.init.choices import AnyNetwork, Backend, CapacityKind, Choices, NewNetwork, ReservedCapacity
from muster.cli.init.options import InitOptions
from muster.cli.init.selection import (
    backend_mismatch,
    choose_network,
    choose_node_count,
    choose_region,
    find_capacity,
    list_networks,
    network_needs,
    offline_capacity,
    open_account_for_init,
    print_unanswered,
)
from muster.cli.init.stack_document import FOR_SLURM, capacity_entries, network_entry, why_instance
from muster.cli.init.yaml_editor import EditableYaml
from muster.cli.init.yaml_entries import Entries, Entry, Flow, yaml_scalar
from muster.cli.stacks import open_stacks, require_description
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.description.node_group import Purpose
from muster.config.identifiers import PLACEHOLDER, is_placeholder
from muster.config.stack_file import StackFile
from muster.finding import KeyPath
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.zones import ZONE_NAME, region_of

if TYPE_CHECKING:
    from muster.account.query_runner import QueryRunner


@dataclass(frozen=True, slots=True)
class CopiedStack:
    """A copy's text, the choices for it, and the query runner; None with --offline."""

    text: str
    entries: Entries
    ask: "QueryRunner | None" = None


@dataclass(frozen=True, slots=True)
class _Original:
    """The stack that is copied, and the group in it that gets the instances."""

    opened: StackFile
    text: str
    described: Any
    path: KeyPath
    """The path of the group, below `muster:cluster`."""
    group: Any

    @property
    def zone(self) -> str:
        """The group's zone; if it has none, the first zone of the network."""
        reserved = getattr(self.group.capacity, "held", None)
        named = reserved.zone if reserved else getattr(self.group, "zone", None)
        network = self.described.network
        return str(named or next(iter(network.create.zones if network.create else network.existing.private)))


def copy_stack(given: InitOptions) -> CopiedStack:
    """The copy.

    Raises:
        typer.Exit: the original has schema errors; they are printed.
        WrongInput: it has no cluster, has several groups, or does not fit the instances.
    """
    original = _original(given)
    region = choose_region(given, original.opened.region)
    reserved, ask = _find_capacity(given, original, region)
    if given.api_from:
        raise WrongInput("--api-from does not apply to --from; leave it out, and change api: in the copied file")
    if reserved is None:
        zones = _zones(original, region, ())
        return CopiedStack(copied_text(original.text, CopyChanges(original.opened.stack, region, zones)), (), ask)
    _fits(original, reserved)
    exchange, ask = _exchange(given, original, region, reserved, ask)
    return CopiedStack(copied_text(original.text, exchange), _entries(exchange), ask)


def _original(given: InitOptions) -> _Original:
    assert given.source is not None, "there is one to copy"
    try:
        opened = open_stacks([given.source])[0]
    except WrongInput as fault:
        if Path(given.source).suffix not in {".yaml", ".yml", ".json"}:
            raise
        raise WrongInput(f"--from accepts only stacks in stacks/, not other files: {fault}") from None
    described = require_description(opened)
    if isinstance(described, AddonsOf):
        raise WrongInput(f"{opened.stack} has only add-ons; give the stack of its cluster ({described.addons_of})")
    if given.backend is not None and given.backend != described.backend:
        raise WrongInput(f"{opened.stack} is for {described.backend}; leave out --backend, or copy another stack")
    paths: dict[str, KeyPath] = {
        name: described.group_path(name)
        for name, group in described.groups.items()
        if group.purpose is Purpose.TRAINING
    }
    name = given.group or (next(iter(paths)) if len(paths) == 1 else None)
    if name not in paths and (given.reserved is not None or given.group is not None):
        known = ", ".join(paths) or "none"
        raise WrongInput(f"set --group to the training group of {opened.stack} that gets the instances: {known}")
    name = name if name in paths else next(iter(described.groups))
    return _Original(opened, opened.document.text, described, paths.get(name, ()), described.groups[name])


def _find_capacity(
    given: InitOptions, original: _Original, region: str
) -> "tuple[ReservedCapacity | None, QueryRunner | None]":
    if given.reserved is None:
        return None, None
    if misfit := backend_mismatch(Backend(original.described.backend), CapacityKind(given.reserved[0])):
        name, backend = original.opened.stack, original.described.backend
        raise WrongInput(f"{name} is for {backend}: {misfit}; copy a stack of another backend")
    if not given.offline:
        return find_capacity(given, region)
    zone = given.zone or _zones(original, region, ())[original.zone]
    instance = given.instance or original.group.instance
    count = given.nodes or original.group.nodes.max or 1
    return offline_capacity(given, region, instance, zone, count), None


def _fits(original: _Original, reserved: ReservedCapacity) -> None:
    """Checks that the group's software supports the hardware."""
    try:
        new, old = hardware(reserved.instance), hardware(original.group.instance)
    except UnknownInstance as fault:
        raise WrongInput(f"Muster cannot create a stack for {reserved.name}: {fault}") from None
    if new.accelerator is not old.accelerator:
        raise WrongInput(
            f"{original.opened.stack} is for {old.instance}, but {reserved.name} holds {new.instance}, which has other "
            "accelerators; copy a stack for these accelerators, or leave out --from"
        )


def _exchange(
    given: InitOptions, original: _Original, region: str, reserved: ReservedCapacity, ask: "QueryRunner | None"
) -> "tuple[CopyChanges, QueryRunner | None]":
    nodes, why = (
        choose_node_count(given, reserved)
        if ask
        else (reserved.count, "given with --nodes" if given.nodes else "assumed")
    )
    if ask is None:
        zones = _zones(original, region, (reserved.zone,))
        return CopyChanges(original.opened.stack, region, zones, original.path, reserved, nodes, why_nodes=why), None
    backend = Backend(original.described.backend)
    trial = Choices(
        given.stack, backend, region, reserved, NewNetwork("10.0.0.0/16", (reserved.zone,)), nodes, given.as_of, "", why
    )
    need = network_needs(trial)
    with open_account_for_init(given, region, ask) as asker:
        seen = list_networks(asker, need, given.vpc)
    print_unanswered(seen.unanswered)
    network: Any = choose_network(given, seen, need)
    zones = _zones(original, region, network.zones, sorted(seen.zones))
    kept = original.described.network.create is not None and given.vpc is None
    return (
        CopyChanges(
            original.opened.stack,
            region,
            zones,
            original.path,
            reserved,
            nodes,
            None if kept else network,
            seen.account,
            why,
        ),
        asker,
    )


def _zones(original: _Original, region: str, new: tuple[str, ...], known: "list[str] | None" = None) -> dict[str, str]:

    return other_zones(zones_of(original.text), original.zone, region, new, known or [])


def _entries(exchange: "CopyChanges") -> Entries:
    """The choices and their reasons, for the output."""
    assert exchange.reserved is not None, "the copy is for some instances"
    of_backend = _of_backend(capacity_entries(exchange.reserved), exchange.group)
    inside: Entries = (
        Entry("instance", exchange.reserved.instance, why_instance(exchange.reserved)),
        Entry("nodes", exchange.nodes, exchange.why_nodes),
        Entry("capacity", (Entry(exchange.reserved.kind.value, of_backend),)),
    )
    for step in reversed(exchange.group):
        inside = (Entry(str(step), inside),)
    network = (exchange.network_entry(exchange.network),) if exchange.network is not None else ()
    return (Entry("config", (Entry("muster:cluster", (*network, *inside)),)),)


CLUSTER: KeyPath = ("config", "muster:cluster")

_KEYS_LEFT_OUT = ("name", "suppress", "addons-in")
"""Keys that a copy must not have: two clusters cannot have the same name, and a suppression applies to the original."""

_ID = re.compile(r"(vpc|subnet|sg|cr|ami|fs)-([0-9a-f]{17}|[0-9a-f]{8})|cb-[0-9A-Za-z]{8,40}")
_ACCOUNT = re.compile(r"(arn:aws[a-z-]*:[a-z0-9-]+:)([a-z0-9-]*):(\d{12}):")
_REGISTRY = re.compile(r"\b(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.")
_REPOSITORY = re.compile(r"arn:aws[a-z-]*:ecr:[a-z0-9-]*:(\d{12}):")
_DOCUMENTATION = "111122223333"
_ACCOUNTS: KeyPath = ("config", "aws:allowedAccountIds")

_NAMES = re.compile(
    r"(?<![a-z0-9-])(?:(?:vpc|subnet|sg|cr|ami|fs|cb)-[0-9A-Za-z-]+"
    r"|[a-z]{2}(?:-[a-z]+)+-\d[a-z]?(?![a-z0-9-])"
    r"|\d{12}(?!\d)"
    r"|(?:ml\.)?[a-z][a-z0-9-]*\.(?:\d*x?large|metal|medium)(?![a-z]))"
)
"""Names in a comment: ids, zones and Regions, accounts, instance types."""

_OWN_HEAD = re.compile(
    r"# Copied from stack [^\n`]* by `muster init`[^\n]*+"
    r"|# \d+ \S+ on a [^`]*?\. Written(?:\n#)? by(?:\n#)? `muster(?:\n#)? init`;[^.]*+\."
)
"""The comment that `muster init` writes at the top of a file. It is about that file, its account and its date."""


@dataclass(frozen=True, slots=True)
class CopyChanges:
    """The values that differ between the original and the copy."""

    original: str
    """The name of the original stack."""
    region: str
    zones: Mapping[str, str]
    """Zone of the original -> zone of the copy."""
    group: KeyPath = ()
    """The path, below `muster:cluster`, of the group that gets the instances."""
    reserved: ReservedCapacity | None = None
    nodes: int = 0
    network: AnyNetwork | None = None
    """The network that replaces the original's; None if only its zones differ."""
    account: str = ""
    """Only ARNs of this account and Region stay."""
    why_nodes: str = ""

    def network_entry(self, network: AnyNetwork) -> Entry:
        """The block `network` of the copy."""
        slurm = self.group[:1] == ("queues",)
        return network_entry(network, self.region, FOR_SLURM) if slurm else network_entry(network, self.region)


def copied_text(text: str, exchange: CopyChanges) -> str:
    """The text of the copy.

    Args:
        text: the text of a valid stack file.
        exchange: the values that differ.
    """
    copy = EditableYaml(_with_changes(text, exchange))
    gone = _named(EditableYaml(text)) - _named(copy)
    copy.forget_all(lambda comment: not gone.isdisjoint(_names(comment)))
    return _headed(copy.edited(), exchange.original)


def _named(text: EditableYaml) -> set[str]:
    return set[str]().union(*(_names(value) for _, value, _ in text.scalars()))


def _names(words: str) -> set[str]:
    """The names of resources, zones and Regions in a text; also the Region of each zone."""
    found = set(_NAMES.findall(words))
    return found | {region_of(each) for each in found if ZONE_NAME.fullmatch(each)}


def _with_changes(text: str, exchange: CopyChanges) -> str:
    """The text with all changes, and without the comments about changed values."""
    edits = EditableYaml(text)
    values = {path: value for path, value, is_key in edits.scalars() if not is_key}
    old_region = values.get(("config", "aws:region"), "")
    for path in _superfluous(edits):
        edits.remove(path)
    if exchange.reserved is not None:
        _capacity(edits, exchange, exchange.reserved)
    if exchange.network is not None:
        edits.put((*CLUSTER, "network"), (exchange.network_entry(exchange.network),))
    if exchange.account and edits.has(_ACCOUNTS):
        edits.put(_ACCOUNTS, (Entry(str(_ACCOUNTS[-1]), Flow([exchange.account])),))
    made: dict[str, str] = {}
    own = _own_accounts(values.items())
    for path, value, is_key in edits.scalars():
        other = _other(value, exchange, old_region, made, own, path, is_key=is_key)
        if other != value:
            edits.write(path, yaml_scalar(other), key=is_key)
            if path[:3] == (*CLUSTER, "network"):
                edits.forget(path[:3])
    return edits.edited()


def _own_accounts(values: Iterable[tuple[KeyPath, str]]) -> set[str]:
    """The original's own accounts: those of its ARNs, and those that it may be deployed to.

    The accounts of other registries, such as AWS's, are not included: every account uses images from them.
    """
    found: set[str] = set()
    for path, value in values:
        found.update(
            [value] if _is_account(path) else [each[2] for each in _ACCOUNT.findall(_REPOSITORY.sub("", value))]
        )
    return found


def _owners(value: str) -> list[str]:
    """The accounts of the registries in a value."""
    return [*(each[0] for each in _REGISTRY.findall(value)), *_REPOSITORY.findall(value)]


def _is_account(path: KeyPath) -> bool:
    return path[: len(_ACCOUNTS)] == _ACCOUNTS


def _headed(text: str, original: str) -> str:
    """Adds a line with the original's name: above the original's comment, below the comment for editors."""
    first, _, rest = text.partition("\n")
    schema = f"{first}\n" if first.startswith("# yaml-language-server") else ""
    text = rest if schema else text
    while own := _OWN_HEAD.match(text):
        text = text[own.end() :].removeprefix("\n")
    words = "; the comment below is the original's" if text.startswith("#") else ""
    return f"{schema}# Copied from stack {original} by `muster init`{words}.\n{text}"


def zones_of(text: str) -> list[str]:
    """Every zone in a stack file, sorted."""
    return sorted({value for _, value, _ in EditableYaml(text).scalars() if ZONE_NAME.fullmatch(value)})


def other_zones(old: list[str], first: str, region: str, new: tuple[str, ...], known: list[str]) -> dict[str, str]:
    """Zone of the original -> zone of the copy, all different.

    Args:
        old: the original's zones.
        first: the workers' zone.
        region: the copy's Region.
        new: the zones of the copy's network, the workers' first; if empty, zones are chosen by letter.
        known: the zones of the account, as far as they are known.
    """
    ordered = [first, *(each for each in old if each != first)] if first in old else list(old)
    by_letter = {each: f"{region}{each[len(region_of(each)) :]}" for each in ordered}
    if not new:
        return by_letter
    candidates = [*new, *by_letter.values(), *known, *(f"{region}{letter}" for letter in "abcdef")]
    free = iter(dict.fromkeys(candidates))
    return {each: next(free) for each in ordered}


def _in_zone(placeholder: str, zone: str, zones: Mapping[str, str]) -> str:
    """A placeholder that ends with the letter of its zone, with the letter of the copy's zone."""
    if zone not in zones or not placeholder.endswith(f"-{zone[-1]}"):
        return placeholder
    return f"{placeholder[:-1]}{zones[zone][-1]}"


def _superfluous(edits: EditableYaml) -> Iterator[KeyPath]:
    """The paths of keys that are not copied. An approval is for one purchase, and the engine's keys are for the
    original's secrets."""
    tops = {path[0] for path, _, is_key in edits.scalars() if is_key}
    yield from ((each,) for each in sorted(map(str, tops - {"config"})))
    yield from ((*CLUSTER, each) for each in _KEYS_LEFT_OUT if edits.has((*CLUSTER, each)))
    for path, _, is_key in edits.scalars():
        if (is_key and path[-2:] == ("buy", "approved")) or (is_key and path[-1] == "zone-ids"):
            yield path


def _capacity(edits: EditableYaml, exchange: CopyChanges, reserved: ReservedCapacity) -> None:
    group = (*CLUSTER, *exchange.group)
    capacity = Entry("capacity", (Entry(reserved.kind.value, _of_backend(capacity_entries(reserved), exchange.group)),))
    values = {path: value for path, value, is_key in edits.scalars() if not is_key}
    if values[(*group, "instance")] != reserved.instance:
        edits.write((*group, "instance"), yaml_scalar(reserved.instance), why=why_instance(reserved))
        if edits.has((*group, "local-storage")):
            edits.forget((*group, "local-storage"))  # on the disks of the other type
    if not edits.is_scalar((*group, "nodes")):
        of_nodes = {str(path[-1]): value for path, value in values.items() if path[:-1] == (*group, "nodes")}
        edits.put((*group, "nodes"), (Entry("nodes", _numbers(of_nodes, exchange.nodes), exchange.why_nodes),))
    elif values[(*group, "nodes")] != str(exchange.nodes):
        edits.write((*group, "nodes"), str(exchange.nodes), why=exchange.why_nodes)
    if edits.has((*group, "capacity")):
        edits.put((*group, "capacity"), (capacity,))
    else:
        edits.put_after((*group, "nodes"), (capacity,))


def _numbers(original: Mapping[str, str], nodes: int) -> int | Flow:
    """The number of nodes: as maximum if the original has a range, as fixed number if it has HyperPod's `minimum`,
    below which the group counts as failed. The original's lower numbers stay, up to the number of nodes."""
    least = {key: min(int(original[key]), nodes) for key in ("min", "start", "minimum") if key in original}
    if "minimum" in least:
        return Flow({"count": nodes, **least})
    scaler = {key: original[key] for key in ("scaled-by",) if key in original}
    return nodes if set(least.values()) <= {nodes} else Flow({**least, "max": nodes, **scaler})


def _of_backend(entries: tuple[Entry, ...], group: KeyPath) -> tuple[Entry, ...]:
    """The entries without `active` in a queue: ParallelCluster starts no nodes before a block begins."""
    return tuple(each for each in entries if not (group[0] == "queues" and each.key == "active"))


def _other(
    value: str,
    exchange: CopyChanges,
    old_region: str,
    made: dict[str, str],
    own: set[str],
    path: KeyPath,
    *,
    is_key: bool,
) -> str:
    """The key or value in the copy."""
    if value in exchange.zones:
        return exchange.zones[value]
    if is_key:
        return value
    if is_placeholder(value):
        return _elsewhere(_in_zone(value, str(path[-1]), exchange.zones), old_region, exchange.region)
    if _ID.fullmatch(value):
        return made.setdefault(value, _blank(value, path, set(made.values()), exchange))
    if _is_account(path) or not own.issuperset(_owners(value)):
        return value
    value = _ACCOUNT.sub(lambda found: _account(found, exchange), value)
    value = _REGISTRY.sub(
        lambda found: (
            found.group()
            if (found[1], found[2]) == (exchange.account, exchange.region)
            else found.group().replace(found[1], _DOCUMENTATION)
        ),
        value,
    )
    return _elsewhere(value, old_region, exchange.region)


def _elsewhere(value: str, old: str, new: str) -> str:
    """A text that contains the Region, with the new Region."""
    return re.sub(rf"\b{re.escape(old)}\b", new, value) if old else value


def _account(found: re.Match[str], exchange: CopyChanges) -> str:
    mine = found[3] == exchange.account and found[2] in ("", exchange.region)
    return found.group() if mine else f"{found[1]}{found[2]}:{_DOCUMENTATION}:"


def _blank(value: str, path: KeyPath, taken: set[str], exchange: CopyChanges) -> str:
    """A placeholder for an id, different for each id: a subnet's has its tier and zone."""
    prefix = value.partition("-")[0]
    name = f"{prefix}-{PLACEHOLDER}"
    if prefix == "subnet" and len(path) > 1:
        zone = exchange.zones.get(str(path[-1]), str(path[-1]))
        name = f"{name}-{path[-2]}-{zone[-1]}"
    number = 2
    fresh = name
    while fresh in taken:
        fresh, number = f"{name}-{number}", number + 1
    return fresh
