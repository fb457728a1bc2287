"""A cluster on AWS ParallelCluster: its version, its settings, its scripts, its data."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from muster.config.description.parallelcluster_nodes import address_fault
from muster.edits import Remedy, add, remove, set_to
from muster.fleet.resources import (
    ClosedTemplate,
    ComputeResource,
    Fleet,
    HeadNode,
    LoginPool,
    Mount,
    ParallelCluster,
    PcsCluster,
    Queue,
)
from muster.fleet.resources.fleet import machine
from muster.hardware.tables import read_table
from muster.message_text import count_noun, did_you_mean
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import cluster_of, display_name, resources_of
from muster.policies.lookups.s3_access import reads_every_bucket
from muster.unknown import NotKnown, needed, stored
from muster.versions import PARALLELCLUSTER


def parallelcluster_template_readable(
    thing: ParallelCluster | ClosedTemplate, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(thing, ParallelCluster):
        return  # it was read
    if thing.fault:
        yield rule.finding(thing, "", got=thing.fault, change=thing.remedy)
    if thing.missing:
        raise NotKnown(thing.missing)


def parallelcluster_version_known(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.version is None:
        raise NotKnown("the version of ParallelCluster")
    if cluster.version != PARALLELCLUSTER:
        got = f"the cluster uses ParallelCluster {cluster.version}, but Muster's rules are about {PARALLELCLUSTER}"
        change = f"use the provider of {PARALLELCLUSTER}, and images built with it"
        yield rule.finding(cluster, "version", got=got, change=change)


def slurm_settings_known(
    thing: ParallelCluster | Queue | ComputeResource | PcsCluster, _fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    of = "partition" if isinstance(thing, Queue) else "node" if isinstance(thing, ComputeResource) else "cluster"
    known = _parameters(of)
    kind = "slurm.conf" if of == "cluster" else f"a {of} in slurm.conf"

    def judge(key: str) -> Iterator[Verdict]:
        level, parameter = rule.advice, known.get(key.lower())
        change: Remedy = f"use a parameter of slurm.conf(5), or remove {key}"
        if parameter is None:
            names = (each.name for each in known.values())
            got = f"{key} is not a parameter of {kind}{did_you_mean(key, names)}"
        elif isinstance(thing, PcsCluster):
            if key == parameter.name:
                return
            got, change = (
                f"{key} is {parameter.name} in the documents: Slurm ignores case, PCS need not",
                f"write {parameter.name}",
            )
        elif parameter.refused == "always" or (
            parameter.refused and isinstance(thing, ParallelCluster) and thing.database
        ):
            level, change = rule, remove() if thing.place.described else f"remove {key}"
            of_database = "" if parameter.refused == "always" else " in a cluster with a database"
            got = f"ParallelCluster sets {key} itself{of_database}, and refuses it"
        else:
            return
        place, at = thing.place, f"slurm.settings.{key}"
        if of != "cluster":  # a description has settings of the cluster only
            place, at = place.within((*place.inside, "CustomSlurmSettings", key)), ""
        yield level.finding(thing, at, got=got, change=change, place=place)

    yield from rule.each(sorted(thing.setting_names), judge, thing.place)


class _Parameter(NamedTuple):
    name: str
    """As slurm.conf(5) writes it."""
    refused: str
    """When ParallelCluster refuses it: ``always``, ``with-database``, or never."""


@cache
def _parameters(of: str) -> Mapping[str, _Parameter]:
    """The parameters of the cluster, a partition or a node, by their names in small letters: Slurm ignores case."""
    rows = read_table("slurm_parameters.csv", "muster.policies.lookups")
    return {
        row["parameter"].lower(): _Parameter(row["parameter"], row["parallelcluster-refuses"])
        for row in rows
        if row["of"] == of
    }


_MOST = 50
"""Minutes. The rest of the hour is for the resources around the head node."""


def parallelcluster_head_ready_in_time(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if head.seconds is not None and head.seconds > _MOST * 60:
        got = f"the head node may take {head.seconds // 60} minutes, but CloudFormation waits 60 for the whole cluster"
        change = set_to(_MOST, in_program=_MOST * 60, words="and move what takes longer into your own image")
        yield rule.finding(head, "post-install.timeout-minutes", got=got, change=change, place=head.timed_at)


_OF_OS, _NODES_PER_GIB, _ENOUGH = 0.6, 25, 16
"""GiB for the operating system, compute nodes for each further GiB, and GiB that suffice for any number."""
_RECOMMENDED = 1.7
"""GB that its validators of operating systems and of DCV recommend."""


def parallelcluster_head_memory(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(head, fleet)
    if head.instance is None or cluster is None:
        return
    has, groups = machine(head.instance).memory_mib / 1024, resources_of(cluster, fleet)
    nodes = sum(stored(each, "nodes_max", 0) for each in groups)
    needs = min(nodes / _NODES_PER_GIB + _OF_OS, _ENOUGH)
    refused = groups and has < needs  # AWS Batch has no compute resources: ParallelCluster refuses no type there
    if refused or has * 1.024**3 < _RECOMMENDED:
        level, why = (
            (rule, f"{count_noun(nodes, 'compute node')} need {needs:.3g} GiB")
            if refused
            else (rule.advice, f"ParallelCluster recommends {_RECOMMENDED} GB or more")
        )
        got = f"{head.instance} has {has:.3g} GiB of memory, but {why}"
        yield level.finding(head, "instance", got=got, change="use a larger instance type")
    elif has < _ENOUGH:
        needed(*(each.nodes_max for each in groups))  # those that are not known may be more


_S3 = "s3://"


def parallelcluster_scripts_readable(
    thing: HeadNode | LoginPool | Queue, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    for each in thing.scripts:
        if found := address_fault(each.at):
            got = f"{display_name(thing)} runs '{each.at}', which is {found[0]}"
            yield rule.finding(thing, "post-install", got=got, change=found[1])
    wanted = {each.at.removeprefix(_S3).partition("/")[0] for each in thing.scripts if each.at.startswith(_S3)} - {""}
    lacking = wanted - thing.buckets if wanted else wanted
    if not lacking or "*" in thing.buckets:
        return
    by_policies = reads_every_bucket(thing.policies)
    if by_policies:
        return
    if thing.more_policies or thing.own_role or by_policies is None:
        raise NotKnown(f"whether the role of {display_name(thing)} may read bucket {and_list(lacking)}")
    got = f"{display_name(thing)} runs scripts from bucket {and_list(lacking)}, but has no permission to read it"
    of_login = "use the https address of the script: ParallelCluster has no Iam.S3Access for login nodes"
    change = of_login if isinstance(thing, LoginPool) else add(words="the bucket", at="Iam.S3Access")
    yield rule.finding(thing, "post-install", got=got, change=change)


_KEPT = frozenset({"Retain", "Snapshot"})
_FILE_SYSTEMS = frozenset({"FsxLustre", "Efs"})


def parallelcluster_data_kept(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(mount: Mount) -> Iterator[Verdict]:
        made = stored(mount, "file_system") is None  # one that is not known yet exists too
        if made and mount.kind in _FILE_SYSTEMS and mount.deletion not in _KEPT:
            name = stored(mount, "name", "?")
            got = f"ParallelCluster deletes the file system {name} together with the cluster"
            change = (set_to("Retain", at="DeletionPolicy"), "create it separately and set FileSystemId")
            place = cluster.place.within(mount.inside)
            yield rule.finding(cluster, f"storage.{name}", got=got, change=change, place=place)

    yield from rule.each(cluster.mounts, judge, cluster.place)
