"""GPUDirect without EFA."""

from tests.policies.programs.pcluster import cluster, plain, queue, resource

AT = {"pcluster"}


def passing() -> None:
    cluster(queue(resource(Efa={"Enabled": True, "GdrSupport": True})))


def failing() -> None:
    cluster(queue(plain(Efa={"Enabled": False, "GdrSupport": True})))
