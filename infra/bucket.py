"""S3 buckets."""

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.iam import policy
from muster.blueprint.logical_names import bucket_prefix
from muster.infra.component import Component, tags


class Bucket(Component):
    """A private bucket: no access from other accounts, TLS only, versioned.

    A resource that uses it depends on the whole component: until the bucket's protections exist, only the account's
    settings protect it.
    """

    def __init__(
        self,
        name: str,
        blueprint: ClusterBlueprint,
        *,
        prefix: str,
        keep: bool,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Registers a bucket and its guards.

        Args:
            name: its logical name.
            blueprint: the blueprint of the cluster that it belongs to.
            prefix: the beginning of its name in AWS; the provider generates the rest. Some of SageMaker's own policies
                cover only buckets whose names begin with ``sagemaker-``.
            keep: whether `destroy` refuses to delete it; otherwise it is deleted with all its objects.
            opts: resource options.
        """
        super().__init__(name, opts)
        bucket = aws.s3.Bucket(
            name,
            bucket_prefix=bucket_prefix(prefix),
            force_destroy=not keep,
            tags=tags(blueprint, name),
            opts=self.below(protect=keep or None),
        )
        private = aws.s3.BucketPublicAccessBlock(
            name,
            bucket=bucket.bucket,
            block_public_acls=True,
            block_public_policy=True,
            ignore_public_acls=True,
            restrict_public_buckets=True,
            opts=self.below(),
        )
        guards: list[pulumi.Resource] = [
            private,
            aws.s3.BucketOwnershipControls(
                name,
                bucket=bucket.bucket,
                rule=aws.s3.BucketOwnershipControlsRuleArgs(object_ownership="BucketOwnerEnforced"),
                opts=self.below(),
            ),
            aws.s3.BucketVersioning(
                name,
                bucket=bucket.bucket,
                versioning_configuration=aws.s3.BucketVersioningVersioningConfigurationArgs(status="Enabled"),
                opts=self.below(),
            ),
            aws.s3.BucketServerSideEncryptionConfiguration(
                name,
                bucket=bucket.bucket,
                rules=[
                    aws.s3.BucketServerSideEncryptionConfigurationRuleArgs(
                        apply_server_side_encryption_by_default=(
                            aws.s3.BucketServerSideEncryptionConfigurationRuleApplyServerSideEncryptionByDefaultArgs(
                                sse_algorithm="AES256"
                            )
                        )
                    )
                ],
                opts=self.below(),
            ),
            # S3 refuses a bucket policy and a change of the public access block at the same time.
            aws.s3.BucketPolicy(
                name,
                bucket=bucket.bucket,
                policy=bucket.arn.apply(_only_by_tls),
                opts=self.below(depends_on=[private]),
            ),
        ]
        self.name: pulumi.Output[str] = bucket.bucket
        self.arn: pulumi.Output[str] = bucket.arn
        self.domain_name: pulumi.Output[str] = bucket.bucket_regional_domain_name
        self.ready: tuple[pulumi.Resource, ...] = (bucket, *guards)
        self.register_outputs({"name": self.name})


def _only_by_tls(arn: str) -> str:
    statement = {
        "Sid": "OnlyByTls",
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": [arn, f"{arn}/*"],
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }
    return policy(statement)
