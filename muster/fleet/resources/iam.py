"""The IAM roles of machines, and the access of users and pods to a cluster."""

from dataclasses import dataclass, field
from typing import Generic

from muster.fleet.resources.ref import Place, Ref
from muster.unknown import Observed, U


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a policy that allows something."""

    actions: frozenset[str]
    """As written: ``s3:GetObject``, ``*``. Of a `NotAction` ``*``: it also allows actions that do not exist yet."""
    resources: frozenset[str]


@dataclass(frozen=True, slots=True)
class NodeRole(Observed, Generic[U]):
    """An IAM role that machines act as: nodes, instances of HyperPod, whatever EC2 launches with it."""

    ref: Ref
    place: Place = field(compare=False)
    policies: frozenset[str] | U = frozenset()
    """The ARNs of managed policies, as far as they are known, but of those that the program writes itself."""
    statements: tuple[Statement, ...] | U = ()
    """What its inline policies allow, and those that the program writes, as far as it is known."""
    more_policies: bool = False
    """Whether it has managed policies that are not known yet beside them."""
    more_statements: bool = False
    """Whether policies allow something that is not known yet beside them."""
