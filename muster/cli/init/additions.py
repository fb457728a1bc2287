"""The additions to a new stack besides its workers: the add-ons of `--with`, a file system, a second queue or group."""

from collections.abc import Collection, Mapping

from muster.cli.init.choices import FILE_SYSTEM, Backend, Choices
from muster.cli.init.yaml_entries import Entries, Entry, Flow
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.zones import LOCAL_ZONE
from muster.message_text import did_you_mean

_DRIVER = "fsx-csi-driver"
_SLURM = frozenset(each.value for each in Backend if not each.has_kubernetes)
_NEEDS: Mapping[str, Mapping[str, object]] = {
    "kueue": {"queues": {"main": {}}},
    "volcano": {"queues": {"main": {}}},
}
"""Add-on -> initial settings that make it usable immediately."""


def unknown_addition(name: str) -> str:
    """The error for an unknown name in `--with`."""
    from muster.addons.catalogue import CATALOGUE

    known = sorted({FILE_SYSTEM, *CATALOGUE})
    if name in known:
        return ""
    return f"--with: '{name}' is not an add-on{did_you_mean(name, known)} (choices: {', '.join(known)})"


def backend_problem(names: Collection[str], backend: str | None) -> str:
    """Why a backend has none of the additions of `--with`; empty if it has them."""
    others = [each for each in names if each != FILE_SYSTEM]
    if backend not in _SLURM or not others:
        return ""
    return f"--with: Slurm has no Kubernetes add-ons; leave out {', '.join(others)}"


def second_queue_problem(instance: str, backend: str | None) -> str:
    """Why a second queue of an instance type is not possible; empty if it is."""
    if backend not in _SLURM:
        return "--second-queue is only for Slurm; add --backend parallelcluster or --backend pcs, or leave it out"
    if backend == Backend.HYPERPOD_SLURM:
        return "--second-queue: HyperPod starts no nodes for jobs; leave it out, and add a group to the new file"
    try:
        hardware(instance)
    except UnknownInstance as fault:
        return f"--second-queue: {fault}"
    return ""


def has_file_system(choices: Choices) -> bool:
    """Whether the stack gets a file system: if `--with` names it, or if several nodes train together."""
    if FILE_SYSTEM in choices.additions.names:
        return True
    machine = hardware(choices.reserved.instance)
    several = choices.nodes > 1 and machine.max_efa > 0 and machine.accelerator is not None
    local = LOCAL_ZONE.fullmatch(choices.reserved.zone)  # no document says that FSx is there
    return several and not local and not choices.additions.without_storage


def storage_entries(choices: Choices) -> Entries:
    """The file system; empty if the stack has none."""
    if not has_file_system(choices):
        return ()
    name = "scratch" if choices.backend.has_kubernetes else FILE_SYSTEM
    lustre = Entry(
        "lustre", Flow({"size": "1200GiB", "throughput": 250}), "the minimum size; you can increase it later"
    )
    requested = FILE_SYSTEM in choices.additions.names
    why = (
        "given with --with"
        if requested
        else f"{choices.nodes} nodes share it for data sets and checkpoints; remove it if not needed"
    )
    return (Entry("storage", (Entry(name, (lustre,)),), why),)


def addon_entries(choices: Choices, already: Entries) -> Entries:
    """The add-ons of `--with`, and the driver of the file system, except those that the stack already has."""
    wanted = {name: "given with --with" for name in choices.additions.names if name != FILE_SYSTEM}
    if has_file_system(choices):
        wanted.setdefault(_DRIVER, "pods mount the file system with the claim scratch")
    present = {each.key for each in already}
    return tuple(
        Entry(name, Flow(_settings(name, choices.backend)), why) for name, why in wanted.items() if name not in present
    )


def _settings(name: str, backend: Backend) -> dict[str, object]:
    if backend is Backend.HYPERPOD and name == _DRIVER:
        return {"namespace": "hyperpod-training"}  # HyperPod auto-resumes jobs in namespaces that begin with hyperpod
    return dict(_NEEDS.get(name, {}))


SECOND_NODES = 10
"""The maximum number of nodes of a second queue."""


def second_queue_entries(choices: Choices) -> Entries:
    """A second queue of a Slurm cluster: on-demand nodes that start for jobs."""
    if not choices.additions.second:
        return ()
    of_pcs = choices.backend is Backend.PCS
    group = (
        Entry("for", "inference", "each job runs on one node, without EFA and placement groups"),
        Entry("instance", choices.additions.second, "given with --second-queue"),
        Entry("nodes", Flow({"min": 0, "max": SECOND_NODES}), "nodes start when jobs need them"),
        *((Entry("zone", choices.reserved.zone),) if of_pcs else ()),
    )
    zones = () if of_pcs else (Entry("zones", Flow([choices.reserved.zone])),)
    shared = Entry("exclusive", value=False, why="jobs share a node")
    return (Entry("batch", (*zones, shared, _group("nodes", group))),)


def default_queue_entries(choices: Choices, queue: str) -> Entries:
    """The default queue, if there are two queues."""
    if not choices.additions.second:
        return ()
    return (Entry("default-queue", queue, "the queue of jobs that do not select one"),)


def _group(name: str, entries: Entries) -> Entry:
    return Entry("groups", (Entry(name, entries),))
