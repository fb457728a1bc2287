"""SSH of which nothing is said, and which is open to the world."""

from tests.policies.programs.pcluster import cluster, head

AT = {"pcluster"}


def passing() -> None:
    cluster(HeadNode=head(Ssh={"AllowedIps": "203.0.113.0/24"}))


def failing() -> None:
    cluster(HeadNode=head(Ssh={"KeyName": "ml-admins"}))
