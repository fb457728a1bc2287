"""A key of one's own on scratch."""

import pulumi_aws as aws

from tests.policies.programs.world import SCRATCH, a_world, file_system

AT = {"scratch"}


def passing() -> None:
    file_system(a_world(), kms_key_id=aws.kms.Key("data").arn, automatic_backup_retention_days=7)


def failing() -> None:
    file_system(a_world(), **SCRATCH, kms_key_id=aws.kms.Key("data").arn)
