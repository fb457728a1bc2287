"""Roles of nodes, with defaults: a case shows only what matters."""

from typing import Any

from muster.fleet.resources import NodeRole, Place, Ref

AWS_POLICY = "arn:aws:iam::aws:policy"
ROLE_AT = "urn:pulumi:dev::theirs::aws:iam/role:Role::nodes"


def role(*policies: str, **more: Any) -> NodeRole:
    """The role of nodes with managed policies, by ARN."""
    return NodeRole(Ref("aws:iam/role:Role", "nodes"), Place(ROLE_AT), frozenset(policies), **more)
