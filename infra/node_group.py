"""A managed node group with its role, placement group and launch template."""

from collections.abc import Mapping

import pulumi
import pulumi_aws as aws

from infra.cluster import Cluster
from infra.component import Component, tags, trust
from infra.efa_security_group import EfaSecurityGroup
from infra.role import Role
from muster.fleet.blueprint import Blueprint, Group
from muster.fleet.resources import NetworkInterface, Reference
from muster.fleet.resources.node_group import EKS_EFFECTS

_NODE_POLICIES = ("AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly")
"""What a node needs to join and pull images (EKS user guide, "create-node-role"). Not the minimal policy: nodeadm
asks ec2:DescribeInstances. Not the CNI policy: the CNI has a role of its own."""

_ROOT_DEVICE = "/dev/xvda"
"""The root device of EKS's AL2023 images."""


class NodeGroup(Component):
    """One group of the blueprint."""

    def __init__(
        self,
        group: Group,
        blueprint: Blueprint,
        cluster: Cluster,
        efa: EfaSecurityGroup | None,
        depends_on: list[pulumi.Resource],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__(group.name, opts)
        self._group, self._blueprint = group, blueprint
        self._known: Mapping[Reference, pulumi.Input[str]] = {
            blueprint.control_plane.ref: cluster.security_group,
            **({blueprint.efa_security_group.ref: efa.id} if efa and blueprint.efa_security_group else {}),
        }
        role = Role(group.name, blueprint, trust("ec2.amazonaws.com", "sts:AssumeRole"), _NODE_POLICIES, self.below())
        template = self._template()
        derived, nodes = group.node_group, group.described.nodes
        reserved = group.described.capacity.reservation is not None
        self.node_group = aws.eks.NodeGroup(
            group.name,
            cluster_name=cluster.name,
            node_group_name_prefix=f"{group.name}-",
            node_role_arn=role.arn,
            version=derived.version,  # type: ignore[arg-type]
            subnet_ids=list(derived.subnets),  # type: ignore[arg-type]
            ami_type=derived.ami_type,  # type: ignore[arg-type]
            capacity_type=derived.capacity_type,  # type: ignore[arg-type]
            launch_template=aws.eks.NodeGroupLaunchTemplateArgs(
                id=template.id, version=template.latest_version.apply(lambda version: str(int(version)))
            ),
            scaling_config=aws.eks.NodeGroupScalingConfigArgs(
                min_size=nodes.min, desired_size=nodes.start, max_size=nodes.max
            ),
            update_config=aws.eks.NodeGroupUpdateConfigArgs(
                max_unavailable=1,
                update_strategy=derived.update_strategy,  # type: ignore[arg-type]
            ),
            node_repair_config=aws.eks.NodeGroupNodeRepairConfigArgs(
                enabled=derived.repair,  # type: ignore[arg-type]
                # A repaired node needs its place in the reservation back: one at a time.
                max_parallel_nodes_repaired_count=1 if derived.repair is True and reserved else None,
            ),
            labels=dict(sorted(derived.labels)),
            taints=[
                aws.eks.NodeGroupTaintArgs(key=taint.key, value=taint.value, effect=EKS_EFFECTS[taint.effect])
                for taint in sorted(derived.taints)
            ],
            tags=tags(blueprint, group.name),
            opts=self.below(
                depends_on=[*role.attachments, *(efa.rules if efa else ()), *depends_on],
                # Once created the live cluster (an autoscaler, a person) decides how many run within the bounds.
                ignore_changes=None if nodes.fixed else ["scalingConfig.desiredSize"],
                # A group that must be made anew finds no capacity while the old one holds the reservation.
                delete_before_replace=reserved or None,
            ),
        )
        self.role_arn = role.arn
        self.register_outputs({"roleArn": self.role_arn})

    def _template(self) -> aws.ec2.LaunchTemplate:
        group, derived = self._group, self._group.template
        placement = self._placement_group()
        named = tags(self._blueprint, group.name)
        reservation = derived.target.reservation
        return aws.ec2.LaunchTemplate(  # type: ignore[misc]  # mypy gives up on this many unions
            group.name,
            name_prefix=f"{self._blueprint.cluster_name}-{group.name}-",
            update_default_version=True,
            instance_type=derived.instance,  # type: ignore[arg-type]
            network_interfaces=self._interfaces(),
            vpc_security_group_ids=self._ids(derived.security_groups) or None,  # type: ignore[arg-type]
            capacity_reservation_specification=aws.ec2.LaunchTemplateCapacityReservationSpecificationArgs(
                # The target alone: beside one EC2 takes no preference but `capacity-reservations-only`, which says
                # the same.
                capacity_reservation_target=(
                    aws.ec2.LaunchTemplateCapacityReservationSpecificationCapacityReservationTargetArgs(
                        capacity_reservation_id=reservation  # type: ignore[arg-type]
                    )
                )
            )
            if reservation
            else None,
            placement=aws.ec2.LaunchTemplatePlacementArgs(group_name=placement) if placement else None,
            block_device_mappings=[
                aws.ec2.LaunchTemplateBlockDeviceMappingArgs(device_name=_ROOT_DEVICE, ebs=self._root_volume())
            ],
            metadata_options=aws.ec2.LaunchTemplateMetadataOptionsArgs(
                http_endpoint="enabled",
                http_tokens=derived.http_tokens,  # type: ignore[arg-type]
                # One hop: pods cannot take the node's role. Device plugins, the CNI and the Pod Identity agent use
                # the host's network.
                http_put_response_hop_limit=derived.hop_limit,  # type: ignore[arg-type]
            ),
            tag_specifications=[
                aws.ec2.LaunchTemplateTagSpecificationArgs(resource_type=kind, tags=named)
                for kind in ("instance", "volume", "network-interface")
            ],
            user_data=derived.user_data,  # type: ignore[arg-type]
            tags=named,
            opts=self.below(),
        )

    def _root_volume(self) -> aws.ec2.LaunchTemplateBlockDeviceMappingEbsArgs:
        volume = self._group.described.volume
        return aws.ec2.LaunchTemplateBlockDeviceMappingEbsArgs(
            volume_type="gp3",
            volume_size=volume.size.gib,
            throughput=volume.throughput,
            iops=volume.iops,
            encrypted="true",
            delete_on_termination="true",
        )

    def _interfaces(self) -> list[aws.ec2.LaunchTemplateNetworkInterfaceArgs] | None:
        listed = self._group.template.interfaces
        return [self._interface(nic) for nic in listed] if isinstance(listed, tuple) and listed else None

    def _interface(self, nic: NetworkInterface) -> aws.ec2.LaunchTemplateNetworkInterfaceArgs:
        return aws.ec2.LaunchTemplateNetworkInterfaceArgs(
            network_card_index=nic.card,  # type: ignore[arg-type]
            device_index=nic.device,  # type: ignore[arg-type]
            interface_type=nic.type,  # type: ignore[arg-type]
            security_groups=self._ids(nic.security_groups),  # type: ignore[arg-type]
            associate_public_ip_address=None if nic.public_ip is None else str(nic.public_ip).lower(),
            delete_on_termination="true",
        )

    def _ids(self, references: tuple[Reference, ...]) -> list[pulumi.Input[str]]:
        return [self._known.get(each, str(each)) for each in references]

    def _placement_group(self) -> pulumi.Input[str] | None:
        placement = self._group.placement_group
        if placement is None or not placement.create:
            return placement.name if placement else None
        made = aws.ec2.PlacementGroup(
            self._group.name,
            name=placement.name,
            strategy="cluster",
            tags=tags(self._blueprint, self._group.name),
            opts=self.below(),
        )
        return made.name
