"""Names of queues and compute resources."""

import re
from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, Queue
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule

_FORM = re.compile(r"[a-z][a-z0-9-]*")
_LONGEST = 25
_RESERVED = "default"


@rule(
    "parallelcluster-names-legal",
    title="ParallelCluster takes the names of queues and compute resources",
    judges=Queue | ComputeResource,
    backends=("parallelcluster",),
    why="Slurm's nodes are called QUEUE-st-RESOURCE-1, which is also their host name. A description's own types refuse "
    "other names.",
    source="aws-parallelcluster 3.16.1, NameValidator",
    remedy="Take up to 25 lower-case letters, digits and dashes.",
    facts=("rules.md#61", "hardware.md#R22"),
)
def parallelcluster_names_legal(thing: Queue | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    what = "queue" if isinstance(thing, Queue) else "compute resource"
    if thing.name is UNKNOWN:
        yield rule.unjudged(thing.place, f"the name of the {what} {thing.ref.name}, not known before creation")
    elif not thing.name:
        got = f"the {what} {thing.ref.name} has no name"
        yield rule.finding(thing.place, got, f"give the {what} one, as in training")
    elif not _FORM.fullmatch(thing.name) or len(thing.name) > _LONGEST or thing.name == _RESERVED:
        counted = f" ({len(thing.name)} characters)" if len(thing.name) > _LONGEST else ""
        remedy = f"begin with a letter, take up to {_LONGEST} lower-case letters, digits and dashes"
        yield rule.finding(
            thing.place,
            got=f"'{thing.name}'{counted} is no name for a {what}",
            remedy=f"take another than {_RESERVED}" if thing.name == _RESERVED else remedy,
        )
