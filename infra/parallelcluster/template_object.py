"""A CloudFormation template that is too long to be sent along."""

from hashlib import sha256

import pulumi
import pulumi_aws as aws

from infra.bucket import Bucket
from infra.component import Component, tags
from muster.fleet.slurm_blueprint import SlurmBlueprint


class TemplateObject(Component):
    """A template in a private bucket, under its hash: another text is another object, which CloudFormation sees.

    CloudFormation reads it as whoever deploys.
    """

    def __init__(self, body: str, blueprint: SlurmBlueprint, opts: pulumi.ResourceOptions | None = None) -> None:
        name = "template"
        super().__init__(name, opts)
        bucket = Bucket(name, blueprint, prefix=f"{blueprint.cluster_name}-template-", keep=False, opts=self.below())
        made = aws.s3.BucketObjectv2(
            name,
            bucket=bucket.name,
            key=f"{sha256(body.encode()).hexdigest()}.json",
            content=body,
            content_type="application/json",
            tags=tags(blueprint, name),
            opts=self.below(depends_on=[bucket]),
        )
        self.bucket = bucket.name
        self.url: pulumi.Output[str] = pulumi.Output.format("https://{0}/{1}", bucket.domain_name, made.key)
        self.register_outputs({"url": self.url})
