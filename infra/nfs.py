"""File systems that nodes mount over NFS: EFS, and FSx for OpenZFS."""

import pulumi
import pulumi_aws as aws

from muster.config.description.nfs import Efs as EfsDescription
from muster.config.description.nfs import OpenZfs as OpenZfsDescription
from muster.fleet.resources import Ref, SharedFileSystem
from muster.infra.file_system import FileSystem

_ROOT_WRITES = ["rw", "crossmnt", "no_root_squash"]
"""The root volume belongs to root: without the last one, no user could ever write (exports(5), FSx API,
OpenZFSClientConfiguration). Clients are limited by the security group."""


class Efs(FileSystem):
    """An EFS file system, with a mount target in each of its subnets."""

    def _make(
        self, derived: SharedFileSystem, described: EfsDescription, rules: list[pulumi.Resource]
    ) -> pulumi.Output[str]:
        made = aws.efs.FileSystem(
            self._storage.name,
            encrypted=True,
            kms_key_id=described.kms_key,
            throughput_mode="elastic",
            tags=self.tags,
            opts=self.protected(depends_on=rules),
        )
        for reference, subnet in zip(derived.subnets, self.subnets, strict=True):
            name = reference.name if isinstance(reference, Ref) else reference
            aws.efs.MountTarget(
                f"{self._storage.name}-{name}",
                file_system_id=made.id,
                subnet_id=subnet,
                security_groups=[self.security_group],
                opts=self.below(),
            )
        self.dns_name, self.mount_name = made.dns_name, derived.mount_name or ""
        return made.id


class OpenZfs(FileSystem):
    """An FSx for OpenZFS file system in one zone."""

    def _make(
        self, derived: SharedFileSystem, described: OpenZfsDescription, rules: list[pulumi.Resource]
    ) -> pulumi.Output[str]:
        exports = aws.fsx.OpenZfsFileSystemRootVolumeConfigurationNfsExportsArgs(
            client_configurations=[
                aws.fsx.OpenZfsFileSystemRootVolumeConfigurationNfsExportsClientConfigurationArgs(
                    clients="*", options=_ROOT_WRITES
                )
            ]
        )
        made = aws.fsx.OpenZfsFileSystem(
            self._storage.name,
            subnet_ids=self.subnet,
            security_group_ids=[self.security_group],
            storage_capacity=derived.size,
            deployment_type=derived.deployment,
            throughput_capacity=derived.throughput,
            kms_key_id=described.kms_key,
            automatic_backup_retention_days=derived.backup_days,
            root_volume_configuration=aws.fsx.OpenZfsFileSystemRootVolumeConfigurationArgs(
                data_compression_type=derived.compression, nfs_exports=exports
            ),
            # `destroy` of an unprotected file system creates a last backup.
            skip_final_backup=not self.keep,
            tags=self.tags,
            opts=self.protected(depends_on=rules),
        )
        self.dns_name, self.mount_name = made.dns_name, derived.mount_name or ""
        self.volume = made.root_volume_id
        return made.id

    @property
    def mounted(self) -> pulumi.Output[str]:
        """The id of its root volume."""
        return self.volume
