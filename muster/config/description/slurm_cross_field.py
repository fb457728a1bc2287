"""Checks of a Slurm cluster that read several keys: names, queues, SSH, mounts, post-install software, and what goes
with continuous provisioning of HyperPod."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from muster.config.description.cross_field import dns_name_faults, existing_file_systems, subnet_faults, tag_faults
from muster.config.description.iam_cross_field import existing_role_faults, parallelcluster_role_faults
from muster.config.description.parallelcluster_nodes import Software
from muster.config.description.queues import MOST_RESOURCES
from muster.config.description.slurm_settings import MOST_LETTERS_WITH_ACCOUNTING, MOST_QUEUES, Os
from muster.config.description.written_blocks import Check, Fault, block, blocks, machine_of
from muster.finding import KeyPath
from muster.message_text import did_you_mean
from muster.size import Size

_ANOTHER_NAME = "give one of them another name"


def _groups(raw: Mapping[Any, Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Each group with the name of its queue and its own."""
    for queue in blocks(raw, "queues"):
        yield from ((queue, name, group) for name, group in block(raw, "queues", queue, "groups").items())


def _group_names(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Each group name must be unique in the cluster: jobs and rules identify a group by its name alone."""
    seen: dict[Any, Any] = {}
    for queue, name, _ in _groups(raw):
        if name in seen:
            got = f"queue '{seen[name]}' also has a group '{name}', but group names must be unique in the cluster"
            yield ("queues", queue, "groups", name), got, _ANOTHER_NAME
        seen.setdefault(name, queue)


def _login_names(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """On PCS, a pool of login nodes is a group too."""
    queues = {name: queue for queue, name, _ in _groups(raw)}
    for name in block(raw, "login-nodes"):
        if name in queues:
            got = f"queue '{queues[name]}' also has a group '{name}', but group names must be unique in the cluster"
            yield ("login-nodes", name), got, _ANOTHER_NAME


def _number_of_groups(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    queues = [block(raw, "queues", name, "groups") for name in blocks(raw, "queues")]
    number = sum(map(len, queues))
    if number > MOST_RESOURCES and len(queues) <= MOST_QUEUES and all(len(each) <= MOST_RESOURCES for each in queues):
        got = f"there are {number} groups, but ParallelCluster allows {MOST_RESOURCES} in a cluster"
        yield ("queues",), got, "remove groups, or create two clusters"


def _default_queue(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """A default queue that does not exist, or that several queues need."""
    queues, given, at = blocks(raw, "queues"), block(raw, "slurm").get("default-queue"), ("slurm", "default-queue")
    if queues and isinstance(given, str) and given not in queues:
        known = [str(name) for name in queues]
        got = f"there is no queue '{given}'{did_you_mean(given, known)}"
        yield at, got, f"valid values: {', '.join(known)}"
    if given is None and len(queues) > 1:
        none = "'default-queue' does not set the one for jobs that do not select a queue"
        got = f"there are {len(queues)} queues, but {none}"
        yield at, got, f"write slurm: {{default-queue: {next(iter(queues))}}}, or another of them"


def _name(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    name, most = raw.get("name"), MOST_LETTERS_WITH_ACCOUNTING
    if "accounting" in raw and isinstance(name, str) and len(name) > most:
        got = f"'{name}' has {len(name)} characters, but with accounting ParallelCluster allows {most}"
        yield ("name",), got, f"shorten it to {most}, or remove accounting"


def _ssh(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Access by SSH: none without a key, and with a key from the network in `ssh-from`. Login nodes have the key of the
    head node. Each pool sets its own network: ParallelCluster changes that of the head node in place, but not that of
    running login nodes."""
    login = block(raw, "head").get("login", "ssm")
    without_key = login == "ssm" or (isinstance(login, Mapping) and "ssm" in login)
    pools = blocks(raw, "login-nodes")
    places: list[tuple[KeyPath, Mapping[Any, Any]]] = [(("head",), block(raw, "head"))]
    for path, each in [*places, *((("login-nodes", name), pool) for name, pool in pools.items())]:
        if without_key and "ssh-from" in each:
            got = "'ssh-from' allows SSH, but head.login: ssm sets no key"
            yield (*path, "ssh-from"), got, "remove it, or set a key in head.login"
        elif not without_key and isinstance(login, Mapping) and "ssh-from" not in each:
            got = "'ssh-from' is missing: port 22 would be open to the whole internet"
            yield (*path, "ssh-from"), got, "write the network from which you log in"


_SYSTEM = frozenset(
    ["bin", "boot", "dev", "etc", "lib", "lib64", "opt", "proc", "root", "run", "sbin", "sys", "tmp", "usr", "var"]
)
_OF_PARALLELCLUSTER = ("home", "apps")
"""Directories that the head node shares with all nodes."""
_LONGEST_STORAGE_NAME = 30
_RESERVED_STORAGE = frozenset({"default", "media", "mnt", "srv"})
_RESERVED_TAGS = "parallelcluster:"
"""What ParallelCluster 3.16.1 refuses (cluster_validators.py, lines 891 and 920; tags_validators.py, line 15)."""


def _mounts(taken: tuple[str, ...], raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """No file system hides a directory of the operating system or of the cluster: nodes mount each at its name.
    ParallelCluster does not refuse /home, which would hide the shared directory."""
    for name in block(raw, "storage"):
        if name in _SYSTEM or name in taken:
            what = "the operating system" if name in _SYSTEM else "the cluster"
            got = f"nodes would mount the file system at /{name}, which {what} uses"
            yield ("storage", name), got, "give the file system another name, as in fsx"


def _reserved(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    for name in block(raw, "storage"):
        if name in _RESERVED_STORAGE or len(str(name)) > _LONGEST_STORAGE_NAME:
            got = f"ParallelCluster does not accept '{name}' as the name of shared storage"
            yield ("storage", name), got, f"use another name of at most {_LONGEST_STORAGE_NAME} characters, as in fsx"
    for key in block(raw, "tags"):
        if str(key).startswith(_RESERVED_TAGS):
            yield ("tags", key), f"ParallelCluster reserves tags that begin with {_RESERVED_TAGS}", "rename the tag"


_MOST_VOLUMES, _MOST_ARRAYS = 5, 1
"""`MAX_EBS_COUNT` and `MAX_NEW_STORAGE_COUNT` of 3.16.1. An array counts as such only."""


def _number_of_volumes(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    kinds = [block(each) for each in blocks(raw, "storage").values()]
    arrays = sum(bool(block(each, "ebs").get("raid")) for each in kinds)
    volumes = 1 + sum(bool({"ebs", "existing-ebs"} & each.keys()) for each in kinds) - arrays
    if volumes > _MOST_VOLUMES or arrays > _MOST_ARRAYS:
        got = f"there are {volumes} volumes of EBS with /apps, and {arrays} RAID arrays"
        yield ("storage",), got, f"leave at most {_MOST_VOLUMES} and {_MOST_ARRAYS}, as ParallelCluster allows"


_INSTALLS: Mapping[Software, frozenset[Os]] = {
    Software.DOCKER: frozenset({Os.ALINUX2023, Os.UBUNTU2204, Os.UBUNTU2404}),
    Software.PYXIS: frozenset(Os),
}
"""Software that a script of AWS installs -> the operating systems that the script supports."""
_EVERYWHERE: KeyPath = ("post-install",)
_HEAD: KeyPath = ("head", "post-install")


def _post_installs(raw: Mapping[Any, Any]) -> Mapping[KeyPath, list[Any]]:
    """The software of every `post-install` block."""
    holders: list[KeyPath] = [(), ("head",)]
    holders += [(key, name) for key in ("queues", "login-nodes") for name in block(raw, key)]
    found = {path: block(raw, *path).get("post-install") for path in holders}
    return {
        (*path, "post-install"): [*install] if isinstance(install := each.get("install"), list | tuple) else []
        for path, each in found.items()
        if isinstance(each, Mapping)
    }


def _unsupported(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    os = raw.get("os", Os.ALINUX2023.value)
    for path, installs in _post_installs(raw).items() if os in [*Os] else ():
        for index, name in enumerate(installs):
            if name in [*Software] and os not in _INSTALLS[Software(name)]:
                known = ", ".join(each for each in Os if each in _INSTALLS[Software(name)])
                got = f"AWS's script for {name} does not support {os}: a node on which it fails never joins the cluster"
                remedy = f"set os to one of {known}, or install {name} with your own script (scripts)"
                yield (*path, "install", index), got, remedy


def _pyxis_without_head(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """The script on the head node enables pyxis in Slurm."""
    installs, pyxis = _post_installs(raw), Software.PYXIS
    everywhere = installs.get(_EVERYWHERE, [])
    if pyxis in installs.get(_HEAD, everywhere):
        return
    of_queues = [("queues", name, "post-install") for name in block(raw, "queues")]
    if _HEAD in installs and pyxis in everywhere and any(path not in installs for path in of_queues):
        got = "other nodes have pyxis, but the head node, whose script enables it in Slurm, does not"
        yield _HEAD, got, "add pyxis to install here: this block replaces post-install of the cluster"
    for path in of_queues:
        if pyxis in installs.get(path, []):
            got = "pyxis is installed here, but not on the head node, whose script enables it in Slurm"
            remedy = "add it to head: {post-install: {install: ...}}, or to post-install of the cluster"
            yield (*path, "install", installs[path].index(pyxis)), got, remedy


def _nodes_of_pcs(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """What the instance type of a group does not have. Slurm drains a node that has less memory than its configuration
    states (slurm.conf, RealMemory)."""
    for queue, name, group in _groups(raw):
        machine, at = machine_of(group), ("queues", queue, "groups", name)
        if machine is None:
            continue
        if group.get("efa") is True and not machine.max_efa:
            got = f"{machine.instance} does not support EFA"
            yield (*at, "efa"), got, "remove efa, or choose a type with EFA"
        try:
            memory = Size.parse(str(group.get("memory")))
        except ValueError:
            continue
        if memory.mib > machine.memory_mib:
            got = f"jobs cannot use {memory}: {machine.instance} has {Size(machine.memory_mib)}"
            fix = f"write at most {Size(machine.memory_mib * 95 // 100)}, or remove it: AWS PCS then sets the memory"
            yield (*at, "memory"), got, fix


_DNS = re.compile(r"(fs|fc)i?-[0-9a-f]{8,}\..{4,253}")
"""`ClusterDnsName` in SageMaker's model."""


def _names_of_hyperpod(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Every instance group has another name. The default names are those of the keys."""
    taken: dict[Any, str] = {name: f"groups.{name}" for name in block(raw, "groups")}
    for key in ("controller", *(["login"] if isinstance(raw.get("login"), Mapping) else [])):
        written = block(raw, key).get("name")
        name = key if written is None else written
        if name in taken:
            got = f"the instance group of {key} has the name '{name}', which {taken[name]} also has"
            yield (key, "name"), got, f"write another name: {key}: {{name: ...}}"
        taken.setdefault(name, key)


def _continuous(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """What goes with continuous provisioning, and what does not (SageMaker API, ClusterOrchestratorSlurmConfig;
    guide, sagemaker-hyperpod-scaling-slurm)."""
    own = block(raw, "hyperpod")
    continuous = own.get("provisioning") == "continuous"
    if isinstance(raw.get("accounting"), Mapping) and not continuous:
        got = "SageMaker accepts an accounting database only with continuous provisioning"
        remedy = "write hyperpod: {provisioning: continuous}, or remove accounting: the controller then has a database"
        yield ("accounting",), got, remedy
    if continuous and "config-strategy" in own:
        got = "SageMaker accepts no config-strategy with continuous provisioning, which always merges"
        yield ("hyperpod", "config-strategy"), got, "remove it"


def _file_systems_of_hyperpod(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Each file system has its mount point, and a DNS name that the API accepts; one of each kind is mounted (SageMaker
    guide, sagemaker-hyperpod-ref)."""
    yield from _mounts(("home",) if isinstance(raw.get("home"), Mapping) else (), raw)
    seen = ["openzfs"] if isinstance(raw.get("home"), Mapping) else []
    for name in blocks(raw, "storage"):
        kind = next((str(key).removeprefix("existing-") for key in block(raw, "storage", name)), "")
        if kind in seen:
            got = f"there are several file systems of {kind}, but HyperPod mounts one of each kind"
            yield ("storage", name), got, "remove all but one; `home` is one of openzfs"
        seen.append(kind)
    for at in (("home",), *existing_file_systems(raw)):
        dns = block(raw, *at).get("dns-name")
        if isinstance(dns, str) and not _DNS.fullmatch(dns):
            got = f"'{dns}' is not a DNS name that SageMaker accepts: it begins with the id of the file system"
            yield (*at, "dns-name"), got, "remove it: Muster derives the name from id and the Region"


_ON_EC2: tuple[Check, ...] = (_group_names, _default_queue, dns_name_faults, subnet_faults)
ON_PARALLELCLUSTER: tuple[Check, ...] = (
    _number_of_groups,
    _name,
    _ssh,
    partial(_mounts, _OF_PARALLELCLUSTER),
    _reserved,
    _number_of_volumes,
    _unsupported,
    _pyxis_without_head,
    parallelcluster_role_faults,
    *_ON_EC2,
)
ON_PCS: tuple[Check, ...] = (_login_names, _nodes_of_pcs, partial(_mounts, ("home",)), existing_role_faults, *_ON_EC2)
ON_HYPERPOD: tuple[Check, ...] = (
    _names_of_hyperpod,
    _continuous,
    _file_systems_of_hyperpod,
    tag_faults,
    existing_role_faults,
    dns_name_faults,
    subnet_faults,
)
