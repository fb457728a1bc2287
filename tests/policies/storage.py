"""File systems of FSx for Lustre with defaults: a case shows only what matters."""

from typing import Any

from muster.fleet.resources import DataAssociation, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic
from tests.factories import CLUSTER_REF, EFA_GROUP_REF, LUSTRE_GROUP_REF, a_lustre_group, a_security_group, lustre_rules

SCRATCH: dict[str, Any] = {"deployment": "SCRATCH_2", "throughput": None, "metadata_mode": None}


def linked(*pairs: tuple[Any, Any]) -> dict[str, Any]:
    """Links of paths to S3."""
    return {"associations": tuple(DataAssociation(path, s3) for path, s3 in pairs)}


DATA = linked(("/imagenet", "s3://data/imagenet"))


def efa_group(*rules: SecurityGroupRule) -> Any:
    """The nodes' EFA group, open to itself and to the file system unless other rules are given."""
    ways = (INGRESS, EGRESS)
    return a_security_group(allows=frozenset(rules or (all_traffic(way, LUSTRE_GROUP_REF) for way in ways)))


def fsx_with_efa(*peers: Any) -> Any:
    """The file system's group, open to itself and to the nodes' EFA group unless other peers are given."""
    open_to = peers or (LUSTRE_GROUP_REF, EFA_GROUP_REF)
    rules = {all_traffic(way, peer) for way in (INGRESS, EGRESS) for peer in open_to}
    return a_lustre_group(allows=lustre_rules(LUSTRE_GROUP_REF, CLUSTER_REF) | rules)
