"""Things of AWS PCS with defaults, so that a test shows only what matters.

`a_pcs_fleet()` is a small legal cluster: a controller of size small in us-west-2a, a queue with a compute node group of
up to four p5.48xlarge with EFA, and a login node. What a test passes replaces what goes by the same name, or comes
beside it.
"""

from collections.abc import Iterable
from typing import Any

from muster.blueprint.logical_names import PCS_GROUP_REF, PCS_REF
from muster.config.description.base import PCS
from muster.fleet.resources import (
    ComputeNodeGroup,
    Fleet,
    LaunchTemplate,
    PcsCluster,
    PcsQueue,
    Place,
    Ref,
    Reference,
    SecurityGroup,
    Subnet,
)
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import EGRESS, EVERYWHERE, INGRESS, all_traffic
from muster.hardware.interfaces import Layout
from muster.versions import PCS_SLURM
from tests.factories import AS_OF, REGION, SUBNETS, A, a_template, interfaces

IMAGE = "ami-0123456789abcdef0"
BLOCK = "CAPACITY_BLOCK"
OPEN = frozenset(
    {all_traffic(INGRESS, PCS_GROUP_REF), all_traffic(EGRESS, PCS_GROUP_REF), all_traffic(EGRESS, EVERYWHERE)}
)
"""The rules that PCS requires of the security group."""


def a_pcs_cluster(key: str = "pcs", /, **more: Any) -> PcsCluster:
    """A cluster of size small with accounting."""
    defaults: dict[str, Any] = {
        "name": "ml-cluster",
        "size": "SMALL",
        "version": PCS_SLURM[-1],
        "subnets": (A,),
        "security_groups": (PCS_GROUP_REF,),
        "place": Place(""),
        "accounting": True,
    }
    return PcsCluster(Ref(PCS_REF.type, key), **{**defaults, **more})


def a_node_group(name: str = "workers", /, queue: str = "train", **more: Any) -> ComputeNodeGroup:
    """Up to four p5.48xlarge, with the template of its name, in us-west-2a."""
    defaults: dict[str, Any] = {
        "cluster": PCS_REF,
        "name": name,
        "template": Ref(types.LAUNCH_TEMPLATE, name),
        "instance_types": ("p5.48xlarge",),
        "subnets": (A,),
        "capacity_type": "ONDEMAND",
        "nodes_min": 0,
        "nodes_max": 4,
        "place": Place(f"queues.{queue}.groups.{name}"),
        "image": IMAGE,
        "profile": Ref(types.INSTANCE_PROFILE, "nodes"),
    }
    return ComputeNodeGroup(Ref(types.PCS_NODE_GROUP, name), **{**defaults, **more})


def a_pcs_template(name: str = "workers", /, instance: Any = "p5.48xlarge", **more: Any) -> LaunchTemplate:
    """The template of a group, with EFA on every card and the cluster's security group on each interface."""
    defaults: dict[str, Any] = {
        "interfaces": interfaces(instance, Layout.CLASSIC, groups=(PCS_GROUP_REF,)) if instance else (),
        "security_groups": () if instance else (PCS_GROUP_REF,),
        "settings": frozenset({"networkInterfaces", "metadataOptions"}),
        "place": Place(f"queues.train.groups.{name}"),
        "max_pods": None,
    }
    return a_template(name, None, **{**defaults, **more})


def a_pcs_queue(name: str = "train", /, *groups: str, **more: Any) -> PcsQueue:
    """A queue with the workers, or with other groups."""
    defaults: dict[str, Any] = {
        "cluster": PCS_REF,
        "name": name,
        "groups": tuple(Ref(types.PCS_NODE_GROUP, each) for each in groups or ("workers",)),
        "place": Place(f"queues.{name}"),
    }
    return PcsQueue(Ref(types.PCS_QUEUE, name), **{**defaults, **more})


def a_pcs_security_group(**more: Any) -> SecurityGroup:
    """The security group of the controller and all nodes."""
    defaults: dict[str, Any] = {"allows": OPEN}
    return SecurityGroup(PCS_GROUP_REF, **{**defaults, "place": Place(""), **more})


LOGIN = (
    a_node_group("login", instance_types=("m5.large",), nodes_min=1, nodes_max=1, place=Place("login-nodes.login")),
    a_pcs_template("login", None, place=Place("login-nodes.login")),
)
"""A login node, and its template."""
DEFAULT = (a_pcs_cluster(), a_node_group(), a_pcs_template(), a_pcs_queue(), a_pcs_security_group(), *LOGIN)


def a_pcs_fleet(*things: Any, without: Iterable[type] = (), subnets: Iterable[Subnet] = (), **more: Any) -> Fleet:
    """A fleet of the default things, replaced and extended by what is passed, without the types named."""
    by_ref: dict[Reference, Any] = {each.ref: each for each in DEFAULT if type(each) not in set(without)}
    by_ref |= {each.ref: each for each in things}
    settings: dict[str, Any] = {"region": REGION, "as_of": AS_OF, "backend": PCS, **more}
    return Fleet(tuple(by_ref.values()), {each.id: each for each in (*SUBNETS, *subnets)}, **settings)
