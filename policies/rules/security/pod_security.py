"""Privileges, host files and host namespaces of pods."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from pydantic import Field

from muster.finding import Level
from muster.fleet.resources import Fleet, PodOwner
from muster.plain_data import mappings_at, value_at
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.options import Options
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.pods import KNOWN_DAEMONS, PLUGINS, host_paths, is_daemon, is_device_plugin, is_or_below

_AS_GOOD = frozenset({"ALL", "SYS_ADMIN"})
"""Capabilities that are as much as being privileged."""


class PrivilegedDaemons(Options):
    """Who may be privileged beside device plugins and the daemons that are known."""

    daemons: tuple[str, ...] = Field(default=(), description="Names of DaemonSets (`*` for anything).")


@rule(
    "pods-not-privileged",
    title="Only device plugins and daemons of nodes are privileged",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="A privileged container is root on its node: it reads every other pod's secrets, and the node's credentials. "
    "Neither EFA nor GPUs need it: their plugins give a container its devices.",
    source="Kubernetes, Pod Security Standards",
    remedy="Ask for the devices under resources.limits, and for single capabilities such as IPC_LOCK.",
    facts=("pod-security#baseline",),
    options=PrivilegedDaemons,
)
def pods_not_privileged(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    options = PrivilegedDaemons.of(rule.settings)
    if is_daemon(owner, (*KNOWN_DAEMONS, *options.daemons)):
        return
    for template in owner.templates:
        if template.spec is UNKNOWN:
            yield rule.unjudged(owner.place, f"the containers of {template.path}, not known before creation")
            continue
        if is_device_plugin(owner, template):
            continue
        for kind in ("initContainers", "containers"):
            if value_at(template.spec, kind) is UNKNOWN:
                yield rule.unjudged(owner.place, f"the {kind} of {template.path}, not known before creation")
            for container in mappings_at(template.spec, kind):
                given = _privileged(container)
                name = container.get("name")
                if given is UNKNOWN:
                    yield rule.unjudged(owner.place, f"whether {name} of {template.path} is privileged")
                elif given:
                    got = f"the container {name} of {template.path} is {given}"
                    remedy = "remove it, and ask for devices under resources.limits"
                    yield rule.finding(owner.place, got, remedy)


def _privileged(container: Mapping[str, Any]) -> Any:
    """What makes a container root on its node, in words."""
    privileged = value_at(container, "securityContext", "privileged")
    added = value_at(container, "securityContext", "capabilities", "add")
    if privileged is True:
        return "privileged (securityContext.privileged)"
    listed = added if isinstance(added, list) else []
    if wide := sorted(_AS_GOOD & {each for each in listed if isinstance(each, str)}):
        return f"as good as privileged (capability {wide[0]})"
    return UNKNOWN if UNKNOWN in (privileged, added, *listed) else ""


_CLOSED = (
    *("/etc", "/root", "/boot", "/proc", "/run/containerd", "/var/run/containerd", "/var/run/docker.sock"),
    *("/run/docker.sock", "/var/lib/kubelet", "/var/lib/containerd"),
)
"""Where a node keeps credentials, and what runs on it."""

_HARMLESS = ("/etc/localtime", "/etc/timezone", "/etc/os-release", "/etc/machine-id")
"""Files that tell where a node is and what, and nothing else."""


class Mounts(Options):
    """Who may mount what, beside device plugins and the daemons that are known."""

    daemons: tuple[str, ...] = Field(default=(), description="Names of DaemonSets (`*` for anything).")
    paths: tuple[str, ...] = Field(
        default=(), description="Paths, and whatever is below them, that pods may mount all the same."
    )


@rule(
    "pods-off-host-files",
    title="Pods do not mount their node's own files",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="With the node's root, its /etc or the kubelet's folder a pod has the node: its credentials, other pods' "
    "secrets, its container runtime. Local disks, /dev/shm and caches stand elsewhere.",
    source="Kubernetes, Pod Security Standards",
    remedy="Mount the folder that is needed alone, or a volume of another kind.",
    facts=("pod-security#baseline",),
    options=Mounts,
)
def pods_off_host_files(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    options = Mounts.of(rule.settings)
    if is_daemon(owner, (*KNOWN_DAEMONS, *options.daemons)):
        return
    meant = [PurePosixPath(each) for each in (*_HARMLESS, *options.paths)]
    for template in owner.templates:
        volumes = value_at(template.spec, "volumes")
        if volumes is UNKNOWN or (isinstance(volumes, list) and UNKNOWN in volumes):
            yield rule.unjudged(owner.place, f"the volumes of {template.path}, not known before creation")
        allowed = [*meant, PLUGINS] if is_device_plugin(owner, template) else meant
        for name, path in host_paths(template).items():
            if path is UNKNOWN:
                what = f"what {template.path} mounts of its node (volume {name}), not known before creation"
                yield rule.unjudged(owner.place, what)
            elif _is_the_nodes_own(path) and not any(is_or_below(path, each) for each in allowed):
                yield rule.finding(
                    owner.place,
                    got=f"{template.path} mounts {path} of its node (volume {name})",
                    remedy="mount the folder that is needed alone, or an emptyDir, or a volume claim",
                )


def _is_the_nodes_own(path: PurePosixPath) -> bool:
    """One of these folders, what is in it, or what it is in."""
    closed = [PurePosixPath(each) for each in _CLOSED]
    return any(is_or_below(path, each) or path in each.parents for each in closed)


_NAMESPACES = ("hostIPC", "hostNetwork", "hostPID")


class HostNamespaceDaemons(Options):
    """Who may, beside device plugins and the daemons that are known."""

    daemons: tuple[str, ...] = Field(default=(), description="Names of DaemonSets (`*` for anything).")


@rule(
    "pods-off-host-namespaces",
    title="Pods have processes, memory and a network of their own",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="On the node's network a pod reaches the metadata service, and so the node's role, whatever the hop limit; "
    "among its processes it reads other pods' environments. EFA needs neither. Advice, as some published jobs ask "
    "for the network.",
    source="Kubernetes, Pod Security Standards",
    remedy="Leave hostNetwork, hostPID and hostIPC out.",
    facts=("pod-security#baseline",),
    options=HostNamespaceDaemons,
)
def pods_off_host_namespaces(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    options = HostNamespaceDaemons.of(rule.settings)
    if is_daemon(owner, (*KNOWN_DAEMONS, *options.daemons)):
        return
    for template in owner.templates:
        if template.spec is not UNKNOWN and is_device_plugin(owner, template):
            continue
        given = {name: value_at(template.spec, name) for name in _NAMESPACES}
        if shared := [name for name, value in given.items() if value is True]:
            got = f"{template.path} asks for its node's own: {and_list(shared)}"
            yield rule.finding(owner.place, got, f"leave {and_list(shared)} out")
        elif UNKNOWN in given.values():
            yield rule.unjudged(owner.place, f"what {template.path} shares with its node, not known before creation")
