"""A shared file system: its security group, and the rules between it and nodes."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import ClusterBlueprint, Storage
from muster.config.description.base import OnDestroy
from muster.fleet.resources import Reference, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.infra.component import Component, tags
from muster.infra.network import Foundation

WAIT = pulumi.CustomTimeouts(create="1h", update="1h", delete="1h")
"""The provider's default is half an hour, and a large file system takes longer."""


class FileSystem(Component):
    """One file system of the blueprint.

    It is created in parallel with the cluster: it depends only on its own security group rules (FSx checks Lustre's
    ports between file servers before it creates anything), and not on those that name the nodes' groups. So a
    replacement of the cluster keeps the file system and its data.
    """

    dns_name: pulumi.Input[str]
    mount_name: pulumi.Input[str]

    def __init__(
        self, storage: Storage, blueprint: ClusterBlueprint, around: Foundation, clients: Mapping[str, Reference]
    ) -> None:
        """Registers it.

        Args:
            storage: the file system.
            blueprint: of its cluster.
            around: the network, and the security groups of nodes.
            clients: the security groups of nodes from which file servers accept traffic, by their part of the logical
                names of rules: ``nodes``, ``efa``.
        """
        super().__init__(storage.name)
        described: Any = storage.described
        kind = storage.kind
        between = "file servers, and between them and nodes" if kind.servers_talk else "the file system and nodes"
        self._storage, self._blueprint = storage, blueprint
        self.keep = described.on_destroy is OnDestroy.KEEP
        group = aws.ec2.SecurityGroup(
            f"{kind.word}-{storage.name}",
            name_prefix=f"{blueprint.name_stem}-{storage.name}-",
            description=f"{kind.protocol} between {between}",
            vpc_id=around.vpc,
            tags=tags(blueprint, storage.name),
            opts=self.below(),
        )
        own = self._rules(group.id, {word: (each, around.id(each)) for word, each in clients.items()})
        self.subnets = around.ids(storage.file_system.subnets)
        self.subnet: pulumi.Input[str] = next(iter(self.subnets), "")
        self.security_group = group.id
        self.id = self._make(storage.file_system, described, own)
        self.register_outputs({"id": self.id, "dnsName": self.dns_name, "mountName": self.mount_name})

    @abstractmethod
    def _make(self, derived: Any, described: Any, rules: list[pulumi.Resource]) -> pulumi.Output[str]:
        """Registers the file system, and returns its id."""

    @property
    def mounted(self) -> pulumi.Output[str]:
        """The id by which ParallelCluster mounts it."""
        return self.id

    @property
    def tags(self) -> dict[str, str]:
        """Its tags."""
        return tags(self._blueprint, self._storage.name)

    def protected(self, **more: Any) -> pulumi.ResourceOptions:
        """Options of the resource that has the data."""
        return self.below(protect=self.keep or None, custom_timeouts=WAIT, **more)

    def _rules(
        self, group: pulumi.Input[str], clients: Mapping[str, tuple[Reference, pulumi.Input[str]]]
    ) -> list[pulumi.Resource]:
        """The rules of the group with itself, which are returned; and those with nodes, on both sides: servers also
        call clients (FSx Lustre guide, "File system access control")."""
        derived, protocol = self._storage.security_group, self._storage.kind.protocol
        assert derived is not None, "a file system that is created has a group"
        allows, own = sorted(derived.allows, key=str), derived.ref.name
        for word, (peer, id_) in clients.items():
            for each in (each for each in allows if each.peer == peer):
                _rule(f"{own}-{_way(each)}-{word}", each, group, id_, protocol, self.below())
                _rule(f"{word}-{_way(each)}-{own}", each, id_, group, protocol, self.below())
        return [
            _rule(f"{own}-{_way(each)}-itself", each, group, group, protocol, self.below())
            for each in allows
            if each.peer == derived.ref
        ]


def _way(allowance: SecurityGroupRule) -> str:
    """``tcp-1018-from``; part of a rule's logical name."""
    ports = "all" if allowance.first is None else f"{allowance.protocol}-{allowance.first}"
    return f"{ports}-{'from' if allowance.direction == INGRESS else 'to'}"


def _rule(
    name: str,
    allowance: SecurityGroupRule,
    owner: pulumi.Input[str],
    peer: pulumi.Input[str],
    protocol: str,
    below: pulumi.ResourceOptions,
) -> pulumi.Resource:
    """One rule of a group. In both directions, the ports are those of the file system: file servers listen on them, and
    clients also do."""
    kind = aws.vpc.SecurityGroupEgressRule if allowance.direction == EGRESS else aws.vpc.SecurityGroupIngressRule
    made: pulumi.Resource = kind(
        name,
        security_group_id=owner,
        referenced_security_group_id=peer,
        description=f"{protocol} {'to' if allowance.direction == EGRESS else 'from'} the group named here",
        ip_protocol=allowance.protocol,
        from_port=allowance.first,
        to_port=allowance.last,
        opts=below,
    )
    return made
