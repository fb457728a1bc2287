"""Security groups in place of ParallelCluster's, on the head node alone."""

from tests.factories import SG
from tests.policies.programs.pcluster import cluster, head

AT = {"pcluster"}


def passing() -> None:
    cluster(HeadNode=head(Networking={"SubnetId": {"Ref": "Subnet"}, "AdditionalSecurityGroups": [SG]}))


def failing() -> None:
    cluster(HeadNode=head(Networking={"SubnetId": {"Ref": "Subnet"}, "SecurityGroups": [SG]}))
