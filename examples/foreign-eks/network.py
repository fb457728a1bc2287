"""The network: one private subnet a zone behind one NAT gateway."""

import pulumi_aws as aws

ZONES = ("us-west-2a", "us-west-2b")

vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
gateway = aws.ec2.InternetGateway("main", vpc_id=vpc.id)
public = aws.ec2.Subnet("public", vpc_id=vpc.id, cidr_block="10.0.0.0/24", availability_zone=ZONES[0])
out = aws.ec2.RouteTable("public", vpc_id=vpc.id, routes=[{"cidr_block": "0.0.0.0/0", "gateway_id": gateway.id}])
aws.ec2.RouteTableAssociation("public", subnet_id=public.id, route_table_id=out.id)
nat = aws.ec2.NatGateway("main", subnet_id=public.id, allocation_id=aws.ec2.Eip("nat", domain="vpc").id)
through = aws.ec2.RouteTable("private", vpc_id=vpc.id, routes=[{"cidr_block": "0.0.0.0/0", "nat_gateway_id": nat.id}])

private_subnets = []
for index, zone in enumerate(ZONES):
    subnet = aws.ec2.Subnet(
        f"private-{zone}", vpc_id=vpc.id, cidr_block=f"10.0.{16 * (index + 1)}.0/20", availability_zone=zone
    )
    aws.ec2.RouteTableAssociation(f"private-{zone}", subnet_id=subnet.id, route_table_id=through.id)
    private_subnets.append(subnet)
