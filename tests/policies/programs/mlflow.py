"""Programs about MLflow."""

import pulumi_aws as aws

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import a_role


def server(**more: object) -> None:
    bucket = aws.s3.Bucket("artifacts")
    settings = {"tracking_server_name": "team-a", "artifact_store_uri": bucket.bucket.apply("s3://{}".format), **more}
    aws.sagemaker.MlflowTrackingServer("team-a", role_arn=a_role("mlflow", "sagemaker.amazonaws.com").arn, **settings)  # type: ignore[arg-type]


keeps("mlflow-version-kept")(lambda: server(mlflow_version="3.0"))
breaks("mlflow-version-kept", "A version with three numbers.", at={"team-a"})(lambda: server(mlflow_version="3.0.0"))
