"""A cookbook of one's own."""

from tests.policies.programs.pcluster import cluster

AT = {"pcluster"}


def passing() -> None:
    cluster(DevSettings={"Timeouts": {"ComputeNodeBootstrapTimeout": 3000}})


def failing() -> None:
    cluster(DevSettings={"Cookbook": {"ChefCookbook": "https://example.com/cookbook.tgz"}})
