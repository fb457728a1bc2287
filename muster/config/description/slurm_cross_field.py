"""Checks of a Slurm cluster that read several keys: names, limits, SSH, mounts, post-install software."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.cross_field import existing_lustre
from muster.config.description.slurm_cluster import MISSING, MOST_LETTERS_WITH_ACCOUNTING, MOST_QUEUES, Os
from muster.config.description.slurm_nodes import MOST_RESOURCES, Software
from muster.finding import KeyPath
from muster.message_text import did_you_mean

_Fault = tuple[KeyPath, str, str]


def slurm_faults(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
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
    where: KeyPath = ("head", "ssh-from")
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


_INSTALLS: Mapping[Software, frozenset[Os]] = {
    Software.DOCKER: frozenset({Os.ALINUX2023, Os.UBUNTU2204, Os.UBUNTU2404}),
    Software.PYXIS: frozenset(Os),
}
"""What AWS's script installs -> where."""


def post_install_faults(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    """What cannot work of a cluster's `post-install`, wherever it stands."""
    yield from _unsupported(raw)
    yield from _pyxis_without_head(raw)


def _unsupported(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    os = raw.get("os", Os.ALINUX2023.value)
    if os not in [*Os]:
        return
    for path, block in _blocks(raw):
        for index, name in enumerate(_installed(block)):
            if name in [*Software] and os not in _INSTALLS[Software(name)]:
                known = ", ".join(each for each in Os if each in _INSTALLS[Software(name)])
                yield (
                    (*path, "install", index),
                    f"AWS's script for {name} does not know {os}, and a node on which it fails never joins",
                    f"write one of os: {known}; or install {name} by a script of yours (scripts)",
                )


def _pyxis_without_head(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    blocks = dict(_blocks(raw))
    everywhere = blocks.get(_EVERYWHERE)
    head = blocks.get(_HEAD, everywhere)
    if _has_pyxis(head):
        return
    queues = raw.get("queues")
    of_queues = {("queues", name, "post-install") for name in queues} if isinstance(queues, Mapping) else set()
    own = {path: block for path, block in blocks.items() if path in of_queues}
    if _HEAD in blocks and _has_pyxis(everywhere) and of_queues - own.keys():
        yield (
            _HEAD,
            "other nodes get pyxis, and the head node, whose script switches it on in Slurm, does not",
            "add pyxis to install here: this is in place of the cluster's post-install",
        )
    for path, block in own.items():
        if _has_pyxis(block):
            yield (
                (*path, "install", _installed(block).index(Software.PYXIS)),
                "pyxis is installed here, and not on the head node, whose script switches it on in Slurm",
                "add it to head: {post-install: {install: ...}}, or to the cluster's post-install",
            )


def _has_pyxis(block: Mapping[Any, Any] | None) -> bool:
    return Software.PYXIS in _installed(block)


_EVERYWHERE: KeyPath = ("post-install",)
_HEAD: KeyPath = ("head", "post-install")


def _blocks(raw: Mapping[Any, Any]) -> Iterator[tuple[KeyPath, Mapping[Any, Any]]]:
    """Every `post-install` that is a block."""
    queues = raw.get("queues")
    named = queues.items() if isinstance(queues, Mapping) else ()
    holders: list[tuple[KeyPath, Any]] = [((), raw), (("head",), raw.get("head"))]
    holders += [(("queues", name), queue) for name, queue in named]
    for path, holder in holders:
        if isinstance(holder, Mapping) and isinstance(block := holder.get("post-install"), Mapping):
            yield (*path, "post-install"), block


def _installed(block: Mapping[Any, Any] | None) -> list[Any]:
    install = block.get("install") if block else None
    return [*install] if isinstance(install, list | tuple) else []


CHECKS = (slurm_faults, post_install_faults, existing_lustre)
