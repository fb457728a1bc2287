"""Privileges, host files and host namespaces of pods."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from pydantic import Field

from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Fleet, PodOwner
from muster.plain_data import mappings_at, value_at
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.pods import KNOWN_DAEMONS, PLUGINS, host_paths, is_daemon, is_device_plugin, is_or_below
from muster.unknown import UNKNOWN

_AS_GOOD = frozenset({"ALL", "SYS_ADMIN"})
"""Capabilities that are equivalent to being privileged."""


class PrivilegedDaemons(Options):
    """Daemons that may be privileged besides device plugins and the known daemons."""

    daemons: tuple[str, ...] = Field(default=(), description="Names of DaemonSets. `*` matches any text.")


@rule(
    "pods-not-privileged",
    title="Only device plugins and node daemons are privileged",
    judges=PodOwner,
    backends=ON_KUBERNETES,
    why="A privileged container is root on its node: it can read the secrets of every other pod, and the node's "
    "credentials. Neither EFA nor GPUs need it, because their device plugins give a container its devices.",
    source="Kubernetes, Pod Security Standards",
    remedy="Request devices under resources.limits, and single capabilities such as IPC_LOCK.",
    facts=("pod-security#baseline",),
    options=PrivilegedDaemons,
)
def pods_not_privileged(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    options = PrivilegedDaemons.of(rule.settings)
    if is_daemon(owner, (*KNOWN_DAEMONS, *options.daemons)):
        return
    for template in owner.templates:
        if template.spec is UNKNOWN:
            yield rule.unjudged(owner.place, f"the containers of {template.path} (known only after `pulumi up`)")
            continue
        if is_device_plugin(owner, template):
            continue
        for kind in ("initContainers", "containers"):
            if value_at(template.spec, kind) is UNKNOWN:
                yield rule.unjudged(owner.place, f"the {kind} of {template.path} (known only after `pulumi up`)")
            for container in mappings_at(template.spec, kind):
                given = _privileged(container)
                name = container.get("name")
                if given is UNKNOWN:
                    yield rule.unjudged(owner.place, f"whether container {name} of {template.path} is privileged")
                elif given:
                    got = f"container {name} of {template.path} is {given}"
                    remedy = "remove this setting, and request devices under resources.limits"
                    yield rule.finding(owner.place, got, remedy)


def _privileged(container: Mapping[str, Any]) -> Any:
    """What makes a container root on its node, in words."""
    privileged = value_at(container, "securityContext", "privileged")
    added = value_at(container, "securityContext", "capabilities", "add")
    if privileged is True:
        return "privileged (securityContext.privileged)"
    listed = added if isinstance(added, list) else []
    if wide := sorted(_AS_GOOD & {each for each in listed if isinstance(each, str)}):
        return f"equivalent to privileged (capability {wide[0]})"
    return UNKNOWN if UNKNOWN in (privileged, added, *listed) else ""


_CLOSED = (
    *("/etc", "/root", "/boot", "/proc", "/run/containerd", "/var/run/containerd", "/var/run/docker.sock"),
    *("/run/docker.sock", "/var/lib/kubelet", "/var/lib/containerd"),
)
"""Paths where a node keeps credentials, and what runs on it."""

_HARMLESS = ("/etc/localtime", "/etc/timezone", "/etc/os-release", "/etc/machine-id")
"""Files that only describe the node's system and time zone."""


class Mounts(Options):
    """Daemons and paths that are allowed besides device plugins and the known daemons."""

    daemons: tuple[str, ...] = Field(default=(), description="Names of DaemonSets. `*` matches any text.")
    paths: tuple[str, ...] = Field(
        default=(), description="Paths that pods may mount, including everything below them."
    )


@rule(
    "pods-off-host-files",
    title="Pods do not mount their node's own files",
    judges=PodOwner,
    backends=ON_KUBERNETES,
    why="A pod that mounts the node's root, its /etc or the kubelet's directory controls the node: its credentials, "
    "the secrets of other pods, its container runtime. Local disks, /dev/shm and caches are in other directories.",
    source="Kubernetes, Pod Security Standards",
    remedy="Mount only the directory that the pod needs, or use another kind of volume.",
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
            yield rule.unjudged(owner.place, f"the volumes of {template.path} (known only after `pulumi up`)")
        allowed = [*meant, PLUGINS] if is_device_plugin(owner, template) else meant
        for name, path in host_paths(template).items():
            if path is UNKNOWN:
                what = (
                    f"the path on the node that {template.path} mounts (volume {name}) (known only after `pulumi up`)"
                )
                yield rule.unjudged(owner.place, what)
            elif _is_the_nodes_own(path) and not any(is_or_below(path, each) for each in allowed):
                yield rule.finding(
                    owner.place,
                    got=f"{template.path} mounts the node's {path} (volume {name})",
                    remedy="mount only the directory that the pod needs, or an emptyDir, or a volume claim",
                )


def _is_the_nodes_own(path: PurePosixPath) -> bool:
    """Whether a path is one of these directories, inside one, or contains one."""
    closed = [PurePosixPath(each) for each in _CLOSED]
    return any(is_or_below(path, each) or path in each.parents for each in closed)


_NAMESPACES = ("hostIPC", "hostNetwork", "hostPID")


class HostNamespaceDaemons(Options):
    """Daemons that may use host namespaces besides device plugins and the known daemons."""

    daemons: tuple[str, ...] = Field(default=(), description="Names of DaemonSets. `*` matches any text.")


@rule(
    "pods-off-host-namespaces",
    title="Pods do not share the processes, memory or network of their node",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=PodOwner,
    backends=ON_KUBERNETES,
    why="On the node's network, a pod reaches the metadata service and so the node's role, with any hop limit. Among "
    "the node's processes, it can read the environments of other pods. EFA needs neither. The rule is advisory, "
    "because some published jobs request the node's network.",
    source="Kubernetes, Pod Security Standards",
    remedy="Remove hostNetwork, hostPID and hostIPC.",
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
            namespaces = singular_or_plural(shared, "a namespace", "namespaces")
            got = f"{template.path} shares {namespaces} with its node ({and_list(shared)})"
            yield rule.finding(owner.place, got, f"remove {and_list(shared)}")
        elif UNKNOWN in given.values():
            yield rule.unjudged(
                owner.place, f"the namespaces that {template.path} shares with its node (known only after `pulumi up`)"
            )
