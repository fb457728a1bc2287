"""Programs about Slurm: a cluster on ParallelCluster by AWS's own provider, and one on AWS PCS."""

import json
from typing import Any

import pulumi_aws as aws
import pulumi_aws_native as native

from muster.versions import PARALLELCLUSTER
from tests.factories import SG
from tests.policies.programs.program import shape
from tests.policies.programs.world import BLOCK, CR, EVERYWHERE, HARDENED, ITSELF, ON_BLOCK, reserved, subnets_of


@shape(
    dict.fromkeys(
        [
            "parallelcluster-allocation-strategy-fits",
            "parallelcluster-data-kept",
            "parallelcluster-one-architecture",
            "parallelcluster-reservation-single-type",
            "parallelcluster-scripts-readable",
            "parallelcluster-nodes-reach-head",
            "parallelcluster-version-known",
        ],
        "pcluster",
    ),
    facts=reserved(),
)
def on_parallelcluster(broken: bool) -> None:
    """Ids are parameters of the template."""
    vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
    head = {
        "InstanceType": "c7g.4xlarge" if broken else "m5.8xlarge",
        "Networking": {
            "SubnetId": {"Ref": "Subnet"},
            "SecurityGroups" if broken else "AdditionalSecurityGroups": [SG],
        },
        "Ssh": {"AllowedIps": "203.0.113.0/24"},
    }
    network = {"SubnetIds": [{"Ref": "Subnet"}]}
    local = {"LocalStorage": {"EphemeralVolume": {"MountDir": "/local_scratch"}}}
    types = {"Instances": [{"InstanceType": "p4d.24xlarge"}]} if broken else {"InstanceType": "p4d.24xlarge"}
    workers = {
        "Name": "workers",
        **types,
        "MinCount": 2,
        "MaxCount": 2,
        "Efa": {"Enabled": True},
        "CapacityReservationTarget": {"CapacityReservationId": CR},
        "Networking": {"PlacementGroup": {"Enabled": False}},
    }
    train = {
        "Name": "train",
        "Networking": network,
        "ComputeSettings": local,
        "ComputeResources": [workers],
        "CustomActions": {"OnNodeConfigured": {"Script": "s3://ml-scripts/set-up.sh"}},
        "Iam": {} if broken else {"S3Access": [{"BucketName": "ml-scripts"}]},
    }
    plain = {
        "Name": "cpu",
        "Instances": [{"InstanceType": "c5.2xlarge"}, {"InstanceType": "m5.2xlarge"}],
        "MinCount": 0,
        "MaxCount": 2,
        "Efa": {"Enabled": False},
    }
    rest = {
        "Name": "rest",
        "Networking": network,
        "AllocationStrategy": "capacity-optimized" if broken else "prioritized",
        "ComputeResources": [plain],
    }
    lustre = {
        "StorageCapacity": 4800,
        "DeploymentType": "PERSISTENT_2",
        "PerUnitStorageThroughput": 250,
        "DeletionPolicy": "Delete" if broken else "Retain",
    }
    configuration = {
        "Image": {"Os": "alinux2023"},
        "HeadNode": head,
        "Scheduling": {"Scheduler": "slurm", "SlurmQueues": [train, rest]},
        "SharedStorage": [{"Name": "fsx", "MountDir": "/fsx", "StorageType": "FsxLustre", "FsxLustreSettings": lustre}],
    }
    version = "3.14.0" if broken else PARALLELCLUSTER
    address = f"https://us-west-2-aws-parallelcluster.s3.us-west-2.amazonaws.com/parallelcluster/{version}/templates"
    provider = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {"TemplateURL": f"{address}/custom_resource/cluster.yaml"},
    }
    made = {
        "ServiceToken": {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]},
        "ClusterName": "training",
        "ClusterConfiguration": configuration,
    }
    template = {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Parameters": {"Subnet": {"Type": "String"}},
        "Resources": {"Provider": provider, "Cluster": {"Type": "Custom::PclusterCluster", "Properties": made}},
    }
    aws.cloudformation.Stack(
        "pcluster",
        template_body=json.dumps(template),
        parameters={"Subnet": subnets_of(vpc)[0].id},
        capabilities=["CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
    )


@shape({"pcs-capacity-block-purchase-option": "workers"}, facts=BLOCK)
def on_pcs(broken: bool) -> None:
    """A group on a Capacity Block, with Pulumi's native provider."""
    vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")
    subnets = subnets_of(vpc)
    group = aws.ec2.SecurityGroup("slurm", vpc_id=vpc.id, ingress=[ITSELF], egress=[EVERYWHERE, ITSELF])
    cluster = native.pcs.Cluster(
        "training",
        name="training",
        size="SMALL",
        scheduler={"type": "SLURM", "version": "25.11"},
        networking={"subnet_ids": [subnets[0].id], "security_group_ids": [group.id]},
    )
    efa: dict[str, Any] = {"interface_type": "efa", "security_groups": [group.id]}
    template = aws.ec2.LaunchTemplate(
        "workers",
        instance_type="p4d.24xlarge",
        network_interfaces=[{"network_card_index": card, "device_index": 1 if card else 0, **efa} for card in range(4)],
        **HARDENED,
        **ON_BLOCK,
    )
    native.pcs.ComputeNodeGroup(
        "workers",
        name="workers",
        cluster_id=cluster.aws_id,
        ami_id="ami-0123456789abcdef0",
        custom_launch_template={"template_id": template.id, "version": "1"},
        iam_instance_profile_arn=aws.iam.InstanceProfile("nodes", path="/aws-pcs/").arn,
        instance_configs=[{"instance_type": "p4d.24xlarge"}],
        scaling_configuration={"min_instance_count": 0, "max_instance_count": 2},
        subnet_ids=[subnets[0].id],
        purchase_option=None if broken else "CAPACITY_BLOCK",
    )
