"""A bucket that forgets what scripts were."""

import pulumi_aws as aws

from tests.policies.programs.hyperpod import cluster, ground

AT = {"scripts"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    bucket = aws.s3.Bucket("scripts", bucket="sagemaker-scripts")
    aws.s3.BucketObjectv2("on-create", bucket=bucket.id, key="lifecycle/on_create.sh", content="#!/bin/bash")
    cluster(ground(bucket=bucket))
