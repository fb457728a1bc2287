"""EFA, and no word of a placement group."""

from tests.policies.programs.pcluster import cluster, queue, resource

AT = {"pcluster"}
PLACED = {"SubnetIds": [{"Ref": "Subnet"}], "PlacementGroup": {"Enabled": False}}


def passing() -> None:
    cluster(queue(resource(Networking=None), Networking=PLACED))


def failing() -> None:
    cluster(queue(resource(Networking=None)))
