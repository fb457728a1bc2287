"""FSx for Lustre: a file system with its security group and its links to S3."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import ClusterBlueprint, Storage
from muster.config.description.base import OnDestroy
from muster.config.description.storage import Lustre as LustreDescription
from muster.fleet.resources import LustreFileSystem, Reference, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.hardware.lustre import PERSISTENT
from muster.infra.component import Component, tags
from muster.infra.network import Foundation

_WAIT = "1h"
"""The timeout. The provider's default is half an hour, and a large file system takes longer."""


@dataclass(frozen=True, slots=True)
class Clients:
    """A security group of nodes, from which file servers accept traffic."""

    word: str
    """The part of the logical names of rules: ``nodes``, ``efa``."""
    reference: Reference
    """The reference by which the blueprint's rules name the group."""
    id: pulumi.Input[str]


class Lustre(Component):
    """One file system of the blueprint.

    It is created in parallel with the cluster: it depends only on its own security group rules (FSx checks Lustre's
    ports between file servers before it creates anything), and not on those that name the nodes' groups. So a
    replacement of the cluster keeps the file system and its data.
    """

    def __init__(
        self,
        storage: Storage,
        described: LustreDescription,
        blueprint: ClusterBlueprint,
        around: Foundation,
        clients: Sequence[Clients],
    ) -> None:
        super().__init__(storage.name)
        self._storage, self._blueprint = storage, blueprint
        group = aws.ec2.SecurityGroup(
            f"lustre-{storage.name}",
            name_prefix=f"{blueprint.name_stem}-{storage.name}-",
            description="Lustre between file servers, and between them and nodes",
            vpc_id=around.vpc,
            tags=tags(blueprint, storage.name),
            opts=self.below(),
        )
        own = self._rules(group.id, clients)
        keep = described.on_destroy is OnDestroy.KEEP
        self.subnet: pulumi.Input[str] = next(iter(around.ids(storage.file_system.subnets)), "")
        made = self._file_system(storage.file_system, described, group.id, own, keep=keep)
        self._links(described, made)
        self.id, self.security_group = made.id, group.id
        self.dns_name, self.mount_name = made.dns_name, made.mount_name
        self.register_outputs({"id": self.id, "dnsName": self.dns_name, "mountName": self.mount_name})

    def _file_system(
        self,
        derived: LustreFileSystem,
        described: LustreDescription,
        group: pulumi.Input[str],
        rules: list[pulumi.Resource],
        *,
        keep: bool,
    ) -> "aws.fsx.LustreFileSystem":
        name = self._storage.name
        last_backup = keep and derived.deployment in PERSISTENT and not described.data
        return aws.fsx.LustreFileSystem(
            name,
            subnet_ids=self.subnet,
            security_group_ids=[group],
            storage_capacity=derived.size,
            deployment_type=derived.deployment,
            storage_type=derived.disk,
            per_unit_storage_throughput=derived.throughput,
            drive_cache_type=derived.drive_cache,
            metadata_configuration=aws.fsx.LustreFileSystemMetadataConfigurationArgs(
                mode=derived.metadata_mode,
                iops=derived.metadata_iops,
            )
            if derived.metadata_mode
            else None,
            efa_enabled=described.efa or None,
            file_system_type_version=derived.version,
            kms_key_id=described.kms_key,
            data_compression_type=derived.compression,
            # Set even if it is 0: otherwise its removal from the description would change nothing. Tags are not copied
            # to backups: turning that on with the first backup would replace the file system.
            automatic_backup_retention_days=derived.backup_days
            if derived.deployment in PERSISTENT or derived.backup_days
            else None,
            # `destroy` of an unprotected file system creates a last backup, if FSx supports backups.
            skip_final_backup=not last_backup,
            tags=tags(self._blueprint, name),
            opts=self.below(
                depends_on=rules,
                protect=keep or None,
                custom_timeouts=pulumi.CustomTimeouts(create=_WAIT, update=_WAIT, delete=_WAIT),
            ),
        )

    def _links(self, described: LustreDescription, made: "aws.fsx.LustreFileSystem") -> None:
        """The file system's links to S3. The deletion of a link keeps its files: `delete_data_in_filesystem` is not
        set."""
        for path, link in described.data.items():
            imports, exports = (sorted(event.value.upper() for event in each) for each in (link.imports, link.exports))
            aws.fsx.DataRepositoryAssociation(
                f"{self._storage.name}{path}",
                file_system_id=made.id,
                file_system_path=path,
                data_repository_path=link.s3,
                # Imports existing objects at once. Otherwise an object appears only after its next change.
                batch_import_meta_data_on_create=bool(imports),
                s3=aws.fsx.DataRepositoryAssociationS3Args(
                    auto_import_policy=aws.fsx.DataRepositoryAssociationS3AutoImportPolicyArgs(events=imports),
                    auto_export_policy=aws.fsx.DataRepositoryAssociationS3AutoExportPolicyArgs(events=exports),
                ),
                tags=tags(self._blueprint, self._storage.name),
                opts=self.below(),
            )

    def _rules(self, group: pulumi.Input[str], clients: Sequence[Clients]) -> list[pulumi.Resource]:
        """The rules of the group with itself, which are returned; and those with nodes, on both sides: servers also
        call clients (FSx Lustre guide, "File system access control")."""
        derived = self._storage.security_group
        assert derived is not None, "a file system that is created has a group"
        allows, own = sorted(derived.allows, key=str), derived.ref.name
        for peer in clients:
            for each in (each for each in allows if each.peer == peer.reference):
                _rule(f"{own}-{_way(each)}-{peer.word}", each, group, peer.id, self.below())
                _rule(f"{peer.word}-{_way(each)}-{own}", each, peer.id, group, self.below())
        return [
            _rule(f"{own}-{_way(each)}-itself", each, group, group, self.below())
            for each in allows
            if each.peer == derived.ref
        ]


def _way(allowance: SecurityGroupRule) -> str:
    """``tcp-1018-from``; part of a rule's logical name."""
    ports = "all" if allowance.first is None else f"tcp-{allowance.first}"
    return f"{ports}-{'from' if allowance.direction == INGRESS else 'to'}"


def _rule(
    name: str,
    allowance: SecurityGroupRule,
    owner: pulumi.Input[str],
    peer: pulumi.Input[str],
    below: pulumi.ResourceOptions,
) -> pulumi.Resource:
    """One rule of a group. In both directions, the ports are those of the file system: file servers listen on them, and
    clients also do."""
    kind = aws.vpc.SecurityGroupEgressRule if allowance.direction == EGRESS else aws.vpc.SecurityGroupIngressRule
    made: pulumi.Resource = kind(
        name,
        security_group_id=owner,
        referenced_security_group_id=peer,
        description=f"Lustre {'to' if allowance.direction == EGRESS else 'from'} the group named here",
        ip_protocol=allowance.protocol,
        from_port=allowance.first,
        to_port=allowance.last,
        opts=below,
    )
    return made


def file_systems(blueprint: ClusterBlueprint, around: Foundation, clients: Sequence[Clients]) -> dict[str, Lustre]:
    """The file systems of a blueprint that Muster creates, by name."""
    return {
        each.name: Lustre(each, each.described, blueprint, around, clients)
        for each in blueprint.storage
        if isinstance(each.described, LustreDescription)
    }
