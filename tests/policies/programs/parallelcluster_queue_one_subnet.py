"""A queue of one type in two zones."""

from tests.policies.programs.pcluster import cluster, plain, queue

AT = {"pcluster"}


def passing() -> None:
    cluster(queue(plain()))


def failing() -> None:
    cluster(queue(plain(), Networking={"SubnetIds": [{"Ref": "Subnet"}, {"Ref": "Other"}]}))
