"""Keys and tokens in what everybody may read."""

from base64 import b64decode
from collections.abc import Iterator
from typing import Any

from muster.fleet.resources import Fleet, HeadNode, LaunchTemplate, PodOwner, Queue
from muster.fleet.unknown import UNKNOWN
from policies.reading.credentials import credentials_in
from policies.reading.unknowns import mappings_at
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import some

_Clear = LaunchTemplate | PodOwner | HeadNode | Queue


@rule(
    "credentials-not-in-the-clear",
    title="No keys and tokens in user data, in arguments of scripts, or in the environment of pods",
    severity=Severity.CRITICAL,
    judges=LaunchTemplate | PodOwner | HeadNode | Queue,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="User data is read by everything on the instance, a pod's environment by whoever may list pods, a script's "
    "arguments by whoever may log in; each stands in the state of the stack, too. Keys that were there once are "
    "everybody's.",
    source="EC2 user guide, Run commands when you launch an EC2 instance with user data input; Kubernetes, RBAC Good "
    "Practices",
    remedy="Give nodes and pods roles, and read tokens from Secrets Manager or a Secret.",
    facts=("aws-controls#secretsmanager",),
)
def credentials_not_in_the_clear(thing: _Clear, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for where, text in _texts(thing):
        if text is UNKNOWN:
            yield rule.unjudged(thing.place, f"{where}, not known before creation")
        elif held := credentials_in(text):
            yield rule.finding(
                thing.place,
                at="post-install" if isinstance(thing, HeadNode | Queue) else "",
                got=f"{some(held)} in {where}",
                remedy="withdraw it, as others may have read it, and read the next one from Secrets Manager or a "
                "Secret; for AWS itself give a role",
            )


def _texts(thing: _Clear) -> Iterator[tuple[str, Any]]:
    """Where what stands. What only creation brings into user data, a cluster's address, is no fault of its kind."""
    if isinstance(thing, LaunchTemplate):
        if isinstance(thing.user_data, str):
            yield "user data", _opened(thing.user_data)
    elif isinstance(thing, PodOwner):
        for template in thing.templates:
            if template.spec is UNKNOWN:
                yield template.path, UNKNOWN
                continue
            for kind in ("initContainers", "containers"):
                for container in mappings_at(template.spec, kind):
                    said = {str(each.get("name")): each.get("value") for each in mappings_at(container, "env")}
                    where = f"{template.path}.{kind}, {container.get('name')}"
                    yield where, [said, container.get("command") or [], container.get("args") or []]
    elif thing.scripts is not UNKNOWN:
        for script in thing.scripts:
            # An argument that the template has from elsewhere is no text of its own.
            yield f"the arguments of {script.at}", script.arguments if script.arguments is not UNKNOWN else ()


def _opened(user_data: str) -> str:
    """As text; what is no base64 stands as it is."""
    try:
        return b64decode(user_data, validate=True).decode(errors="replace")
    except ValueError:
        return user_data
