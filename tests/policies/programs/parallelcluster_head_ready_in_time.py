"""A head node that is given an hour and a half."""

from tests.policies.programs.pcluster import cluster

AT = {"pcluster"}


def passing() -> None:
    cluster(DevSettings={"Timeouts": {"HeadNodeBootstrapTimeout": 3000}})


def failing() -> None:
    cluster(DevSettings={"Timeouts": {"HeadNodeBootstrapTimeout": 5400}})
