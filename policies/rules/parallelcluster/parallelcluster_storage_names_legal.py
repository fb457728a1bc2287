"""Names of shared storage."""

import re
from collections.abc import Iterator

from muster.fleet.resources import Fleet, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule

_FORM = re.compile(r"[\w+\-=.:@/]+")
_LONGEST = 30
_RESERVED = "default"


@rule(
    "parallelcluster-storage-names-legal",
    title="ParallelCluster takes the names of shared storage",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="A storage's name becomes a tag and part of file names on every node: 30 characters at most, and not default.",
    source="aws-parallelcluster 3.16.1, SharedStorageNameValidator",
    remedy="Take a shorter name.",
    facts=("rules.md#61",),
)
def parallelcluster_storage_names_legal(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.mounts is UNKNOWN:
        yield rule.unjudged(cluster.place, "the shared storage, not known before creation")
        return
    for mount in cluster.mounts:
        if mount.name is UNKNOWN:
            yield rule.unjudged(cluster.place, "the name of a shared storage, not known before creation")
        elif not mount.name or mount.name == _RESERVED or not _FORM.fullmatch(mount.name) or len(mount.name) > _LONGEST:
            counted = f" ({len(mount.name)} characters)" if mount.name and len(mount.name) > _LONGEST else ""
            yield rule.finding(
                cluster.place,
                at=f"storage.{mount.name}" if mount.name else "storage",
                got=f"'{mount.name or ''}'{counted} is no name for a shared storage",
                remedy=f"take up to {_LONGEST} letters, digits and dashes, and another word than {_RESERVED}",
            )
