"""What may be said of a managed MLflow tracking server."""

from typing import Any

import pytest
from botocore.loaders import Loader

from muster.config.description.hyperpod import Mlflow
from muster.config.validation import validate
from muster.versions import MLFLOW_CLIENTS
from tests.hyperpod_factories import a_hyperpod_blueprint


def test_nothing_need_be_said() -> None:
    """Small, the newest MLflow, kept on destroy."""
    made, faults = validate(Mlflow, {})
    assert made is not None, faults
    assert (made.size.value, made.version, made.on_destroy.value) == ("small", "3.0", "keep")
    assert (made.pods.namespace, made.pods.service_account) == ("default", "mlflow")
    assert next(iter(MLFLOW_CLIENTS)) == max(MLFLOW_CLIENTS, key=lambda each: [int(part) for part in each.split(".")])


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"name": "-a"}, "'-a' is not the name of a tracking server; use letters and digits, and dashes between them"),
        ({"name": "a" * 257}, "256 at most"),
        ({"version": "3.0.0"}, 'write "3.0": the version has no third number here'),
        ({"version": "3.4"}, 'SageMaker has no tracking server of MLflow \'3.4\'; write "3.0", "2.16", "2.13"'),
        ({"maintenance": "TUE:03:30"}, "'TUE:03:30' is not a time of the week in UTC; write one like Tue:03:30"),
        ({"maintenance": "Tue:24:00"}, "write one like Tue:03:30"),
        ({"pods": {"service-account": "ML flow"}}, "'ML flow' is not the name of a service account"),
        ({"pods": {"namespace": "a.b"}}, "'a.b' is not a namespace"),
        ({"siez": "small"}, "did you mean 'size'"),
    ],
)
def test_what_aws_would_refuse_is_refused_here(said: dict[str, Any], words: str) -> None:
    """With what was found, and what to write."""
    made, faults = validate(Mlflow, said)
    assert made is None
    ((_, finding),) = faults
    assert words in f"{finding.got}; {finding.remedy}"


@pytest.mark.parametrize("name", ["a", "A1", "team--a", "a" * 256])
def test_names_that_aws_takes(name: str) -> None:
    """One letter or 256, with dashes inside."""
    made, faults = validate(Mlflow, {"name": name})
    assert made is not None, faults


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
