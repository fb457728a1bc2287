"""Pods that see their node's processes and network."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, PodOwner
from muster.fleet.unknown import UNKNOWN
from policies.options import Options
from policies.reading.daemons import KNOWN_DAEMONS, is_daemon, is_device_plugin
from policies.reading.unknowns import found_at
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import some

_NAMESPACES = ("hostIPC", "hostNetwork", "hostPID")


class Daemons(Options):
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
    options=Daemons,
)
def pods_off_host_namespaces(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    options = Daemons.of(rule.settings)
    if is_daemon(owner, (*KNOWN_DAEMONS, *options.daemons)):
        return
    for template in owner.templates:
        if template.spec is not UNKNOWN and is_device_plugin(owner, template):
            continue
        said = {name: found_at(template.spec, name) for name in _NAMESPACES}
        if shared := [name for name, value in said.items() if value is True]:
            got = f"{template.path} asks for its node's own: {some(shared)}"
            yield rule.finding(owner.place, got, f"leave {some(shared)} out")
        elif UNKNOWN in said.values():
            yield rule.unjudged(owner.place, f"what {template.path} shares with its node, not known before creation")
