"""Scripts of nodes, and the permission to read them."""

from collections.abc import Iterator

from muster.config.script_address import address_fault
from muster.edits import add
from muster.fleet.resources import Fleet, HeadNode, LoginPool, Queue, Script
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import display_name
from muster.unknown import NotKnown

_READ_ALL = ("AmazonS3ReadOnlyAccess", "AmazonS3FullAccess", "AdministratorAccess", "ReadOnlyAccess", "PowerUserAccess")
_OF_S3_NOTHING = ("AmazonSSMManagedInstanceCore", "AmazonEC2ContainerRegistryReadOnly", "CloudWatchAgentServerPolicy")


def parallelcluster_scripts_readable(
    thing: HeadNode | LoginPool | Queue, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    for each in thing.scripts:
        if found := address_fault(each.at):
            fault, instead = found
            got = f"{display_name(thing)} runs '{each.at}', which is {fault}"
            yield rule.finding(thing, "post-install", got=got, change=instead)
    wanted = {bucket for bucket in map(_bucket, thing.scripts) if bucket}
    lacking = wanted - thing.buckets if wanted else wanted
    if not lacking or "*" in thing.buckets:
        return
    names = {policy.rpartition("/")[2] for policy in thing.policies}
    if not names.isdisjoint(_READ_ALL):
        return
    if thing.more_policies or thing.own_role or not names.issubset(_OF_S3_NOTHING):
        raise NotKnown(f"whether the role of {display_name(thing)} may read bucket {and_list(lacking)}")
    got = f"{display_name(thing)} runs scripts from bucket {and_list(lacking)}, but has no permission to read it"
    of_login = "use the https address of the script: ParallelCluster has no Iam.S3Access for login nodes"
    change = of_login if isinstance(thing, LoginPool) else add(words="the bucket", at="Iam.S3Access")
    yield rule.finding(thing, "post-install", got=got, change=change)


def _bucket(script: Script) -> str | None:
    return script.at.removeprefix("s3://").partition("/")[0] if script.at.startswith("s3://") else None
