"""Edits of a file system and a registry."""

from muster.config.description.storage import Lustre, Registry
from tests.engine.changes.edits import FILES, KEY, REPOSITORY, Changed, Row, row

LUSTRE = "lustre: {size: 1200GiB, throughput: 250, compression: none, backup-days: 1, on-destroy: delete}"
LET_GO = (
    ("registry: {}", "registry: {on-destroy: delete}"),
    ("backup-days: 1}", "backup-days: 1, on-destroy: delete}"),
)
FILES_UPDATE: Changed = {(FILES, "scratch"): "update"}
FILES_REPLACED: Changed = {(FILES, "scratch"): "replace"}


def of_lustre(field: str, after: str, expected: Changed) -> Row:
    """An edit of the file system: everything it says."""
    return row(Lustre, field, LUSTRE, f"lustre: {{{after}, on-destroy: delete}}", expected)


DATA_ROWS = (
    of_lustre("size", "size: 2400GiB, throughput: 250, compression: none, backup-days: 1", FILES_UPDATE),
    of_lustre("throughput", "size: 1200GiB, throughput: 500, compression: none, backup-days: 1", FILES_UPDATE),
    of_lustre("compression", "size: 1200GiB, throughput: 250, compression: lz4, backup-days: 1", FILES_UPDATE),
    of_lustre("backup_days", "size: 1200GiB, throughput: 250, compression: none, backup-days: 2", FILES_UPDATE),
    of_lustre(
        "metadata",
        "size: 1200GiB, throughput: 250, compression: none, backup-days: 1, metadata: {iops: 3000}",
        FILES_UPDATE,
    ),
    of_lustre("type", "size: 1200GiB, type: scratch-2, compression: none", FILES_REPLACED),
    of_lustre("key", f"size: 1200GiB, throughput: 250, compression: none, backup-days: 1, key: {KEY}", FILES_REPLACED),
    row(Lustre, "zone", "zone: us-west-2d", "zone: us-west-2b", FILES_REPLACED),  # it follows its group
    of_lustre(
        "data",
        "size: 1200GiB, throughput: 250, compression: none, data: {/corpus: {s3: s3://corpus/text}}",
        {("aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation", "scratch/corpus"): "create"},
    ),
    row(Lustre, "on_destroy", "backup-days: 1, on-destroy: delete}", "backup-days: 1}", FILES_UPDATE),
    row(Registry, "on_destroy", "registry: {on-destroy: delete}", "registry: {}", {(REPOSITORY, "registry"): "update"}),
    row(
        Registry,
        "repository",
        "registry: {on-destroy: delete}",
        "registry: {on-destroy: delete, repository: ml/training}",
        {(REPOSITORY, "registry"): "replace"},
    ),
)
