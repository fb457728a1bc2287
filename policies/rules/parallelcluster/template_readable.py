"""Templates that CloudFormation, or Muster, cannot read."""

from collections.abc import Iterator

from muster.fleet.resources import ClosedTemplate, Fleet, ParallelCluster
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import NotKnown


@rule(
    "parallelcluster-template-readable",
    title="CloudFormation accepts the template of a cluster, and Muster can read its whole configuration",
    judges=ParallelCluster | ClosedTemplate,
    backends=("parallelcluster",),
    why="CloudFormation accepts a template of at most 51,200 bytes in a request, as JSON or YAML. AWS's provider "
    "accepts a configuration of keys and values. No other rule can evaluate what a preview hides.",
    source=(
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cloudformation/custom_resource/cluster.yaml",
    ),
    remedy="Write the template in full, with ids as parameters. Put a long template into a bucket.",
    facts=("hardware.md#g1",),
)
def parallelcluster_template_readable(
    thing: ParallelCluster | ClosedTemplate, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(thing, ParallelCluster):
        return  # it was read
    if thing.fault:
        yield rule.finding(thing, "", got=thing.fault, change=thing.remedy)
    if thing.missing:
        raise NotKnown(thing.missing)
