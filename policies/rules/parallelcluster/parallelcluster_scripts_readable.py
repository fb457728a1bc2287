"""Scripts of nodes, and the right to read them."""

from collections.abc import Iterator

from muster.config.script_address import address_fault
from muster.fleet.resources import Fleet, HeadNode, Queue, Script
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.parallelcluster import display_name

_READ_ALL = ("AmazonS3ReadOnlyAccess", "AmazonS3FullAccess", "AdministratorAccess", "ReadOnlyAccess", "PowerUserAccess")
_OF_S3_NOTHING = ("AmazonSSMManagedInstanceCore", "AmazonEC2ContainerRegistryReadOnly", "CloudWatchAgentServerPolicy")


@rule(
    "parallelcluster-scripts-readable",
    title="A node may read the scripts that it runs",
    judges=HeadNode | Queue,
    backends=("parallelcluster",),
    why="A node downloads them with its own role. Where it may not, it never becomes ready: a head node fails the "
    "whole cluster, half an hour later; compute nodes fail one after the other.",
    source="ParallelCluster guide, Custom bootstrap actions and Iam/S3Access; aws-parallelcluster#6115",
    remedy="Let the role read the bucket (Iam.S3Access).",
    facts=("hardware.md#R22",),
)
def parallelcluster_scripts_readable(thing: HeadNode | Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if thing.scripts is UNKNOWN or any(each.at is UNKNOWN for each in thing.scripts):
        yield rule.unjudged(thing.place, f"the scripts of {display_name(thing)}, not known before creation")
        return
    for each in thing.scripts:
        if found := address_fault(str(each.at)):
            fault, remedy = found
            got = f"{display_name(thing)} runs '{each.at}', which is {fault}"
            yield rule.finding(thing.place, at="post-install", got=got, remedy=remedy)
    wanted = {bucket for bucket in map(_bucket, thing.scripts) if bucket}
    if thing.buckets is UNKNOWN or thing.policies is UNKNOWN:
        if wanted:
            yield rule.unjudged(thing.place, f"what {display_name(thing)} may read, not known before creation")
        return
    names = {policy.rpartition("/")[2] for policy in thing.policies}
    lacking = wanted - thing.buckets
    if not lacking or "*" in thing.buckets or names & set(_READ_ALL):
        return
    if thing.more_policies:
        yield rule.unjudged(thing.place, f"what {display_name(thing)} may read, not known before creation")
    elif thing.own_role or names - set(_OF_S3_NOTHING):
        yield rule.unjudged(
            thing.place, f"whether the role of {display_name(thing)} may read bucket {and_list(lacking)}"
        )
    else:
        got = f"{display_name(thing)} runs scripts in bucket {and_list(lacking)}, which it may not read"
        yield rule.finding(thing.place, at="post-install", got=got, remedy="name the bucket in Iam.S3Access")


def _bucket(script: Script) -> str | None:
    at = str(script.at)
    return at.removeprefix("s3://").partition("/")[0] if at.startswith("s3://") else None
