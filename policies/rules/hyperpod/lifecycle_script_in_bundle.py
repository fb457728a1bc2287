"""Whether the script that instances run is where they look for it."""

from collections.abc import Iterator

from muster.fleet.named import Kind
from muster.fleet.resources import Fleet, InstanceGroup, Lifecycle, LifecycleBundle, Ref
from muster.fleet.unknown import UNKNOWN
from muster.words import listed
from policies.reading.instance_groups import called
from policies.reading.lifecycles import S3, bucket_and_folder, holds, script_of
from policies.rule import Rule, Verdict, rule
from policies.words import name_of


@rule(
    "lifecycle-script-in-bundle",
    title="The script that a lifecycle names is in its bucket",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="An instance that does not find its script fails, and HyperPod takes the whole cluster back: hours later, with "
    "no line in any log.",
    source="SageMaker guide, sagemaker-hyperpod-lifecycle-best-practices; awsome-distributed-ai#186, #188",
    remedy="Upload the script, or name the one that is there.",
    facts=("rules.md#60", "pains.md#8"),
)
def lifecycle_script_in_bundle(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle = group.lifecycle
    if lifecycle is UNKNOWN:
        yield rule.unjudged(group.place, f"the lifecycle of {called(group)}, not known before creation")
    script = script_of(lifecycle) if isinstance(lifecycle, Lifecycle) else None
    if not isinstance(lifecycle, Lifecycle) or script is None or lifecycle.source is None:
        return  # lifecycle-entry-single speaks of these
    if script is UNKNOWN or lifecycle.source is UNKNOWN:
        yield rule.unjudged(group.place, f"the lifecycle script of {called(group)}, not known before creation")
        return
    if isinstance(lifecycle.source, str) and not lifecycle.source.startswith(S3):
        return  # lifecycle-source-prefix speaks of these
    bucket, folder = bucket_and_folder(lifecycle)
    if fleet.gone(Kind.BUCKET, bucket):
        return
    bundle = fleet.find(LifecycleBundle, lifecycle.source)
    observed = fleet.facts.buckets.get(bucket) if fleet.facts else None
    there = bundle.files if bundle else observed.files if observed else None
    where = name_of(lifecycle.source) if isinstance(lifecycle.source, Ref) else bucket
    if isinstance(lifecycle.source, Ref) and (there is None or there is UNKNOWN or not there):
        # A bucket that the program puts nothing into may be filled by another hand.
        yield rule.unjudged(group.place, f"whether {script} is put into the bucket {where}")
    elif there is None or there is UNKNOWN:
        yield rule.unjudged(group.place, fleet.missing(f"the files of the bucket {where}"))
    elif not holds(there, folder, script):
        found = f"the bucket holds {listed(sorted(there))}" if there else "no file is there"
        yield rule.finding(
            group.place,
            at="hyperpod.lifecycle",
            got=f"{called(group)} runs {script}, which is not in {where}{f'/{folder}' if folder else ''}: {found}",
            remedy=f"upload {script} there before the cluster is made, or name a script that is there",
        )
