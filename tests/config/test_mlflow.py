"""What may be said of a managed MLflow tracking server."""

import pytest
from botocore.loaders import Loader

from muster.config.description.hyperpod_settings import Mlflow
from muster.config.validation import validate
from muster.versions import MLFLOW_CLIENTS
from tests.factories.hyperpod import a_hyperpod_blueprint


def test_nothing_need_be_said() -> None:
    """Small, the newest MLflow, kept on destroy."""
    made, faults = validate(Mlflow, {})
    assert made is not None, faults
    assert (made.size.value, made.version, made.on_destroy.value) == ("small", "3.0", "keep")
    assert (made.pods.namespace, made.pods.service_account) == ("default", "mlflow")
    assert next(iter(MLFLOW_CLIENTS)) == max(MLFLOW_CLIENTS, key=lambda each: [int(part) for part in each.split(".")])


@pytest.mark.parametrize("size", ["small", "medium", "large"])
def test_a_tracking_server_is_as_it_is_said(size: str) -> None:
    """SageMaker's words for its sizes have a capital."""
    said = {"name": "theirs", "size": size, "version": "2.16", "maintenance": "Tue:03:30"}
    hyperpod = a_hyperpod_blueprint({"hyperpod": {"mlflow": said}}).hyperpod
    assert hyperpod is not None
    made = hyperpod.tracking_server
    assert made is not None
    assert (made.name, made.size, made.version, made.maintenance, made.pods) == (
        "theirs",
        size.capitalize(),
        "2.16",
        "Tue:03:30",
        True,
    )
    shape = Loader().load_service_model("sagemaker", "service-2")["shapes"]["TrackingServerSize"]
    assert made.size in shape["enum"]
