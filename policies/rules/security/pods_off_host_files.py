"""Pods that mount their node."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from pydantic import Field

from muster.fleet.resources import Fleet, PodOwner
from muster.fleet.unknown import UNKNOWN
from policies.options import Options
from policies.reading.daemons import KNOWN_DAEMONS, PLUGINS, host_paths, is_daemon, is_device_plugin, is_or_below
from policies.reading.unknowns import found_at
from policies.rule import Rule, Verdict, rule

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
        volumes = found_at(template.spec, "volumes")
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
