"""Templates that CloudFormation, or Muster, cannot read."""

from collections.abc import Iterator

from muster.fleet.resources import ClosedTemplate, Fleet, ParallelCluster
from muster.policies.engine.rule import Rule, Verdict
from muster.unknown import NotKnown


def parallelcluster_template_readable(
    thing: ParallelCluster | ClosedTemplate, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(thing, ParallelCluster):
        return  # it was read
    if thing.fault:
        yield rule.finding(thing, "", got=thing.fault, change=thing.remedy)
    if thing.missing:
        raise NotKnown(thing.missing)
