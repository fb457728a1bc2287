"""What programs about ParallelCluster need and are not about: a network, and the stack that makes a cluster.

As `world`: written as people write it, ids as parameters of the template, and nothing wrong with it yet.
"""

import json
from typing import Any

import pulumi_aws as aws

from muster.fleet.facts import Facts
from muster.versions import PARALLELCLUSTER
from tests.factories import facts
from tests.policies.programs.world import CR, subnets_of

IMAGE = "ami-0123456789abcdef0"


def _said(defaults: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """What is None is left out."""
    return {key: value for key, value in {**defaults, **more}.items() if value is not None}


def head(**more: Any) -> dict[str, Any]:
    """A head node that one network reaches by SSH."""
    defaults = {
        "InstanceType": "m5.8xlarge",
        "Networking": {"SubnetId": {"Ref": "Subnet"}},
        "Ssh": {"AllowedIps": "203.0.113.0/24"},
    }
    return _said(defaults, more)


def resource(name: str = "workers", **more: Any) -> dict[str, Any]:
    """Two p4d.24xlarge with EFA in a placement group."""
    defaults = {
        "Name": name,
        "InstanceType": "p4d.24xlarge",
        "MinCount": 2,
        "MaxCount": 2,
        "Efa": {"Enabled": True},
        "Networking": {"PlacementGroup": {"Enabled": True}},
    }
    return _said(defaults, more)


def plain(name: str = "workers", **more: Any) -> dict[str, Any]:
    """Two c5.2xlarge."""
    return resource(name, **{"InstanceType": "c5.2xlarge", "Efa": None, "Networking": None, **more})


def queue(*resources: dict[str, Any], name: str = "train", **more: Any) -> dict[str, Any]:
    """A queue in the first zone."""
    defaults = {
        "Name": name,
        "Networking": {"SubnetIds": [{"Ref": "Subnet"}]},
        "ComputeSettings": {"LocalStorage": {"EphemeralVolume": {"MountDir": "/local_scratch"}}},
        "ComputeResources": list(resources) or [resource()],
    }
    return _said(defaults, more)


def made(**more: Any) -> dict[str, Any]:
    """A Lustre file system that ParallelCluster makes, at /fsx."""
    settings: dict[str, Any] = {
        "StorageCapacity": 4800,
        "DeploymentType": "PERSISTENT_2",
        "PerUnitStorageThroughput": 250,
    }
    settings = {**settings, "DeletionPolicy": "Retain", **more}
    return {"Name": "fsx", "MountDir": "/fsx", "StorageType": "FsxLustre", "FsxLustreSettings": settings}


def cluster(
    *queues: dict[str, Any],
    version: str = PARALLELCLUSTER,
    **more: Any,
) -> aws.cloudformation.Stack:
    """A cluster that AWS's own provider makes; `more` are sections of its configuration.

    Of the network it is told the first zone's subnet as ``Subnet``, and the second's as ``Other`` where that is named.
    """
    vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
    here, there = subnets_of(vpc)
    configuration = _said(
        {
            "Image": {"Os": "alinux2023"},
            "HeadNode": head(),
            "Scheduling": {"Scheduler": "slurm", "SlurmQueues": list(queues) or [queue()]},
        },
        more,
    )
    address = f"https://us-west-2-aws-parallelcluster.s3.us-west-2.amazonaws.com/parallelcluster/{version}/templates"
    ids = {"Subnet": here.id}
    if '"Other"' in json.dumps(configuration):
        ids["Other"] = there.id
    template = {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Parameters": {each: {"Type": "String"} for each in ids},
        "Resources": {
            "Provider": {
                "Type": "AWS::CloudFormation::Stack",
                "Properties": {"TemplateURL": f"{address}/custom_resource/cluster.yaml"},
            },
            "Cluster": {
                "Type": "Custom::PclusterCluster",
                "Properties": {
                    "ServiceToken": {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]},
                    "ClusterName": "training",
                    "ClusterConfiguration": configuration,
                },
            },
        },
    }
    return aws.cloudformation.Stack(
        "pcluster",
        template_body=json.dumps(template),
        parameters=ids,
        capabilities=["CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
    )


def reserved(kind: str = "default", **more: Any) -> Facts:
    """What AWS says of the reservation: two p4d.24xlarge in the first zone."""
    holds = {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2}
    usable = {"state": "active", "platform": "Linux/UNIX", "tenancy": "default", "reservationType": kind}
    return facts(reservations={CR: {**holds, **usable, **more}})


def image(**more: Any) -> Facts:
    """What AWS says of the image."""
    built = {"parallelclusterVersion": PARALLELCLUSTER, "os": "alinux2023"}
    return facts(images={IMAGE: {**built, **more}})
