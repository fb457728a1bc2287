"""Writes the description of the cluster that eksctl creates from a ClusterConfig."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.document import value_at
from muster.finding import KeyPath, dotted_path
from muster.fleet.resources.ref import AUTO_SCALING_GROUP, NODE_GROUP, SUBNET
from muster.sources.eks_description import Hints, NoGroupLeft, describe_cluster
from muster.sources.eksctl.left_out import keys_left_out, override_left_out
from muster.sources.eksctl.network import PRIVATE, PUBLIC
from muster.sources.eksctl.reader import read_resources
from muster.sources.eksctl.resources import Resources, block, is_given, is_on, items
from muster.sources.eksctl.words import words
from muster.sources.source import DEFAULT_REGION, ImportedDescription, InputFile, LeftOut
from muster.unknown import UNKNOWN

_DISK_ARRAY = ("RAID0", "raid0", "setup-local-disks")


def describe(file: InputFile, region: str | None = None) -> ImportedDescription:
    """The description of the cluster that eksctl creates.

    Raises:
        InvalidFile: eksctl refuses the file, or Muster knows the instance type of no group.
    """
    resources = read_resources(file)
    config = resources.config
    own = block(config, "metadata").get("region")
    known = region or (own if isinstance(own, str) else None)
    try:
        found = describe_cluster(
            resources.program.registrations, region=known or DEFAULT_REGION, hints=_hints(resources)
        )
    except NoGroupLeft as fault:
        path = (*resources.paths[fault.part.urn], "instanceType")
        got = f"no node group can be described: {fault.part.why}"
        raise file.fault(
            path, got, "add a group with a type that `muster hardware` prints", resources.document
        ) from None
    cluster = dict(found.cluster)
    _add_own(resources, cluster)
    left = [LeftOut(*_where(resources, each.urn, each.property), words(each.why)) for each in found.left_out]
    whole = frozenset(resources.paths[each.urn] for each in found.left_out if each.urn and not each.property)
    left += _left_out(resources, whole, frozenset(each.path for each in left))
    return ImportedDescription(
        "eks", known, cluster, tuple(sorted(set(left))), name=resources.name, placeholders=found.placeholders
    )


def _hints(resources: Resources) -> Hints:
    """The tiers of subnets, local storage and autoscaling: eksctl states them, resources do not."""
    tiers, arrays, scaled, group_tiers = {}, {}, set(), {}
    for each in resources.program.registrations:
        path = resources.paths.get(each.urn, ())
        if each.type == SUBNET:
            named = path[2] if path[:2] == ("vpc", "subnets") else each.name.split(" ")[0]
            tiers[each.urn] = PUBLIC if named == PUBLIC else PRIVATE
        if each.type in (NODE_GROUP, AUTO_SCALING_GROUP):
            group = value_at(resources.config, path)
            text = group.get("overrideBootstrapCommand")
            commands = [*items(group, "preBootstrapCommands"), text]
            arrays[each.urn] = any(isinstance(one, str) and word in one for one in commands for word in _DISK_ARRAY)
            if is_on(block(block(group, "iam"), "withAddonPolicies").get("autoScaler")):
                scaled.add(each.urn)
            private = group.get("privateNetworking", False)
            group_tiers[each.urn] = PRIVATE if private is UNKNOWN or private else PUBLIC
    # eksctl creates endpoints only for private clusters (pkg/cfn/builder/vpc_endpoint.go): those of ECR among them.
    is_private = is_given(block(resources.config, "privateCluster").get("enabled"))
    return Hints(
        tiers=tiers,
        local_storage=arrays,
        autoscaled=frozenset(scaled),
        group_tiers=group_tiers,
        has_endpoints=not is_private,
        lists_keys=True,
    )


def _add_own(resources: Resources, cluster: dict[str, Any]) -> None:
    """What no registered resource has: the tags, and how long logs are kept."""
    tags = block(resources.config, "metadata").get("tags")
    kept = {key: each for key, each in (tags if isinstance(tags, Mapping) else {}).items() if each is not UNKNOWN}
    if kept:
        cluster["tags"] = kept
    logging = block(block(resources.config, "cloudWatch"), "clusterLogging")
    days = logging.get("logRetentionInDays")
    if isinstance(days, int):
        cluster["logs"] = {**cluster.get("logs", {}), "retention-days": days}


def _where(resources: Resources, urn: str, property_: str) -> tuple[str, Any]:
    """The path in the file of a property of a resource, and its position."""
    path = resources.paths.get(urn, ())
    named = words(property_).split(" ")[0] if property_ and urn else ""
    shown = f"{dotted_path(path)}.{named}" if named and path else dotted_path(path) or property_
    return shown, resources.file.position(path, resources.document)


def _left_out(resources: Resources, whole: frozenset[KeyPath], shown: frozenset[str]) -> Iterator[LeftOut]:
    """The keys of the file that the description does not have, without those that are shown already."""
    document = resources.document
    for path, why in (*keys_left_out(resources.config, whole), *override_left_out(resources.config)):
        if dotted_path(path) not in shown:
            yield LeftOut(dotted_path(path), resources.file.position(path, document), why)
    for gap in resources.gaps:
        if "does not know" in gap.missing:
            yield LeftOut(gap.where, resources.file.position((), document), gap.missing)
