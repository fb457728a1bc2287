"""Things of ParallelCluster with defaults, so that a test shows only what matters.

`a_slurm_fleet()` is a small legal cluster: an m5.8xlarge as head node, one queue of four p5.48xlarge with EFA in a
placement group of ParallelCluster's, all in us-west-2a; Lustre at /fsx. What a test passes replaces what goes by the
same name, or comes beside it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.blueprint.derive.parallelcluster import HEAD_REF
from muster.blueprint.logical_names import NODES_GROUP_REF, PARALLELCLUSTER_REF
from muster.fleet.facts import Facts
from muster.fleet.resources import (
    ComputeResource,
    Fleet,
    HeadNode,
    Mount,
    ParallelCluster,
    Place,
    Placement,
    Queue,
    Ref,
    Reference,
    SecurityGroup,
    Subnet,
)
from muster.fleet.resources.parallelcluster import COMPUTE_RESOURCE, QUEUE
from muster.versions import PARALLELCLUSTER
from tests.factories import AS_OF, REGION, SUBNETS, A

FILE_SYSTEM = "fs-0123456789abcdef0"
IMAGE = "ami-0123456789abcdef0"
APPS = Mount("apps", "Ebs")
FSX = Mount("fsx", "FsxLustre", file_system=FILE_SYSTEM)


def a_pcluster(key: str = "", /, **more: Any) -> ParallelCluster:
    """A cluster of the pinned version."""
    ref = Ref(PARALLELCLUSTER_REF.type, key) if key else PARALLELCLUSTER_REF
    defaults: dict[str, Any] = {
        "name": "ml",
        "version": PARALLELCLUSTER,
        "os": "alinux2023",
        "image": None,
        "place": Place(key),
        "mounts": (APPS, FSX),
    }
    return ParallelCluster(ref, **{**defaults, **more})


def a_head(**more: Any) -> HeadNode:
    """A head node that one network reaches by SSH."""
    defaults: dict[str, Any] = {
        "cluster": PARALLELCLUSTER_REF,
        "instance": "m5.8xlarge",
        "subnet": A,
        "security_groups": (NODES_GROUP_REF,),
        "place": Place("head"),
        "ssh_from": "203.0.113.0/24",
    }
    return HeadNode(HEAD_REF, **{**defaults, **more})


def a_queue(name: str = "train", /, **more: Any) -> Queue:
    """A queue of on-demand instances in us-west-2a."""
    defaults: dict[str, Any] = {
        "cluster": PARALLELCLUSTER_REF,
        "name": name,
        "capacity_type": "ONDEMAND",
        "subnets": (A,),
        "security_groups": (NODES_GROUP_REF,),
        "place": Place(f"queues.{name}"),
    }
    return Queue(Ref(QUEUE, name), **{**defaults, **more})


def a_resource(name: str = "workers", queue: str = "train", /, **more: Any) -> ComputeResource:
    """Four p5.48xlarge with EFA in a placement group."""
    defaults: dict[str, Any] = {
        "name": name,
        "instances": ("p5.48xlarge",),
        "nodes_min": 4,
        "nodes_max": 4,
        "subnets": (A,),
        "security_groups": (NODES_GROUP_REF,),
        "place": Place(f"queues.{queue}.groups.{name}"),
        "capacity_type": "ONDEMAND",
        "efa": True,
        "placement": Placement(enabled=True),
    }
    return ComputeResource(Ref(COMPUTE_RESOURCE, name), Ref(QUEUE, queue), **{**defaults, **more})


NODES_GROUP = SecurityGroup(NODES_GROUP_REF, Place("head"))
DEFAULT = (a_pcluster(), a_head(), a_queue(), a_resource(), NODES_GROUP)


def a_slurm_fleet(
    *things: Any, without: Iterable[type] = (), subnets: Iterable[Subnet] = (), known: Facts | None = None, **more: Any
) -> Fleet:
    """A fleet of the default things, replaced and extended by what is passed, without the types named."""
    by_ref: dict[Reference, Any] = {each.ref: each for each in DEFAULT if type(each) not in set(without)}
    by_ref |= {each.ref: each for each in things}
    around: Mapping[str, Subnet] = {each.id: each for each in (*SUBNETS, *subnets)}
    settings: dict[str, Any] = {"region": REGION, "as_of": AS_OF, "backend": "parallelcluster", **more}
    return Fleet(tuple(by_ref.values()), around, known, **settings)
