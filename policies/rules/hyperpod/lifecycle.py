"""Lifecycle scripts, and the buckets that they are in."""

from collections.abc import Collection, Iterator
from fnmatch import fnmatchcase

from pydantic import Field

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, InstanceGroup, Lifecycle, LifecycleBundle, NodeRole, Ref
from muster.fleet.resources.iam import Statement
from muster.message_text import list_names
from muster.policies.engine.finding_text import name_of, or_list
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import display_name
from muster.unknown import NotKnown, known, stored

S3 = "s3://"


def bucket_and_folder(lifecycle: Lifecycle) -> tuple[str, str | None]:
    """The name of the bucket of an address, empty for a bucket of the program; and the folder there, None if it is not
    known."""
    if not isinstance(lifecycle.source, str):
        return "", stored(lifecycle, "folder", None)
    bucket, _, folder = lifecycle.source.removeprefix(S3).partition("/")
    return bucket, folder.strip("/")


def holds(keys: Collection[str], folder: str | None, script: str) -> bool:
    """Whether a script is among a bucket's objects: in its folder, or in any folder if that is not known."""
    if folder is not None:
        return (f"{folder}/{script}" if folder else script) in keys
    return any(each == script or each.endswith(f"/{script}") for each in keys)


def lifecycle_script_in_bundle(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle = group.lifecycle
    script = lifecycle.on_create or lifecycle.on_init_complete if lifecycle else None
    if lifecycle is None or script is None or lifecycle.source is None:
        return  # SageMaker refuses these
    if isinstance(lifecycle.source, str) and not lifecycle.source.startswith(S3):
        return  # lifecycle-source-prefix reports these
    bucket, folder = bucket_and_folder(lifecycle)
    if fleet.gone(ResourceKind.BUCKET, bucket):
        return
    bundle = fleet.find(LifecycleBundle, lifecycle.source)
    observed = fleet.facts.buckets.get(bucket) if fleet.facts else None
    there = bundle.files if bundle else observed.files if observed else None
    where = name_of(lifecycle.source) if isinstance(lifecycle.source, Ref) else bucket
    if isinstance(lifecycle.source, Ref) and not there:
        # Another program may fill a bucket that this program puts nothing into.
        raise NotKnown(f"whether {script} is uploaded to bucket {where}")
    there = fleet.need(there, f"the files of bucket {where}")
    if not holds(there, folder, script):
        found = f"the bucket has {list_names(sorted(there))}" if there else "the bucket has no files"
        yield rule.finding(
            group,
            "hyperpod.lifecycle",
            got=f"{display_name(group)} runs {script}, which is not in {where}{f'/{folder}' if folder else ''}: "
            f"{found}",
            change=f"upload {script} before the cluster is created, or name a script that is in the bucket",
        )


_S3 = "s3://"


class Buckets(Options):
    """Buckets that the instances' role may read."""

    prefixes: tuple[str, ...] = Field(
        default=("sagemaker-",),
        min_length=1,
        description="Prefixes of the names of buckets that the instances' role may read. Add prefixes that your own "
        "policy of the role allows beyond AWS's managed policy.",
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
