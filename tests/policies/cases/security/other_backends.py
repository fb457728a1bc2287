"""The same things on the other backends."""

from tests.policies.security import AWS_POLICY, bucket, output, role

SOUND = (bucket(), output("vpcId", "vpc-0123"), role(f"{AWS_POLICY}/AmazonSSMManagedInstanceCore"))
