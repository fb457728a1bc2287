"""Backups of what is linked to S3."""

from tests.policies.programs.world import a_world, file_system, link

AT = {"scratch"}


def passing() -> None:
    link(file_system(a_world()), "/data", "s3://data/imagenet")


def failing() -> None:
    link(file_system(a_world(), automatic_backup_retention_days=7), "/data", "s3://data/imagenet")
