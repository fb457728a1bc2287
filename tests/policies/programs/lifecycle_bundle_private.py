"""A public access block with a gap."""

import pulumi_aws as aws

from tests.policies.programs.hyperpod import cluster, ground, scripts

AT = {"scripts"}


def passing() -> None:
    bucket = scripts()
    four = ("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets")
    aws.s3.BucketPublicAccessBlock("scripts", bucket=bucket.id, **dict.fromkeys(four, True))
    cluster(ground(bucket=bucket))


def failing() -> None:
    bucket = scripts()
    aws.s3.BucketPublicAccessBlock("scripts", bucket=bucket.id, block_public_acls=True, ignore_public_acls=True)
    cluster(ground(bucket=bucket))
