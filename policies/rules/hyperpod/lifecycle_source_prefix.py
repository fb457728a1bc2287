"""The bucket that HyperPod's instances may read."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.resources import Fleet, InstanceGroup, Lifecycle, LifecycleBundle, Ref
from muster.fleet.unknown import UNKNOWN
from policies.options import Options
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule
from policies.words import choice, name_of


class Buckets(Options):
    """What the instances' role may read."""

    prefixes: tuple[str, ...] = Field(
        default=("sagemaker-",),
        min_length=1,
        description="How the names of buckets begin that the instances' role may read: more than AWS's managed policy "
        "allows, where the role has a policy of your own.",
    )


@rule(
    "lifecycle-source-prefix",
    title="Lifecycle scripts are in a bucket whose name begins with sagemaker-",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="The managed policy of HyperPod's instances lets them read buckets of such names only: from any other the "
    "download is denied, and the cluster is taken back.",
    source="SageMaker API, ClusterLifeCycleConfig (SourceS3Uri); IAM policy AmazonSageMakerClusterInstanceRolePolicy",
    remedy="Take a bucket whose name begins with sagemaker-.",
    facts=("rules.md#60", "pains.md#8"),
    options=Buckets,
)
def lifecycle_source_prefix(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle = group.lifecycle
    source = lifecycle.source if isinstance(lifecycle, Lifecycle) else lifecycle
    if source is None:
        return
    if source is UNKNOWN:
        yield rule.unjudged(group.place, f"the bucket of {called(group)}'s lifecycle, not known before creation")
        return
    bundle = fleet.find(LifecycleBundle, source)
    prefixes = Buckets.of(rule.settings).prefixes
    if isinstance(source, Ref) and not (bundle and isinstance(bundle.name, str)):
        yield rule.unjudged(group.place, f"the name of the bucket {name_of(source)}")
    elif not (f"s3://{bundle.name}" if bundle else str(source)).startswith(tuple(f"s3://{each}" for each in prefixes)):
        readable = choice(f"s3://{each}..." for each in prefixes)
        where = f"the bucket {bundle.name}" if bundle else str(source)
        yield rule.finding(
            bundle.place if bundle else group.place,
            at="" if bundle else "hyperpod.lifecycle",
            got=f"the scripts of {called(group)} are in {where}; its instances may read {readable} only",
            remedy=f"put them into a bucket whose name begins with {choice(prefixes)}, at an address that begins with "
            f"{choice(f's3://{each}' for each in prefixes)}",
        )
