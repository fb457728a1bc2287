"""The tracking server of managed MLflow."""

from muster.fleet.derive.refs import ARTIFACTS_REF, MLFLOW_REF
from muster.fleet.description.mlflow import Mlflow
from muster.fleet.resources import Place, TrackingServer
from muster.fleet.unknown import Derived


def tracking_server(described: Mlflow, name_stem: str) -> TrackingServer[Derived]:
    """A description's.

    Args:
        described: what it says.
        name_stem: what names of Muster's own begin with.
    """
    return TrackingServer(
        ref=MLFLOW_REF,
        name=described.name or name_stem,
        artifacts=ARTIFACTS_REF,
        place=Place("hyperpod.mlflow"),
        size=described.size.value.capitalize(),
        version=described.version,
        maintenance=described.maintenance,
        pods=True,
    )
