"""What finding out about a new stack takes. Pure."""

OPERATIONS = (
    *("ec2.DescribeAvailabilityZones", "ec2.DescribeCapacityReservations", "ec2.DescribeInstanceTypeOfferings"),
    "ec2.DescribeRegions",
    *("ec2.DescribeRouteTables", "ec2.DescribeSubnets", "ec2.DescribeVpcAttribute", "ec2.DescribeVpcs"),
    *("sagemaker.DescribeTrainingPlan", "sagemaker.ListTrainingPlans"),
)
"""All of its questions, but who asks. A test holds that these are what AWS hears."""
