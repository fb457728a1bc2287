"""Containers that are their node."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from muster.fleet.resources import Fleet, PodOwner
from muster.fleet.unknown import UNKNOWN
from policies.options import Options
from policies.reading.daemons import KNOWN_DAEMONS, is_daemon, is_device_plugin
from policies.reading.unknowns import found_at, mappings_at
from policies.rule import Rule, Verdict, rule

_AS_GOOD = frozenset({"ALL", "SYS_ADMIN"})
"""Capabilities that are as much as being privileged."""


class Daemons(Options):
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
    options=Daemons,
)
def pods_not_privileged(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    options = Daemons.of(rule.settings)
    if is_daemon(owner, (*KNOWN_DAEMONS, *options.daemons)):
        return
    for template in owner.templates:
        if template.spec is UNKNOWN:
            yield rule.unjudged(owner.place, f"the containers of {template.path}, not known before creation")
            continue
        if is_device_plugin(owner, template):
            continue
        for kind in ("initContainers", "containers"):
            if found_at(template.spec, kind) is UNKNOWN:
                yield rule.unjudged(owner.place, f"the {kind} of {template.path}, not known before creation")
            for container in mappings_at(template.spec, kind):
                said = _said(container)
                name = container.get("name")
                if said is UNKNOWN:
                    yield rule.unjudged(owner.place, f"whether {name} of {template.path} is privileged")
                elif said:
                    got = f"the container {name} of {template.path} is {said}"
                    remedy = "remove it, and ask for devices under resources.limits"
                    yield rule.finding(owner.place, got, remedy)


def _said(container: Mapping[str, Any]) -> Any:
    """What makes a container root on its node, in words."""
    privileged = found_at(container, "securityContext", "privileged")
    added = found_at(container, "securityContext", "capabilities", "add")
    if privileged is True:
        return "privileged (securityContext.privileged)"
    listed = added if isinstance(added, list) else []
    if wide := sorted(_AS_GOOD & {each for each in listed if isinstance(each, str)}):
        return f"as good as privileged (capability {wide[0]})"
    return UNKNOWN if UNKNOWN in (privileged, added, *listed) else ""
