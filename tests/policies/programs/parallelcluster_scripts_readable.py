"""A script in a bucket that the node may not read."""

from typing import Any

from tests.policies.programs.pcluster import cluster, queue

AT = {"pcluster"}
RUNS: dict[str, Any] = {"CustomActions": {"OnNodeConfigured": {"Script": "s3://ml-scripts/set-up.sh"}}}


def passing() -> None:
    cluster(queue(**RUNS, Iam={"S3Access": [{"BucketName": "ml-scripts"}]}))


def failing() -> None:
    cluster(queue(**RUNS))
