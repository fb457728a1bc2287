"""The managed MLflow tracking server: what is registered for it, who may do what, and what stays."""

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from botocore.session import get_session
from botocore.validate import ParamValidator

from muster.config.description.hyperpod_settings import Mlflow as Description
from muster.infra.cluster import Cluster
from muster.infra.hyperpod.mlflow import (
    PODS_LOG,
    PODS_READ_AND_WRITE,
    REGISTERS_MODELS,
    SERVER_READS_AND_WRITES,
    Mlflow,
)
from muster.infra.network import Foundation
from muster.offline.recording import record
from tests.aws_schemas import api_faults
from tests.factories import REGION, a_blueprint
from tests.infra.registered import Registered

SERVER = "aws:sagemaker/mlflowTrackingServer:MlflowTrackingServer"
BUCKET, ROLE, ROLE_POLICY = "aws:s3/bucket:Bucket", "aws:iam/role:Role", "aws:iam/rolePolicy:RolePolicy"


def registered(said: Mapping[str, Any] | None = None, *, preview: bool = False) -> Registered:
    """What is registered for a tracking server beside the default description's control plane."""
    blueprint = a_blueprint(stack="test")

    def program() -> None:
        cluster = Cluster(blueprint, Foundation.of(blueprint))
        Mlflow(Description.model_validate(said or {}), blueprint, cluster)

    return Registered(record(program, stack="test", region=REGION, preview=preview))


def statements(program: Registered, name: str) -> list[dict[str, Any]]:
    """Of a role's own policy."""
    listed: list[dict[str, Any]] = json.loads(program.one(ROLE_POLICY, name).inputs["policy"])["Statement"]
    assert all(each["Effect"] == "Allow" for each in listed)
    return listed


@pytest.mark.parametrize("size", ["small", "medium", "large"])
@pytest.mark.parametrize("said", [{}, {"name": "Team-A", "version": "2.13", "maintenance": "Sun:23:59"}])
def test_aws_takes_it(said: dict[str, Any], size: str) -> None:
    """By the API's own model (botocore): names, sizes, times."""
    model = get_session().get_service_model("sagemaker").operation_model("CreateMlflowTrackingServer").input_shape
    inputs = dict(registered({**said, "size": size}).one(SERVER, "mlflow").inputs)
    tags = [{"Key": key, "Value": value} for key, value in inputs.pop("tags").items()]
    words = {key[0].upper() + key[1:]: value for key, value in inputs.items()}
    request = {("WeeklyMaintenanceWindowStart" if "Weekly" in key else key): each for key, each in words.items()}
    assert not ParamValidator().validate({**request, "Tags": tags}, model).has_errors()
    assert request["TrackingServerSize"] in model.members["TrackingServerSize"].enum


@pytest.mark.parametrize(
    ("said", "kept"), [({}, True), ({"on-destroy": "keep"}, True), ({"on-destroy": "delete"}, False)]
)
def test_experiments_and_artifacts_are_kept_unless_said_otherwise(said: dict[str, Any], *, kept: bool) -> None:
    """The server has the experiments, the bucket the artifacts: both stay, or both go with all that is in them."""
    program = registered(said)
    server, bucket = program.one(SERVER, "mlflow"), program.one(BUCKET, "mlflow")
    assert server.options.get("protect", False) is bucket.options.get("protect", False) is kept
    assert bucket.inputs["forceDestroy"] is not kept


@cache
def known_actions() -> frozenset[str]:
    """The actions there are of MLflow and of what else the roles may do, in small letters (cfn-lint carries them)."""
    text = files("cfnlint.data.AdditionalSpecs").joinpath("Policies.json").read_text(encoding="utf-8")
    services = json.loads(text)
    wanted = ("sagemaker-mlflow", "sagemaker", "s3")
    return frozenset(f"{service}:{action}" for service in wanted for action in services[service]["Actions"])


@pytest.mark.parametrize("action", [*PODS_LOG, *PODS_READ_AND_WRITE, *SERVER_READS_AND_WRITES, *REGISTERS_MODELS])
def test_every_action_is_one_of_awss(action: str) -> None:
    """A misspelt one grants nothing, and nobody hears of it."""
    assert any(fnmatchcase(each, action.lower()) for each in known_actions())


def test_what_pods_may_not_do() -> None:
    """Whatever takes something away, and the server's pages; all else of MLflow they may."""
    every = {each for each in known_actions() if each.startswith("sagemaker-mlflow:")}
    allowed = {each for each in every if any(fnmatchcase(each, action.lower()) for action in PODS_LOG)}
    words = {each.partition(":")[2] for each in every - allowed}
    assert {word for word in words if not word.startswith("delete")} == {
        "accessui",
        "renameregisteredmodel",
        "restoreexperiment",
        "restorerun",
        "transitionmodelversionstage",
    }
    assert {word for word in words if word.startswith("delete")}, "what is deleted is not theirs to delete"


APP = "aws:sagemaker/mlflowApp:MlflowApp"


def test_a_serverless_app_in_place_of_a_server() -> None:
    """The same bucket and role; pods call its whole API by one action. AWS takes the request."""
    program = registered({"serverless": True, "register-models": True, "maintenance": "Tue:03:30"})
    app, bucket = program.one(APP, "mlflow"), program.one(BUCKET, "mlflow")
    assert not [each for each in program.all if each.type == SERVER]
    inputs = {key: value for key, value in app.inputs.items() if key != "tags"}
    assert inputs == {
        "name": "test",
        "artifactStoreUri": f"s3://{bucket.outputs['bucket']}",
        "roleArn": program.one(ROLE, "mlflow").outputs["arn"],
        "modelRegistrationMode": "AutoModelRegistrationEnabled",
        "weeklyMaintenanceWindowStart": "Tue:03:30",
    }
    assert api_faults({key[0].upper() + key[1:]: value for key, value in inputs.items()}, "CreateMlflowApp") == []
    assert app.options.get("protect") is True
    of_app, of_bucket = statements(program, "mlflow-pods")
    assert of_app["Resource"] == [app.outputs["arn"]]
    assert {"sagemaker:CallMlflowAppApi", "sagemaker:DescribeMlflowApp", *PODS_LOG} == set(of_app["Action"])
    assert set(of_bucket["Action"]) == set(PODS_READ_AND_WRITE)
