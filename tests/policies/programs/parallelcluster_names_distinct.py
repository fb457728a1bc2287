"""Two queues of one name."""

from tests.policies.programs.pcluster import cluster, plain, queue

AT = {"pcluster"}


def passing() -> None:
    cluster(queue(), queue(plain("others"), name="other"))


def failing() -> None:
    cluster(queue(), queue(plain("others")))
