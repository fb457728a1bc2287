"""DevSettings and their timeouts."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, HeadNode, ParallelCluster
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.unknown import UNKNOWN

_FOR_USERS = frozenset({"Timeouts"})


@rule(
    "parallelcluster-dev-settings-absent",
    title="A cluster sets no DevSettings except timeouts",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Custom cookbooks, templates and instance data replace what AWS tested the version with. ParallelCluster's "
    "guide does not document these settings for users, and an update may revert them.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/schemas/cluster_schema.py#L1142",
        "https://docs.aws.amazon.com/parallelcluster/latest/ug/cluster-configuration-file-v3.html",
    ),
    remedy="Remove all DevSettings except Timeouts.",
    facts=("hardware.md#R22",),
)
def parallelcluster_dev_settings_absent(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.dev_settings is UNKNOWN:
        yield rule.unjudged(cluster.place, "DevSettings (known only after `pulumi up`)")
    elif others := cluster.dev_settings - _FOR_USERS:
        got = f"DevSettings sets {and_list(others)}, which ParallelCluster does not document for users"
        remedy = f"remove {and_list(others)}, and use your own image or scripts instead"
        yield rule.finding(cluster.place, got, remedy, at="version")  # they replace what AWS tested the version with


_MOST = 50
"""Minutes. The rest of the hour is for the resources around the head node."""


@rule(
    "parallelcluster-head-ready-in-time",
    title="A head node that CloudFormation waits for has a timeout of at most 50 minutes",
    severity=Severity.MEDIUM,
    judges=HeadNode,
    backends=("parallelcluster",),
    why="CloudFormation waits at most an hour for the whole cluster, which is a custom resource. A head node that may "
    "take longer is still starting when CloudFormation fails and rolls the stack back.",
    source=(
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-customresource.html",
    ),
    remedy="Set a shorter timeout, and move what takes long into an image.",
    facts=("hardware.md#g1",),
)
def parallelcluster_head_ready_in_time(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if head.seconds is UNKNOWN:
        yield rule.unjudged(head.place, "the timeout of the head node (known only after `pulumi up`)")
    elif head.seconds is not None and head.seconds > _MOST * 60:
        yield rule.finding(
            head.timed_at or head.place,
            at="timeout-minutes" if head.timed_at else "post-install.timeout-minutes",
            got=f"the head node may take {head.seconds // 60} minutes to start, but CloudFormation waits 60 minutes "
            "for the whole cluster",
            remedy=f"set the timeout to {_MOST} minutes or less, and move what takes longer into your own image",
            program_remedy=f"set DevSettings.Timeouts.HeadNodeBootstrapTimeout to at most {_MOST * 60}, and move what "
            "takes longer into your own image",
        )
