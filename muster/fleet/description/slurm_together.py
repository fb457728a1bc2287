"""What the queues of a Slurm cluster mean together, and with its name and its settings."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.description.pcluster_version import MISSING
from muster.fleet.description.slurm_cluster import MOST_LETTERS_WITH_ACCOUNTING, MOST_QUEUES
from muster.fleet.description.slurm_queue import MOST_RESOURCES
from muster.fleet.dotted import Path_
from muster.fleet.near_miss import did_you_mean

_Fault = tuple[Path_, str, str]


def faults(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Names that must be there, must be there once, or must be short; and the version."""
    if "version" not in raw:
        yield ("version",), *MISSING
    queues = {name: queue for name, queue in _block(raw, "queues").items() if isinstance(queue, Mapping)}
    yield from _groups(queues)
    yield from _default(raw, queues)
    yield from _name(raw)
    yield from _ssh(_block(raw, "head"))
    yield from _storage(_block(raw, "storage"))


def _groups(queues: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Each name once in the cluster: jobs and rules name groups alone."""
    seen: dict[Any, Any] = {}
    number = 0
    for queue, block in queues.items():
        for group in _block(block, "groups"):
            number += 1
            if group in seen:
                got = f"queue '{seen[group]}' has a group '{group}', too: jobs and rules name groups alone"
                yield ("queues", queue, "groups", group), got, "give one of them another name"
            seen.setdefault(group, queue)
    alone = any(len(_block(block, "groups")) > MOST_RESOURCES for block in queues.values()) or len(queues) > MOST_QUEUES
    if number > MOST_RESOURCES and not alone:
        got = f"{number} groups, and ParallelCluster takes {MOST_RESOURCES} in a cluster"
        yield ("queues",), got, "describe fewer, or make two clusters"


def _default(raw: Mapping[Any, Any], queues: Mapping[Any, Any]) -> Iterator[_Fault]:
    said = _block(raw, "slurm").get("default-queue")
    if queues and isinstance(said, str) and said not in queues:
        known = [str(name) for name in queues]
        got = f"there is no queue '{said}'{did_you_mean(said, known)}"
        yield ("slurm", "default-queue"), got, f"choices: {', '.join(known)}"
    if said is None and len(queues) > 1:
        got = f"there are {len(queues)} queues, and nothing says which takes jobs that name none"
        yield (
            ("slurm", "default-queue"),
            got,
            f"write slurm: {{default-queue: {next(iter(queues))}}}, or another of them",
        )


def _name(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    name, most = raw.get("name"), MOST_LETTERS_WITH_ACCOUNTING
    if "accounting" in raw and isinstance(name, str) and len(name) > most:
        got = f"'{name}' has {len(name)} letters, and with accounting ParallelCluster takes {most}: it names tables"
        yield ("name",), got, f"shorten it to {most}, or remove accounting"


def _ssh(head: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Who comes in by SSH: nobody without a key, and with one those that are said."""
    login = head.get("login", "ssm")
    keyless = login == "ssm" or (isinstance(login, Mapping) and "ssm" in login)
    where: Path_ = ("head", "ssh-from")
    if keyless and "ssh-from" in head:
        yield where, "SSH is let in, and nobody has a key: login is ssm", "remove it, or give login a key"
    elif not keyless and isinstance(login, Mapping) and "ssh-from" not in head:
        yield where, "'ssh-from' is missing: port 22 would be open to the world", "write the network you log in from"


_MOUNTED: Mapping[str, str] = {"home": "head.root", "apps": "head.apps"}
"""What all nodes have from the head node -> how large it is."""


def _storage(storage: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Its name is where it is mounted. What the system keeps for itself `parallelcluster-mount-dir-usable` knows, of
    configurations that Muster did not write, too; /home would be hidden, and ParallelCluster lets it."""
    for name in storage:
        if name in _MOUNTED:
            got = f"/{name} is the head node's already, and mounted on all nodes ({_MOUNTED[name]} says how large)"
            yield ("storage", name), got, "give the file system another name, as in fsx"


def _block(raw: Mapping[Any, Any], key: str) -> Mapping[Any, Any]:
    block = raw.get(key)
    return block if isinstance(block, Mapping) else {}
