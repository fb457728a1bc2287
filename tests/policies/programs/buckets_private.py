"""Data sets that everybody may read."""

import json

import pulumi_aws as aws

from tests.policies.programs.world import a_template, a_world, workers

AT = {"data"}


def readable_by(principal: object) -> None:
    world = a_world()
    workers(world, a_template(world))
    bucket = aws.s3.Bucket("data", bucket="our-data-sets")
    statement = {
        "Effect": "Allow",
        "Principal": principal,
        "Action": "s3:GetObject",
        "Resource": "arn:aws:s3:::our-data-sets/*",
    }
    aws.s3.BucketPolicy("data", bucket=bucket.id, policy=json.dumps({"Statement": [statement]}))


def passing() -> None:
    readable_by({"AWS": "arn:aws:iam::111122223333:role/readers"})


def failing() -> None:
    readable_by("*")
