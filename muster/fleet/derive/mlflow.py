"""The tracking server of managed MLflow."""

from muster.fleet.derive.refs import ARTIFACTS_REF, MLFLOW_REF
from muster.fleet.description.mlflow import Mlflow
from muster.fleet.resources import Place, TrackingServer


def tracking_server(described: Mlflow, cluster_name: str) -> TrackingServer:
    """A description's.

    Args:
        described: what it says.
        cluster_name: the EKS cluster's name.
    """
    return TrackingServer(
        ref=MLFLOW_REF,
        name=described.name or cluster_name,
        artifacts=ARTIFACTS_REF,
        place=Place("hyperpod.mlflow"),
        size=described.size.value.capitalize(),
        version=described.version,
        maintenance=described.maintenance,
        pods=True,
    )
