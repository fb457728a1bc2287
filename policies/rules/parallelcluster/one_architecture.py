"""The architecture of head node, login nodes and compute nodes."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, LoginPool
from muster.fleet.resources.fleet import machine
from muster.hardware.catalogue import architecture_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import cluster_of, display_name, head_of, types_of


def parallelcluster_one_architecture(
    resource: ComputeResource | LoginPool, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    cluster = cluster_of(resource, fleet)
    head = head_of(cluster, fleet) if cluster else None
    if head is None:
        return
    of_head = _architecture(head.instance) if head.instance else None

    def judge(instance: str) -> Iterator[Verdict]:
        login = isinstance(resource, LoginPool)
        architecture = _architecture(instance) if login else machine(instance).architecture
        if of_head and architecture != of_head:
            name, there = display_name(resource), f"{head.instance} ({of_head})"
            got = f"{name} has {instance} ({architecture}), but the head node is {there}"
            change = f"use a head node with {architecture}, or an instance type with {of_head} here"
            yield rule.finding(resource, "instance", got=got, change=change)

    yield from rule.each(types_of(resource), judge, resource.place)


def _architecture(instance: str) -> str:
    """A type's processor, possibly only from its name."""
    return architecture_of(instance) or machine(instance).architecture
