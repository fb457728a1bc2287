"""Amazon Linux 2, as the templates of 2023 have it."""

from tests.policies.programs.pcluster import cluster

AT = {"pcluster"}


def passing() -> None:
    cluster(Image={"Os": "ubuntu2404"})


def failing() -> None:
    cluster(Image={"Os": "alinux2"})
