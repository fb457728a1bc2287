"""SageMaker's managed MLflow: the server or the app, the bucket of its artifacts, and the pods that log to it.

A client writes its artifacts into the bucket itself, with its own role, and the server reads them (SageMaker guide,
"mlflow-create-tracking-server-iam"; aws/CICD-for-SageMakerUnifiedStudio#14): pods need permissions for both.
"""

from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint
from muster.blueprint.iam import allow, pod_trust, policy, trust
from muster.blueprint.logical_names import SAGEMAKER_PREFIX
from muster.config.description.base import OnDestroy
from muster.config.description.hyperpod_settings import Mlflow as MlflowDescription
from muster.hardware.zones import partition_of
from muster.infra.bucket import Bucket
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import Component, tags
from muster.infra.role import Role

SERVER_READS_AND_WRITES = ("s3:AbortMultipartUpload", "s3:Get*", "s3:List*", "s3:PutObject*")
"""AWS's guide grants `s3:Put*` on every bucket. These permissions are only for the server's own bucket, and none of
them changes the bucket itself."""

REGISTERS_MODELS = (
    "sagemaker:AddTags",
    "sagemaker:CreateModelPackage",
    "sagemaker:CreateModelPackageGroup",
    "sagemaker:DescribeModelPackageGroup",
    "sagemaker:UpdateModelPackage",
)
"""Permissions from the guide. Only automatic registration of models needs them."""

PODS_LOG = tuple(
    f"sagemaker-mlflow:{each}"
    for each in ("Create*", "End*", "Finalize*", "Get*", "List*", "Log*", "Search*", "Set*", "Start*", "Update*")
)
"""Permissions to create and read experiments, runs, metrics, models and traces. Pods can delete and rename nothing, and
cannot move a model to another stage; people do this with their own roles."""

PODS_READ_AND_WRITE = ("s3:AbortMultipartUpload", "s3:GetObject", "s3:ListBucket", "s3:PutObject")


PODS_CALL_APP = ("sagemaker:CallMlflowAppApi", "sagemaker:DescribeMlflowApp")
"""The data plane of an MLflow App has one action for its whole REST API (SageMaker guide,
"mlflow-app-setup-prerequisites-iam"): pods that can log to it can also delete."""


class Mlflow(Component):
    """A tracking server or an MLflow App with its bucket, its role, and the role of the pods that log to it."""

    def __init__(
        self,
        described: MlflowDescription,
        blueprint: Blueprint,
        cluster: ControlPlaneConnection,
        needed: Sequence[pulumi.Resource] = (),
    ) -> None:
        """Registers all of it.

        Args:
            described: the block `hyperpod.mlflow`.
            blueprint: the cluster's.
            cluster: its control plane: pods get their role by it.
            needed: the resources that an association needs: the agent of Pod Identity.
        """
        super().__init__("mlflow")
        keep = described.on_destroy is OnDestroy.KEEP
        self.bucket = Bucket(
            "mlflow", blueprint, prefix=f"{SAGEMAKER_PREFIX}{blueprint.name_stem}-mlflow", keep=keep, opts=self.below()
        )
        self.version = None if described.serverless else described.version
        self.artifacts: pulumi.Output[str] = pulumi.Output.concat("s3://", self.bucket.name)
        role = Role(
            "mlflow",
            blueprint,
            trust("sagemaker.amazonaws.com", "sts:AssumeRole"),
            (),
            self.below(),
            inline=self.bucket.arn.apply(
                lambda bucket: _of_server(bucket, blueprint.region, registers=described.register_models)
            ),
        )
        shared: dict[str, Any] = {
            "artifact_store_uri": self.artifacts,
            "role_arn": role.arn,
            "weekly_maintenance_window_start": described.maintenance,
            "tags": tags(blueprint, "mlflow"),
            "opts": self.below(
                depends_on=[*role.attachments, *self.bucket.ready],
                protect=keep or None,
                # Its name is the description's: there are never two of it.
                delete_before_replace=True,
            ),
        }
        name = described.name or blueprint.name_stem
        self.name: pulumi.Output[str]
        self.arn: pulumi.Output[str]
        self.url: pulumi.Output[str] | None
        if described.serverless:
            registers = "Enabled" if described.register_models else "Disabled"
            app = aws.sagemaker.MlflowApp(
                "mlflow", name=name, model_registration_mode=f"AutoModelRegistration{registers}", **shared
            )
            self.name, self.arn, self.url = app.name, app.arn, None
        else:
            server = aws.sagemaker.MlflowTrackingServer(
                "mlflow",
                tracking_server_name=name,
                tracking_server_size=described.size.value.capitalize(),
                mlflow_version=described.version,
                automatic_model_registration=described.register_models,
                **shared,
            )
            self.name, self.arn, self.url = server.tracking_server_name, server.arn, server.tracking_server_url
        self.pods = described.pods
        pods = Role(
            "mlflow-pods",
            blueprint,
            pod_trust(self.pods.namespace, self.pods.service_account, cluster.account),
            (),
            self.below(),
            inline=pulumi.Output.all(self.arn, self.bucket.arn).apply(
                lambda given: _of_pods(*given, serverless=described.serverless)
            ),
        )
        self.pods_role = pods.arn
        aws.eks.PodIdentityAssociation(
            "mlflow-pods",
            cluster_name=cluster.name,
            namespace=self.pods.namespace,
            service_account=self.pods.service_account,
            role_arn=pods.arn,
            tags=tags(blueprint, "mlflow-pods"),
            opts=self.below(depends_on=[*pods.attachments, *needed]),
        )
        self.register_outputs({"arn": self.arn, "url": self.url})


def _of_server(bucket: str, region: str, *, registers: bool) -> str:
    """The permissions of the server."""
    statements = [allow(SERVER_READS_AND_WRITES, [bucket, f"{bucket}/*"])]
    if registers:
        registry = f"arn:{partition_of(region)}:sagemaker:{region}:*"
        statements.append(allow(REGISTERS_MODELS, [f"{registry}:model-package/*", f"{registry}:model-package-group/*"]))
    return policy(*statements)


def _of_pods(server: str, bucket: str, *, serverless: bool) -> str:
    """The permissions of the pods."""
    calls = (*PODS_LOG, *PODS_CALL_APP) if serverless else PODS_LOG
    return policy(allow(calls, [server]), allow(PODS_READ_AND_WRITE, [bucket, f"{bucket}/*"]))
