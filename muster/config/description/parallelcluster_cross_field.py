"""Checks of a Slurm cluster that read several keys: names, limits, SSH, mounts, post-install software."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.cross_field import existing_lustre, system_mounts
from muster.config.description.parallelcluster_nodes import Software
from muster.config.description.queues import MOST_RESOURCES
from muster.config.description.slurm_settings import MISSING, MOST_LETTERS_WITH_ACCOUNTING, MOST_QUEUES, Os
from muster.finding import KeyPath
from muster.message_text import did_you_mean

_Fault = tuple[KeyPath, str, str]


def slurm_faults(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Faults in names (missing, duplicate or too long), and a missing version."""
    if "version" not in raw:
        yield ("version",), *MISSING
    queues = {name: queue for name, queue in _block(raw, "queues").items() if isinstance(queue, Mapping)}
    yield from group_name_faults(queues)
    yield from _number_of_groups(queues)
    yield from default_queue_faults(raw, queues)
    yield from _name(raw)
    yield from _ssh(_block(raw, "head"))
    yield from _ssh_of_login_nodes(_block(raw, "head"), _block(raw, "login-nodes"))
    yield from _storage(_block(raw, "storage"))
    yield from _tags(_block(raw, "tags"))


def group_name_faults(queues: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Each group name must be unique in the cluster: jobs and rules identify a group by its name alone."""
    seen: dict[Any, Any] = {}
    for queue, block in queues.items():
        for group in _block(block, "groups"):
            if group in seen:
                got = f"queue '{seen[group]}' also has a group '{group}', but group names must be unique in the cluster"
                yield ("queues", queue, "groups", group), got, "give one of them another name"
            seen.setdefault(group, queue)


def _number_of_groups(queues: Mapping[Any, Any]) -> Iterator[_Fault]:
    number = sum(len(_block(block, "groups")) for block in queues.values())
    alone = any(len(_block(block, "groups")) > MOST_RESOURCES for block in queues.values()) or len(queues) > MOST_QUEUES
    if number > MOST_RESOURCES and not alone:
        got = f"there are {number} groups, but ParallelCluster allows {MOST_RESOURCES} in a cluster"
        yield ("queues",), got, "remove groups, or create two clusters"


def default_queue_faults(raw: Mapping[Any, Any], queues: Mapping[Any, Any]) -> Iterator[_Fault]:
    """A default queue that does not exist, or that several queues need."""
    default_queue = _block(raw, "slurm").get("default-queue")
    if queues and isinstance(default_queue, str) and default_queue not in queues:
        known = [str(name) for name in queues]
        got = f"there is no queue '{default_queue}'{did_you_mean(default_queue, known)}"
        yield ("slurm", "default-queue"), got, f"valid values: {', '.join(known)}"
    if default_queue is None and len(queues) > 1:
        got = (
            f"there are {len(queues)} queues, but 'default-queue' does not set the one for jobs that do not select "
            "a queue"
        )
        yield (
            ("slurm", "default-queue"),
            got,
            f"write slurm: {{default-queue: {next(iter(queues))}}}, or another of them",
        )


def _name(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    name, most = raw.get("name"), MOST_LETTERS_WITH_ACCOUNTING
    if "accounting" in raw and isinstance(name, str) and len(name) > most:
        got = f"'{name}' has {len(name)} characters, but with accounting ParallelCluster allows {most}"
        yield ("name",), got, f"shorten it to {most}, or remove accounting"


def _ssh(head: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Access by SSH: none without a key, and with a key from the network in `ssh-from`."""
    login = head.get("login", "ssm")
    keyless = login == "ssm" or (isinstance(login, Mapping) and "ssm" in login)
    where: KeyPath = ("head", "ssh-from")
    if keyless and "ssh-from" in head:
        yield where, "'ssh-from' allows SSH, but login: ssm sets no key", "remove it, or set a key in login"
    elif not keyless and isinstance(login, Mapping) and "ssh-from" not in head:
        yield (
            where,
            "'ssh-from' is missing: port 22 would be open to the whole internet",
            "write the network from which you log in",
        )


def _ssh_of_login_nodes(head: Mapping[Any, Any], pools: Mapping[Any, Any]) -> Iterator[_Fault]:
    """The same for login nodes, which have the key of the head node. Each pool sets its own network: ParallelCluster
    changes that of the head node in place, but not that of running login nodes."""
    login = head.get("login", "ssm")
    keyless = login == "ssm" or (isinstance(login, Mapping) and "ssm" in login)
    for name, pool in pools.items():
        where: KeyPath = ("login-nodes", name, "ssh-from")
        if not isinstance(pool, Mapping):
            continue
        if keyless and "ssh-from" in pool:
            yield (
                where,
                "'ssh-from' allows SSH, but head.login: ssm sets no key",
                "remove it, or set a key in head.login",
            )
        elif not keyless and isinstance(login, Mapping) and "ssh-from" not in pool:
            yield (
                where,
                "'ssh-from' is missing: port 22 would be open to the whole internet",
                "write the network from which you log in",
            )


_MOUNTED: Mapping[str, str] = {"home": "head.root", "apps": "head.apps"}
"""A directory that the head node shares with all nodes -> the key that sets its size."""

_LONGEST_STORAGE_NAME = 30
_RESERVED_STORAGE = frozenset({"default", "media", "mnt", "srv"})
_RESERVED_TAGS = "parallelcluster:"
"""What ParallelCluster 3.16.1 refuses (cluster_validators.py, lines 891 and 920; tags_validators.py, line 15)."""


def _storage(storage: Mapping[Any, Any]) -> Iterator[_Fault]:
    """The name of a file system is its mount point. ParallelCluster does not refuse /home, which would hide the shared
    directory. `system_mounts` refuses the directories of the system."""
    for name in storage:
        if name in _MOUNTED:
            got = f"all nodes already mount /{name} from the head node ({_MOUNTED[name]} sets its size)"
            yield ("storage", name), got, "give the file system another name, as in fsx"
        elif name in _RESERVED_STORAGE or len(str(name)) > _LONGEST_STORAGE_NAME:
            got = f"ParallelCluster does not accept '{name}' as the name of shared storage"
            yield ("storage", name), got, f"use another name of at most {_LONGEST_STORAGE_NAME} characters, as in fsx"


def _tags(tags: Mapping[Any, Any]) -> Iterator[_Fault]:
    for key in tags:
        if str(key).startswith(_RESERVED_TAGS):
            yield ("tags", key), f"ParallelCluster reserves tags that begin with {_RESERVED_TAGS}", "rename the tag"


def _block(raw: Mapping[Any, Any], key: str) -> Mapping[Any, Any]:
    block = raw.get(key)
    return block if isinstance(block, Mapping) else {}


_INSTALLS: Mapping[Software, frozenset[Os]] = {
    Software.DOCKER: frozenset({Os.ALINUX2023, Os.UBUNTU2204, Os.UBUNTU2404}),
    Software.PYXIS: frozenset(Os),
}
"""Software that a script of AWS installs -> the operating systems that the script supports."""


def post_install_faults(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Faults in each `post-install` of a cluster."""
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
                    (
                        f"AWS's script for {name} does not support {os}, and a node on which it fails never joins the "
                        "cluster"
                    ),
                    f"set os to one of {known}, or install {name} with your own script (scripts)",
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
            "other nodes have pyxis, but the head node, whose script enables it in Slurm, does not",
            "add pyxis to install here: this block replaces post-install of the cluster",
        )
    for path, block in own.items():
        if _has_pyxis(block):
            yield (
                (*path, "install", _installed(block).index(Software.PYXIS)),
                "pyxis is installed here, but not on the head node, whose script enables it in Slurm",
                "add it to head: {post-install: {install: ...}}, or to post-install of the cluster",
            )


def _has_pyxis(block: Mapping[Any, Any] | None) -> bool:
    return Software.PYXIS in _installed(block)


_EVERYWHERE: KeyPath = ("post-install",)
_HEAD: KeyPath = ("head", "post-install")


def _blocks(raw: Mapping[Any, Any]) -> Iterator[tuple[KeyPath, Mapping[Any, Any]]]:
    """Every `post-install` block."""
    holders: list[tuple[KeyPath, Any]] = [((), raw), (("head",), raw.get("head"))]
    for key in ("queues", "login-nodes"):
        holders += [((key, name), each) for name, each in _block(raw, key).items()]
    for path, holder in holders:
        if isinstance(holder, Mapping) and isinstance(block := holder.get("post-install"), Mapping):
            yield (*path, "post-install"), block


def _installed(block: Mapping[Any, Any] | None) -> list[Any]:
    install = block.get("install") if block else None
    return [*install] if isinstance(install, list | tuple) else []


CHECKS = (slurm_faults, post_install_faults, system_mounts, existing_lustre)
