"""FSx for Lustre: a file system with its links to S3."""

import pulumi
import pulumi_aws as aws

from muster.config.description.storage import Lustre as LustreDescription
from muster.fleet.resources import LustreFileSystem
from muster.hardware.lustre import PERSISTENT
from muster.infra.file_system import FileSystem


class Lustre(FileSystem):
    """An FSx for Lustre file system."""

    def _make(
        self, derived: LustreFileSystem, described: LustreDescription, rules: list[pulumi.Resource]
    ) -> pulumi.Output[str]:
        last_backup = self.keep and derived.deployment in PERSISTENT and not described.data
        made = aws.fsx.LustreFileSystem(
            self._storage.name,
            subnet_ids=self.subnet,
            security_group_ids=[self.security_group],
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
            tags=self.tags,
            opts=self.protected(depends_on=rules),
        )
        self._links(described, made)
        self.dns_name, self.mount_name = made.dns_name, made.mount_name
        return made.id

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
                tags=self.tags,
                opts=self.below(),
            )
