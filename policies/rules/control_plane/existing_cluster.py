"""An existing EKS cluster, compared with its description."""

from collections.abc import Iterator

from muster.edits import Remedy, set_to
from muster.fleet.backend_sets import HYPERPOD
from muster.fleet.facts import ClusterFacts
from muster.fleet.resources import ControlPlane, Fleet
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.access_entries import CONFIG_MAP, switch_command
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.versions import version_tuple
from muster.unknown import NotKnown

_EXISTING = "control-plane.existing"


def existing_cluster_as_declared(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing:
        return
    known = fleet.facts.clusters.get(str(cluster.name), ClusterFacts()) if fleet.facts else ClusterFacts()
    if known.exists is False:
        return  # another rule reports that the cluster does not exist
    group = next(iter(cluster.security_groups), None)
    declared = (
        ("Kubernetes version", "kubernetes", cluster.kubernetes, known.version),
        ("security group", f"{_EXISTING}.security-group", group, known.security_group),
        ("authentication mode", f"{_EXISTING}.authentication", cluster.authentication, known.authentication),
        ("VPC", "network.existing.vpc", cluster.vpc, known.vpc),
    )
    for what, at, ours, theirs in declared:
        if ours is not None and theirs is not None and ours != theirs:
            got = f"the description sets {what} {ours} for {cluster.name}, but AWS reports {theirs}"
            yield rule.finding(cluster, at, got=got, change=tuple(_changes(cluster, fleet, at, str(ours), theirs)))
    unknown = [what for what, _, _, theirs in declared if theirs is None]
    if unknown and facts_observed(fleet):
        raise NotKnown(fleet.missing(f"the {and_list(unknown)} of EKS cluster {cluster.name}"))


def _changes(cluster: ControlPlane, fleet: Fleet, at: str, ours: str, theirs: str) -> Iterator[Remedy]:
    match at.rpartition(".")[2]:
        case "kubernetes":
            yield set_to(theirs)
            if (version_tuple(theirs) or ()) < (version_tuple(ours) or ()):
                yield f"upgrade the cluster to {ours} first, one minor version at a time"
        case "vpc":
            yield set_to(theirs, words="and its subnets")
            yield f"use a cluster in {ours}"
        case "authentication":
            if theirs == CONFIG_MAP:
                command = switch_command(cluster.name, fleet.region)
                yield f"run {command} (takes minutes, and cannot be undone)"
            if theirs != CONFIG_MAP or HYPERPOD not in fleet.backends:
                yield set_to(theirs.lower().replace("_", "-"))
        case _:
            yield set_to(theirs)
