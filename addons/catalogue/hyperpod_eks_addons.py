"""HyperPod's add-ons that EKS installs: task governance, the training operator, observability.

Names, roles and service accounts are those of AWS's Terraform (awslabs/awsome-distributed-ai 95b939c,
`1.architectures/7.sagemaker-hyperpod-eks/terraform-modules`). EKS publishes neither their manifests nor their
requests: the workloads here are those that AWS's guides list, without placement and requests, so a simulated workload
may run where the add-on would not.

- Task governance v1.6.0 is Kueue 0.19.2 in kueue-system (SageMaker guide, "Upgrade the task governance add-on"), and
  does not work with another Kueue.
- The training operator needs cert-manager and the Pod Identity agent, its service account is
  hp-training-operator-controller-manager (SageMaker guide, "Installing the training operator"). EKS states that
  v1.2.1 does not support a Pod Identity association in the add-on (awslabs/awsome-distributed-ai#1076), so Muster
  creates a separate one.
- Observability writes to a Prometheus workspace and to the cluster's log groups; its pods are those in
  awslabs/awsome-distributed-ai#926.
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, EksAddon, Json, Permissions, Statement
from muster.addons.catalogue.kueue import WEBHOOKS
from muster.addons.context import AddonContext
from muster.addons.workload import JobKind, Workload
from muster.config.description.addons import HyperPodObservabilityOptions

_IDENTITY = "eks-pod-identity-agent"
_KUEUE = "kueue-system"
_HYPERPOD = "aws-hyperpod"
_OBSERVABILITY = "hyperpod-observability"

TASK_GOVERNANCE = Addon(
    name="hyperpod-task-governance",
    namespace=_KUEUE,
    source=EksAddon("amazon-sagemaker-hyperpod-taskgovernance"),
    reason="it enforces HyperPod's quotas between teams",
    workloads=lambda _: (Workload("Deployment", "kueue-controller-manager", _KUEUE),),
    loses="every queue and quota of Kueue, and the jobs that wait in them",
    last=WEBHOOKS,
)

TRAINING_OPERATOR = Addon(
    name="hyperpod-training-operator",
    namespace=_HYPERPOD,
    source=EksAddon("amazon-sagemaker-hyperpod-training-operator"),
    reason="it runs HyperPodPyTorchJobs",
    workloads=lambda _: (Workload("Deployment", "hp-training-operator-controller-manager", _HYPERPOD),),
    runs=(JobKind("sagemaker.amazonaws.com/v1", "HyperPodPyTorchJob"),),
    after={"hyperpod": "its chart creates the namespace aws-hyperpod, and Helm fails if the namespace already exists"},
    needs={
        "cert-manager": "its webhooks get their certificates from it",
        _IDENTITY: "the operator gets its SageMaker permissions from it",
    },
    permissions=lambda _: (
        Permissions(
            _HYPERPOD,
            "hp-training-operator-controller-manager",
            managed=("AmazonSageMakerHyperPodTrainingOperatorAccess",),
        ),
    ),
    loses="every HyperPodPyTorchJob",
)


def _values(context: AddonContext) -> Json:
    options = context.chosen["hyperpod-observability"]
    assert isinstance(options, HyperPodObservabilityOptions)
    # None where another stack has it: its options are not known here.
    if options.workspace is None:
        return {}
    region, workspace = options.workspace.split(":")[3], options.workspace.rpartition("/")[2]
    endpoint = f"https://aps-workspaces.{region}.amazonaws.com/workspaces/{workspace}"
    return {"ampWorkspace": {"arn": options.workspace, "prometheusEndpoint": endpoint}}


def _workspace(context: AddonContext) -> str:
    options = context.chosen["hyperpod-observability"]
    assert isinstance(options, HyperPodObservabilityOptions)
    assert options.workspace is not None, "a stack that installs it describes it"
    return options.workspace


def _observers(_: Mapping[str, Any]) -> tuple[Workload, ...]:
    return (
        Workload("Deployment", "hyperpod-observability-controller-manager", _OBSERVABILITY),
        Workload("Deployment", "hyperpod-observability-central-collector", _OBSERVABILITY),
        Workload("Deployment", "hyp-obs-kube-state-metrics", _OBSERVABILITY),
        Workload("DaemonSet", "hyperpod-observability-node-collector", _OBSERVABILITY),
    )


_LOGS = "arn:{partition}:logs:{region}:*:log-group:/aws/sagemaker/Clusters/*"

OBSERVABILITY = Addon(
    name="hyperpod-observability",
    namespace=_OBSERVABILITY,
    source=EksAddon("amazon-sagemaker-hyperpod-observability", _values),
    reason="it writes metrics of HyperPod's nodes, jobs and quotas to Prometheus",
    workloads=_observers,
    needs={_IDENTITY: "the collector gets its permissions for Prometheus and CloudWatch from it"},
    permissions=lambda context: (
        Permissions(
            _OBSERVABILITY,
            "hyperpod-observability-operator-otel-collector",
            statements=(
                Statement(("aps:RemoteWrite",), (_workspace(context),)),
                Statement(
                    (
                        "logs:CreateLogGroup",
                        "logs:CreateLogStream",
                        "logs:DescribeLogGroups",
                        "logs:DescribeLogStreams",
                        "logs:FilterLogEvents",
                        "logs:GetLogEvents",
                        "logs:GetLogRecord",
                        "logs:GetQueryResults",
                        "logs:PutLogEvents",
                        "logs:StartQuery",
                        "logs:StopQuery",
                    ),
                    (_LOGS, f"{_LOGS}:log-stream:*"),
                ),
            ),
        ),
    ),
)

ADDONS = (TASK_GOVERNANCE, TRAINING_OPERATOR, OBSERVABILITY)
