"""Lifecycle scripts, and the buckets that they are in."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from pydantic import Field

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, InstanceGroup, LifecycleBundle, NodeRole, Ref
from muster.message_text import list_names, or_list
from muster.policies.engine.finding_text import name_of
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import display_name
from muster.policies.lookups.s3_access import SAGEMAKER_BUCKETS, reads_every_bucket
from muster.unknown import NotKnown, known, stored

_S3 = "s3://"


def lifecycle_script_in_bundle(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle = group.lifecycle
    source = lifecycle.source if lifecycle else None
    script = lifecycle.on_create or lifecycle.on_init_complete if lifecycle else None
    if lifecycle is None or script is None or source is None:
        return  # SageMaker refuses these
    if isinstance(source, Ref):
        bundle, where, folder = fleet.find(LifecycleBundle, source), name_of(source), stored(lifecycle, "folder", None)
        there = bundle.files if bundle else None
        if not there:  # another program may fill a bucket that this program puts nothing into
            raise NotKnown(f"whether {script} is uploaded to bucket {where}")
    elif not source.startswith(_S3):
        return  # lifecycle-source-prefix reports these
    else:
        where, _, folder = source.removeprefix(_S3).strip("/").partition("/")
        if fleet.gone(ResourceKind.BUCKET, where):
            return
        observed = fleet.facts.buckets.get(where) if fleet.facts else None
        there = fleet.need(observed.files if observed else None, f"the files of bucket {where}")
    path = script if not folder else f"{folder}/{script}"
    # Of a folder that is not known, any may be it.
    if not (path in there or (folder is None and any(each.endswith(f"/{script}") for each in there))):
        got = f"{display_name(group)} runs {path}, but bucket {where} has {list_names(sorted(there)) or 'no files'}"
        change = f"upload {script} before the cluster is created, or name a script that is in the bucket"
        yield rule.finding(group, "hyperpod.lifecycle", got=got, change=change)


class Buckets(Options):
    """Buckets that the instances' role may read."""

    prefixes: tuple[str, ...] = Field(
        default=("sagemaker-",),
        min_length=1,
        description="Prefixes of the names of buckets that the instances' role may read. Add prefixes that your own "
        "policy of the role allows beyond AWS's managed policy.",
    )


def lifecycle_source_prefix(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle = group.lifecycle
    source = lifecycle.source if lifecycle else None
    if lifecycle is None or source is None:
        return
    bundle = fleet.find(LifecycleBundle, source)
    address = f"{_S3}{bundle.name}" if bundle and bundle.name else source
    if isinstance(address, Ref):
        raise NotKnown(f"the name of the bucket {name_of(address)}")
    prefixes = Buckets.of(rule.settings).prefixes
    role = fleet.find(NodeRole, group.role)
    if role is None and fleet.backend:
        return  # the role that Muster creates may read the bucket
    by_name = address.startswith(tuple(f"{_S3}{each}" for each in prefixes))
    if by_name and role is None:
        return
    bucket, _, folder = address.removeprefix(_S3).partition("/")
    script = lifecycle.on_create or lifecycle.on_init_complete
    if role and _granted("/".join(filter(None, (bucket, folder.strip("/"), script))), role, by_name=by_name):
        return
    begin = or_list(f"{_S3}{each}" for each in prefixes)
    why = "which no policy of their role allows to read" if role else f"but by default they read only {begin}..."
    got = f"the scripts of {display_name(group)} are in {address}, {why}"
    named = () if by_name else (f"use a bucket whose name begins with {or_list(prefixes)}",)
    allow = (
        f"attach {SAGEMAKER_BUCKETS} to the role" if by_name else "allow s3:GetObject on them in a policy of the role"
    )
    place = "" if bundle else "hyperpod.lifecycle"
    # A role that is not in the program may have such a policy, and another program may attach SageMaker's to this one.
    sure = rule if role and not by_name else rule.advice
    yield sure.finding(bundle or group, place, got=got, change=(*named, allow))


def _granted(key: str, role: NodeRole, *, by_name: bool) -> bool:
    """Whether policies allow the role to read an object; SageMaker's managed policy does by the name of the bucket."""
    policies = stored(role, "policies", ())
    if by_name and any(each.endswith(f"/{SAGEMAKER_BUCKETS}") for each in policies):
        return True
    arns = [f"arn:{partition}:s3:::{key}" for partition in ("aws", "aws-cn", "aws-us-gov")]
    by_managed = reads_every_bucket(policies)
    reading = [
        each
        for each in stored(role, "statements", ())
        if any(fnmatchcase("s3:getobject", one.lower()) for one in each.actions)
    ]
    if by_managed or any(fnmatchcase(arn, resource) for each in reading for arn in arns for resource in each.resources):
        return True
    if by_managed is None or any("" in each.resources for each in reading) or _has_more(role):
        raise NotKnown(f"whether a role of the program may read {_S3}{key}")
    return False


def _has_more(role: NodeRole) -> bool:
    """Whether not all of what a role's policies allow is known."""
    return role.more_statements or role.more_policies or not known(lambda: (role.statements, role.policies))
