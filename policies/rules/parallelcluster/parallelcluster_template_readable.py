"""Templates that CloudFormation, or Muster, cannot read."""

from collections.abc import Iterator

from muster.fleet.resources import ClosedTemplate, Fleet, ParallelCluster
from policies.engine.rule import Rule, Verdict, rule


@rule(
    "parallelcluster-template-readable",
    title="The template of a cluster is one that CloudFormation takes, and says the whole configuration",
    judges=ParallelCluster | ClosedTemplate,
    backends=("parallelcluster",),
    why="CloudFormation takes 51,200 bytes in a request, as JSON or YAML, and AWS's provider a configuration of keys "
    "and values. What is hidden in a preview, no other rule about the cluster can judge.",
    source="CloudFormation user guide, quotas; aws-parallelcluster, cloudformation/custom_resource/cluster.yaml",
    remedy="Write the template out, with ids as parameters, and put a long one into a bucket.",
    facts=("hardware.md#g1",),
)
def parallelcluster_template_readable(
    thing: ParallelCluster | ClosedTemplate, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(thing, ParallelCluster):
        return  # it was read
    if thing.fault:
        yield rule.finding(thing.place, thing.fault, thing.remedy)
    if thing.missing:
        yield rule.unjudged(thing.place, thing.missing)
