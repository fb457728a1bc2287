"""A placement group that is named and turned off."""

from typing import Any

import pulumi_aws as aws

from tests.policies.programs.pcluster import cluster, queue, resource

AT = {"pcluster"}


def _cluster(placement: dict[str, Any]) -> None:
    aws.ec2.PlacementGroup("close", name="close", strategy="cluster")
    cluster(queue(resource(Networking={"PlacementGroup": placement})))


def passing() -> None:
    _cluster({"Name": "close"})


def failing() -> None:
    _cluster({"Name": "close", "Enabled": False})
