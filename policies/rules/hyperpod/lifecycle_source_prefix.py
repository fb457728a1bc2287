"""Buckets that HyperPod's instances may read."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from pydantic import Field

from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.resources import Fleet, InstanceGroup, LifecycleBundle, NodeRole, Ref
from muster.fleet.resources.iam import Statement
from muster.message_text import or_list
from muster.policies.engine.finding_text import name_of
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.hyperpod import display_name
from muster.unknown import NotKnown, known, stored

_S3 = "s3://"


class Buckets(Options):
    """Buckets that the instances' role may read."""

    prefixes: tuple[str, ...] = Field(
        default=("sagemaker-",),
        min_length=1,
        description="Prefixes of the names of buckets that the instances' role may read. Add prefixes that your own "
        "policy of the role allows beyond AWS's managed policy.",
    )


@rule(
    "lifecycle-source-prefix",
    title="Lifecycle scripts are in a bucket that the instances' role may read",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="The managed policy of HyperPod's instances lets them read buckets whose names begin with sagemaker-. For any "
    "other bucket, IAM denies the download and HyperPod rolls the cluster back, unless the role has a policy for it.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterLifeCycleConfig.html",
        "https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AmazonSageMakerClusterInstanceRolePolicy.html",
    ),
    remedy="Use a bucket whose name begins with sagemaker-, or grant the role s3:GetObject on the bucket.",
    facts=("rules.md#60", "pains.md#8"),
    options=Buckets,
)
def lifecycle_source_prefix(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    source = group.lifecycle.source if group.lifecycle else None
    if source is None:
        return
    bundle = fleet.find(LifecycleBundle, source)
    name = bundle.name if bundle else None if isinstance(source, Ref) else source.removeprefix(_S3).partition("/")[0]
    if name is None:
        raise NotKnown(f"the name of the bucket {name_of(source)}")
    prefixes = Buckets.of(rule.settings).prefixes
    if (f"{_S3}{name}" if bundle else str(source)).startswith(tuple(f"{_S3}{each}" for each in prefixes)):
        return
    roles = fleet.of(NodeRole)
    if fleet.backend and not roles:
        return  # in a description: the role that Muster creates may read the bucket
    if _granted(name, roles):
        return
    # A role that is not in the program may have a policy for the bucket.
    sure = rule if roles else rule.advice
    readable = or_list(f"{_S3}{each}" for each in prefixes)
    where = f"bucket {name}" if bundle else str(source)
    yield sure.finding(
        bundle or group,
        "" if bundle else "hyperpod.lifecycle",
        got=f"the scripts of {display_name(group)} are in {where}, but its instances may read only addresses "
        f"that begin with {readable}",
        change=f"use a bucket whose name begins with {or_list(prefixes)}",
    )


def _granted(bucket: str, roles: tuple[NodeRole, ...]) -> bool:
    """Whether policies of the program allow a role of instances to read the bucket."""
    seen: list[Statement] = [each for role in roles for each in stored(role, "statements", ())]
    if any(_reads(each, bucket) for each in seen):
        return True
    if any("" in each.resources and _gets_objects(each) for each in seen) or any(map(_has_more, roles)):
        raise NotKnown(f"whether a role of the program may read bucket {bucket}")
    return False


def _has_more(role: NodeRole) -> bool:
    """Whether not all of what a role's policies allow is known."""
    return role.more_statements or role.more_policies or not known(lambda: (role.statements, role.policies))


def _reads(statement: Statement, bucket: str) -> bool:
    """Whether a statement allows reading every object of the bucket, in any partition."""
    arns = [f"arn:{partition}:s3:::{bucket}/x" for partition in ("aws", "aws-cn", "aws-us-gov")]
    named = any(fnmatchcase(arn, resource) for arn in arns for resource in statement.resources)
    return named and _gets_objects(statement)


def _gets_objects(statement: Statement) -> bool:
    return any(fnmatchcase("s3:getobject", action.lower()) for action in statement.actions)
