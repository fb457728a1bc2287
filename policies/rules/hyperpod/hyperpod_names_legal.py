"""Names of HyperPod clusters and their groups."""

import re
from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule

_FORM = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
_LONGEST = 63


@rule(
    "hyperpod-names-legal",
    title="HyperPod takes the names of the cluster and of its groups",
    judges=HyperPodCluster | InstanceGroup,
    backends=("hyperpod",),
    why="A name has 1 to 63 letters, digits and dashes, no dash at either end. Groups' names become part of nodes' "
    "labels and of the addresses of their sessions. A description's own types refuse others.",
    source="SageMaker API, ClusterName and ClusterInstanceGroupName",
    remedy="Take letters, digits and dashes.",
    facts=("rules.md#57", "hardware.md#R19"),
)
def hyperpod_names_legal(thing: HyperPodCluster | InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = thing.ref.name if isinstance(thing, InstanceGroup) and thing.name == "" else thing.name
    what = "cluster" if isinstance(thing, HyperPodCluster) else "instance group"
    if name is None and isinstance(thing, HyperPodCluster):
        return  # CloudFormation makes one up
    if name is UNKNOWN:
        yield rule.unjudged(thing.place, f"the name of the {what} {thing.ref.name}, not known before creation")
    elif not name:
        yield rule.finding(thing.place, f"{thing.ref.name} has no name", f"give the {what} one, as in workers")
    elif len(name) > _LONGEST or not _FORM.fullmatch(name):
        counted = f" ({len(name)} characters)" if len(name) > _LONGEST else ""
        yield rule.finding(
            thing.place,
            got=f"'{name}'{counted} is no name for a HyperPod {what}",
            remedy=f"take up to {_LONGEST} letters, digits and dashes, a letter or digit at either end",
        )
