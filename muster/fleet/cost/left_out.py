"""What a cost does not count, in words: some of it nobody can know before, some is not of this stack."""

from collections.abc import Iterator

from muster.fleet.blueprint import Blueprint, ClusterBlueprint
from muster.fleet.description.image import Family
from muster.fleet.description.storage import ExistingLustre, Lustre
from muster.fleet.slurm_blueprint import SlurmBlueprint

ALWAYS = (
    "data transfer: between zones, to the internet, through NAT gateways and endpoints, by the GB",
    "S3, ECR, CloudWatch, KMS: what is stored, asked and logged",
    "savings plans, discounts of your own, credits, support, taxes",
)
"""Of every stack."""

OF_ADDONS = "this stack makes nothing that is billed by the hour: its add-ons run on another stack's cluster"


def left_out(blueprint: ClusterBlueprint) -> tuple[str, ...]:
    """What is not counted, a line each."""
    return (*_standing(blueprint), *_of_backend(blueprint), *_of_storage(blueprint), *ALWAYS)


def _standing(blueprint: ClusterBlueprint) -> Iterator[str]:
    if isinstance(blueprint, Blueprint) and blueprint.control_plane.existing:
        name = blueprint.control_plane.name or "the cluster"
        yield f"the EKS cluster {name}: it exists, and is billed without this stack"
    if blueprint.network.cidr is None:
        yield "the network: it exists, with its NAT gateways and endpoints"
    for each in blueprint.storage:
        if isinstance(each.described, ExistingLustre):
            yield f"the file system '{each.name}': it exists, and is billed without this stack"


def _of_backend(blueprint: ClusterBlueprint) -> Iterator[str]:
    if isinstance(blueprint, SlurmBlueprint):
        yield "what ParallelCluster makes beside the nodes: a hosted zone, a table, functions; cents a day"
        if blueprint.described.os.startswith("rhel"):
            yield "Red Hat's licence, by the hour of every instance: prices are Linux's"
        if blueprint.described.accounting is not None:
            yield "the database of Slurm's accounting: it exists"
        return
    if isinstance(blueprint, Blueprint):
        yield "volumes and load balancers that pods ask for"
        if blueprint.hyperpod:
            yield "the root volumes of HyperPod's instances, whose size is HyperPod's own"
        families = {group.described.family for group in blueprint.groups}
        if Family.BOTTLEROCKET in families:
            yield "Bottlerocket's own volume of 2 GiB beside each node's data volume"


def _of_storage(blueprint: ClusterBlueprint) -> Iterator[str]:
    if any(isinstance(each.described, Lustre) and each.described.backup_days for each in blueprint.storage):
        yield "backups of file systems, by what changes"
