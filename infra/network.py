"""The resources below a cluster: its VPC, created or existing, and Capacity Blocks to buy."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import ClusterBlueprint, CreatedSubnet
from muster.config.description.node_group import Tier
from muster.fleet.resources import Reference
from muster.fleet.resources.ec2 import APPROVAL_TAG, APPROVED_OFFERING_TAG, HTTPS
from muster.infra.component import Component, tags

_EVERYWHERE = "0.0.0.0/0"
_REGISTRY = ("ecr.api", "ecr.dkr")
"""The endpoints for image manifests and tokens. Image layers come from S3."""
_LOAD_BALANCERS = {Tier.PUBLIC: "kubernetes.io/role/elb", Tier.PRIVATE: "kubernetes.io/role/internal-elb"}
"""The tags by which load balancer controllers of Kubernetes find their subnets (EKS user guide, "network load
balancing")."""


class Network(Component):
    """A VPC with a private and a public subnet in each zone."""

    def __init__(self, blueprint: ClusterBlueprint) -> None:
        super().__init__("network")
        self._blueprint = blueprint
        self.nat_addresses: dict[str, pulumi.Output[str]] = {}
        """The NAT gateways' public addresses by zone: the source addresses of the nodes' traffic."""
        self._vpc = aws.ec2.Vpc(
            "network",
            cidr_block=blueprint.network.cidr,
            # Without both, the private endpoints of EKS and ECR, and Slurm's nodes, have no DNS names here.
            enable_dns_hostnames=True,
            enable_dns_support=True,
            tags=tags(blueprint, "network"),
            opts=self.below(),
        )
        self.vpc = self._vpc.id
        gateway = aws.ec2.InternetGateway(
            "network", vpc_id=self.vpc, tags=tags(blueprint, "network"), opts=self.below()
        )
        secondary = [
            aws.ec2.VpcIpv4CidrBlockAssociation("pods", vpc_id=self.vpc, cidr_block=each, opts=self.below())
            for each in (blueprint.network.pod_cidr,)
            if each
        ]
        made = {each.ref: self._subnet(each, secondary) for each in blueprint.network.created}
        self.subnets: Mapping[Reference, pulumi.Output[str]] = {ref: subnet.id for ref, subnet in made.items()}
        public = self._table("public")
        out = aws.ec2.Route(
            "public",
            route_table_id=public.id,
            destination_cidr_block=_EVERYWHERE,
            gateway_id=gateway.id,
            opts=self.below(),
        )
        private = self._ways_out(gateway)
        self.private_route_tables: Mapping[str, pulumi.Output[str]] = {
            zone: table.id for zone, table in private.items()
        }
        """By zone."""
        joined = [
            aws.ec2.RouteTableAssociation(
                each.ref.name,
                route_table_id=(public if each.tier is Tier.PUBLIC else private[each.zone]).id,
                subnet_id=self.subnets[each.ref],
                opts=self.below(),
            )
            for each in blueprint.network.created
        ]
        endpoints = self._endpoints([public, *private.values()])
        self.ready: list[pulumi.Resource] = [out, *self._routes, *joined, *endpoints]
        """The resources that must exist before a node can reach anything."""
        self.register_outputs({"vpc": self.vpc})

    def _subnet(self, subnet: CreatedSubnet, secondary: Sequence[pulumi.Resource]) -> aws.ec2.Subnet:
        name, of_pods = subnet.ref.name, subnet.ref in self._blueprint.network.pods.values()
        found_by = {_LOAD_BALANCERS[subnet.tier]: "1"} if self._blueprint.on_kubernetes and not of_pods else {}
        return aws.ec2.Subnet(
            name,
            vpc_id=self.vpc,
            cidr_block=subnet.cidr,
            availability_zone=subnet.zone,
            map_public_ip_on_launch=subnet.tier is Tier.PUBLIC,
            tags={**tags(self._blueprint, name), **found_by},
            opts=self.below(depends_on=[*secondary] if of_pods else None),
        )

    def _table(self, name: str) -> aws.ec2.RouteTable:
        return aws.ec2.RouteTable(name, vpc_id=self.vpc, tags=tags(self._blueprint, name), opts=self.below())

    def _ways_out(self, gateway: aws.ec2.InternetGateway) -> dict[str, aws.ec2.RouteTable]:
        """Zone -> the route table of its private subnet, with a route to the zone's NAT gateway, else to the first
        one."""
        network = self._blueprint.network
        gateways = {zone: self._nat(zone, gateway) for zone in network.nat_zones}
        tables = {zone: self._table(f"private-{zone}") for zone in network.private}
        self._routes = [
            aws.ec2.Route(
                f"private-{zone}",
                route_table_id=table.id,
                destination_cidr_block=_EVERYWHERE,
                nat_gateway_id=gateways.get(zone, gateways[network.nat_zones[0]]).id,
                opts=self.below(),
            )
            for zone, table in tables.items()
        ]
        return tables

    def _nat(self, zone: str, gateway: aws.ec2.InternetGateway) -> aws.ec2.NatGateway:
        named = tags(self._blueprint, f"nat-{zone}")
        address = aws.ec2.Eip(f"nat-{zone}", domain="vpc", tags=named, opts=self.below(depends_on=[gateway]))
        self.nat_addresses[zone] = address.public_ip
        return aws.ec2.NatGateway(
            zone,
            allocation_id=address.id,
            subnet_id=self.subnets[self._blueprint.network.public[zone]],
            tags=named,
            opts=self.below(depends_on=[gateway]),
        )

    def _endpoints(self, tables: list[aws.ec2.RouteTable]) -> list[pulumi.Resource]:
        """The endpoint of S3, which is free and serves image layers and data; those of ECR if the description has
        them."""
        made: list[pulumi.Resource] = [
            self._endpoint("s3", vpc_endpoint_type="Gateway", route_table_ids=[table.id for table in tables])
        ]
        if not self._blueprint.network.registry_endpoints:
            return made
        group = aws.ec2.SecurityGroup(
            "endpoints",
            name_prefix=f"{self._blueprint.name_stem}-endpoints-",
            description="HTTPS from the VPC to interface endpoints",
            vpc_id=self.vpc,
            tags=tags(self._blueprint, "endpoints"),
            opts=self.below(),
        )
        network = self._blueprint.network
        rules = [
            aws.vpc.SecurityGroupIngressRule(
                f"endpoints-from-{name}",
                security_group_id=group.id,
                description="HTTPS from the VPC",
                cidr_ipv4=cidr,
                ip_protocol="tcp",
                from_port=HTTPS,
                to_port=HTTPS,
                opts=self.below(),
            )
            for name, cidr in (("vpc", network.cidr), ("pods", network.pod_cidr))
            if cidr
        ]
        private = [self.subnets[each] for each in network.private.values()]
        made += [
            self._endpoint(
                service,
                vpc_endpoint_type="Interface",
                subnet_ids=private,
                security_group_ids=[group.id],
                private_dns_enabled=True,
            )
            for service in _REGISTRY
        ]
        return [*made, *rules]

    def _endpoint(self, service: str, **settings: Any) -> aws.ec2.VpcEndpoint:
        endpoint: aws.ec2.VpcEndpoint = aws.ec2.VpcEndpoint(
            service,
            vpc_id=self.vpc,
            service_name=f"com.amazonaws.{self._blueprint.region}.{service}",
            tags=tags(self._blueprint, service),
            opts=self.below(),
            **settings,
        )
        return endpoint


def capacity_blocks(blueprint: ClusterBlueprint) -> dict[Reference, pulumi.Output[str]]:
    """Buys every Capacity Block. A purchase is immediate and cannot be cancelled.

    The parent of a block is the stack itself, and its name is that of its offering: a renamed group, another kind of
    node group, or a changed input does not buy a second block. A block is kept when the stack is destroyed, because AWS
    does not take it back.
    """
    bought: dict[Reference, pulumi.Output[str]] = {}
    for purchase in blueprint.purchases:
        approval = {APPROVAL_TAG: purchase.approved_by, APPROVED_OFFERING_TAG: purchase.approved_offering}
        block = aws.ec2.CapacityBlockReservation(
            purchase.ref.name,
            capacity_block_offering_id=str(purchase.offering),
            instance_platform=str(purchase.platform),
            tags={
                **tags(blueprint, purchase.ref.name),
                **{key: str(value) for key, value in approval.items() if value is not None},
            },
            opts=pulumi.ResourceOptions(
                retain_on_delete=True, ignore_changes=["capacityBlockOfferingId", "instancePlatform"]
            ),
        )
        bought[purchase.ref] = block.id
    return bought


@dataclass(frozen=True, slots=True)
class Foundation:
    """The ids of the resources below a cluster, and those that must exist before a node can reach AWS and its peers."""

    vpc: pulumi.Input[str]
    known: Mapping[Reference, pulumi.Input[str]]
    ready: tuple[pulumi.Resource, ...] = ()
    private_route_tables: Mapping[str, pulumi.Input[str]] = field(default_factory=dict)
    """By zone; empty for an existing network."""
    nat_addresses: Mapping[str, pulumi.Input[str]] = field(default_factory=dict)
    """By zone; empty for an existing network."""

    @classmethod
    def of(cls, blueprint: ClusterBlueprint) -> "Foundation":
        """Creates the network and buys the Capacity Blocks of the description."""
        bought = capacity_blocks(blueprint)
        if not blueprint.network.created:
            return cls(str(blueprint.network.vpc), bought)
        network = Network(blueprint)
        return cls(
            network.vpc,
            {**network.subnets, **bought},
            tuple(network.ready),
            network.private_route_tables,
            network.nat_addresses,
        )

    def with_ids(
        self, ids: Mapping[Reference, pulumi.Input[str]], ready: Iterable[pulumi.Resource] = ()
    ) -> "Foundation":
        """The same with more resources, such as the security groups of nodes and their rules."""
        return replace(self, known={**self.known, **ids}, ready=(*self.ready, *ready))

    def id(self, reference: Reference) -> pulumi.Input[str]:
        """The id of a resource of this program; a reference to any other resource is its id."""
        return self.known.get(reference, str(reference))

    def ids(self, references: Iterable[Reference]) -> list[pulumi.Input[str]]:
        """The ids of resources, in their order."""
        return [self.id(each) for each in references]
