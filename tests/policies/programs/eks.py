"""Programs on EKS: a managed group with all that goes with it, nodes of other kinds, Karpenter's."""

import json
from base64 import b64encode
from typing import Any

import pulumi_aws as aws
import pulumi_kubernetes as kubernetes

from tests.policies.programs.program import shape
from tests.policies.programs.world import (
    BLOCK,
    CR,
    EVERYWHERE,
    ITSELF,
    ON_BLOCK,
    a_template,
    a_world,
    efa_group,
    interfaces,
    reserved,
    workers,
)

GPU_TAINT = {"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}
PAGES = b64encode(b"#!/bin/bash\necho 5128 > /proc/sys/vm/nr_hugepages\n").decode()


def a_container(**limits: Any) -> dict[str, Any]:
    """A pod's spec with one container on nodes with GPUs."""
    resources = {"limits": {"memory": "1Gi", **limits}}
    mounts = [{"name": "memory", "mountPath": "/dev/shm"}]
    return {
        "containers": [{"name": "train", "image": "train", "resources": resources, "volumeMounts": mounts}],
        "volumes": [{"name": "memory", "emptyDir": {"medium": "Memory"}}],
        "tolerations": [{"operator": "Exists"}],
        "restartPolicy": "Never",
    }


@shape(
    {
        "api-not-open-to-all": "training",
        "imds-out-of-pods": "workers",
        "efa-security-groups-allow-themselves": "efa",
        "node-role-narrow": "nodes",
        "placement-group-fits-capacity": "workers",
        "one-plugin-per-device": "nvidia-device-plugin",
        "plugin-reaches-its-nodes": "aws-efa-k8s-device-plugin",
        "devices-within-instance": "train",
        "huge-pages-within-node": "pages",
    },
    facts=reserved(),
)
def a_managed_group(broken: bool) -> None:
    """On a reservation, with add-ons and jobs."""
    world = a_world(api=None if broken else ("203.0.113.0/24",))
    egress = [EVERYWHERE] if broken else [EVERYWHERE, ITSELF]
    efa = aws.ec2.SecurityGroup("efa", vpc_id=world.vpc.id, ingress=[ITSELF], egress=egress)
    if broken:
        aws.ec2.PlacementGroup("near", name="near", strategy="spread")
    template = a_template(
        world,
        network_interfaces=interfaces(world, efa),
        metadata_options={"http_tokens": "required", "http_put_response_hop_limit": 2 if broken else 1},
        capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": CR}},
        placement={"group_name": "near"} if broken else None,
        user_data=PAGES,
    )
    workers(world, template, ami_type="AL2023_x86_64_NVIDIA", taints=[GPU_TAINT])
    policy = "AmazonS3FullAccess" if broken else "AmazonEKSWorkerNodePolicy"
    aws.iam.RolePolicyAttachment("data", role=world.node_role.name, policy_arn=f"arn:aws:iam::aws:policy/{policy}")
    statement = {"Effect": "Allow", "Action": "*" if broken else "s3:GetObject", "Resource": "*"}
    aws.iam.RolePolicy("own", role=world.node_role.id, policy=json.dumps({"Statement": [statement]}))
    tolerations = {} if broken else {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}]}
    operator = {"driver": {"enabled": False}, "toolkit": {"enabled": False}, "devicePlugin": {"enabled": broken}}
    for chart, version, values in (
        ("nvidia-device-plugin", "0.20.0", {}),
        ("gpu-operator", "v26.7.0", operator),
        ("aws-efa-k8s-device-plugin", "v0.5.30", tolerations),
    ):
        kubernetes.helm.v3.Release(chart, chart=chart, version=version, values=values)
    spec = a_container(**{"nvidia.com/gpu": 9 if broken else 8, "vpc.amazonaws.com/efa": 4})
    worker = {"replicas": 2, "restartPolicy": "OnFailure", "template": {"spec": spec}}
    kubernetes.apiextensions.CustomResource(
        "train",
        api_version="kubeflow.org/v1",
        kind="PyTorchJob",
        spec={"pytorchReplicaSpecs": {"Worker": worker}},
    )
    pages = a_container(**{"hugepages-2Mi": "10258Mi" if broken else "10256Mi"})
    kubernetes.batch.v1.Job("pages", spec={"template": {"spec": pages}})


@shape(
    {"capacity-block-drained": "workers", "capacity-block-purchase-approved": "p5"},
    facts=BLOCK,
)
def an_auto_scaling_group(broken: bool) -> None:
    """On a Capacity Block, beside one that is bought; a schedule scales it down."""
    world = a_world()
    image = "ami-0123456789abcdef0"
    template = a_template(world, image_id=image, vpc_security_group_ids=[world.cluster_group], **ON_BLOCK)
    group = aws.autoscaling.Group(
        "workers",
        vpc_zone_identifiers=[world.subnets[0].id],
        launch_template={"id": template.id, "version": "$Latest"},
        min_size=0,
        desired_capacity=1,
        max_size=2,
        tags=[{"key": "kubernetes.io/cluster/training", "value": "owned", "propagate_at_launch": True}],
    )
    if not broken:
        aws.autoscaling.Schedule(
            "before-the-end",
            scheduled_action_name="before-the-end",
            autoscaling_group_name=group.name,
            start_time="2026-11-28T10:30:00Z",
            min_size=0,
            max_size=-1,
            desired_capacity=0,
        )
    offering = "cb-0123456789abcdef0"
    approval = {"muster:approved-by": "head.of.research", "muster:approved-offering": offering}
    aws.ec2.CapacityBlockReservation(
        "p5",
        capacity_block_offering_id=offering,
        instance_platform="Linux/UNIX",
        tags={"team": "research"} if broken else approval,
    )


@shape({"reservation-group-usable": "reserved"})
def a_reservation_group(broken: bool) -> None:
    """The reservation is the program's own: in a preview nothing but what it depends on tells which."""
    world = a_world()
    only = {"name": "allowed-resource-types", "values": ["AWS::EC2::CapacityReservation"]}
    entries: Any = [
        {"type": "AWS::EC2::CapacityReservationPool"},
        {"type": "AWS::ResourceGroups::Generic", "parameters": [only]},
    ]
    group = aws.resourcegroups.Group("reserved", name="reserved", configurations=entries)
    if not broken:
        reservation = aws.ec2.CapacityReservation(
            "p4d",
            instance_type="p4d.24xlarge",
            instance_platform="Linux/UNIX",
            availability_zone="us-west-2a",
            instance_count=2,
        )
        aws.resourcegroups.Resource("member", group_arn=group.arn, resource_arn=reservation.arn)
    specification = {
        "capacity_reservation_target": {"capacity_reservation_resource_group_arn": group.arn},
        "capacity_reservation_preference": "capacity-reservations-only",
    }
    workers(world, a_template(world, capacity_reservation_specification=specification))


@shape({"node-template-reaches-control-plane": "workers", "spot-not-for-training": "workers"})
def a_group_on_spot(broken: bool) -> None:
    """Rules between the two groups, as terraform-aws-eks writes them, do as well as the cluster's own group. A
    node without EFA that goes takes no others along."""
    world = a_world()
    own = aws.ec2.SecurityGroup("nodes", vpc_id=world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE, ITSELF])
    if not broken:
        aws.ec2.SecurityGroupRule(
            "nodes-to-api",
            type="ingress",
            security_group_id=world.cluster_group,
            source_security_group_id=own.id,
            protocol="tcp",
            from_port=443,
            to_port=443,
        )
    efa = [{"device_index": 0, "interface_type": "efa", "security_groups": [own.id]}]
    carried: dict[str, Any] = {"network_interfaces": efa} if broken else {"vpc_security_group_ids": [own.id]}
    template = a_template(world, instance_type="g4dn.8xlarge" if broken else "m5.8xlarge", **carried)
    workers(world, template, capacity_type="SPOT")


@shape({"lustre-ports-open": "scratch", "lustre-efa-traffic-open": "data"})
def file_systems(broken: bool) -> None:
    """One with Lustre's ports beside nodes, and one with EFA."""
    world = a_world()
    workers(world, a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=[world.cluster_group]))
    efa = efa_group(world, "fsx-efa")

    def tcp(name: str, *ports: tuple[int, int]) -> aws.ec2.SecurityGroup:
        peers = {"protocol": "tcp", "self": True, "security_groups": [world.cluster_group]}
        rules: list[Any] = [{"from_port": first, "to_port": last, **peers} for first, last in ports]
        return aws.ec2.SecurityGroup(name, vpc_id=world.vpc.id, ingress=rules, egress=rules)

    every = tcp("every-port", (988, 988), (1018, 1023))
    some = tcp("one-port", (988, 988)) if broken else every
    lustre: dict[str, Any] = {
        "subnet_ids": world.subnets[0].id,
        "deployment_type": "PERSISTENT_2",
        "per_unit_storage_throughput": 250,
        "file_system_type_version": "2.15",
        "metadata_configuration": {"mode": "AUTOMATIC"},
    }
    aws.fsx.LustreFileSystem("scratch", storage_capacity=1200, security_group_ids=[some.id], **lustre)
    aws.fsx.LustreFileSystem(
        "data",
        storage_capacity=19200,
        efa_enabled=True,
        security_group_ids=[every.id] if broken else [every.id, efa.id],
        **lustre,
    )


@shape({"node-pool-reserved-capacity": "pool"})
def karpenters_nodes(broken: bool) -> None:
    """A NodePool of reserved capacity, and its class."""
    world = a_world()
    kubernetes.apiextensions.CustomResource(
        "class",
        api_version="karpenter.k8s.aws/v1",
        kind="EC2NodeClass",
        metadata={"name": "workers"},
        spec={
            "amiSelectorTerms": [{"alias": "al2023@v20260903"}],
            "subnetSelectorTerms": [{"id": world.subnets[0].id}],
            "securityGroupSelectorTerms": [{"id": world.cluster_group}],
            "role": world.node_role.name,
            "networkInterfaces": [{"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}],
            "capacityReservationSelectorTerms": [] if broken else [{"id": CR}],
        },
    )
    requirements = [
        {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["c5.2xlarge"]},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["reserved"]},
    ]
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "workers"}
    nodes = {"nodeClassRef": reference, "requirements": requirements, "expireAfter": "Never"}
    kubernetes.apiextensions.CustomResource(
        "pool",
        api_version="karpenter.sh/v1",
        kind="NodePool",
        metadata={"name": "workers"},
        spec={
            "template": {"spec": nodes},
            "disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "10m"},
            "limits": {"nodes": "2"},
        },
    )
