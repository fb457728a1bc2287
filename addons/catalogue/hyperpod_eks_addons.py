"""HyperPod's add-ons that EKS installs: task governance, the training operator, observability.

Names, roles and service accounts as AWS's own Terraform has them (awslabs/awsome-distributed-ai 95b939c,
`1.architectures/7.sagemaker-hyperpod-eks/terraform-modules`). EKS publishes neither their manifests nor what they ask
for: the workloads here are those that AWS's own guides name, with no placement and no requests, so a stand-in of theirs
may run where the add-on would not.

- Task governance v1.6.0 is Kueue 0.19.2 in kueue-system (SageMaker guide, "Upgrade the task governance add-on"), and
  wants no other Kueue.
- The training operator wants cert-manager and the Pod Identity agent, its service account is
  hp-training-operator-controller-manager (SageMaker guide, "Installing the training operator"). EKS states of v1.2.1
  that it takes no Pod Identity association of its own (awslabs/awsome-distributed-ai#1076): ours is made beside it.
- Observability writes to a Prometheus workspace and to the cluster's log groups; its pods are those in
  awslabs/awsome-distributed-ai#926.
"""

from collections.abc import Mapping
from typing import Any

from addons.addon import Addon, EksAddon, Json, Permissions, Statement
from addons.catalogue.kueue import WEBHOOKS
from addons.context import AddonContext
from addons.workload import JobKind, Workload
from muster.config.description.addons import HyperPodObservabilityOptions

_IDENTITY = "eks-pod-identity-agent"
_KUEUE = "kueue-system"
_HYPERPOD = "aws-hyperpod"
_OBSERVABILITY = "hyperpod-observability"

TASK_GOVERNANCE = Addon(
    name="hyperpod-task-governance",
    namespace=_KUEUE,
    source=EksAddon("amazon-sagemaker-hyperpod-taskgovernance"),
    reason="HyperPod's quotas between teams are kept by it",
    workloads=lambda _: (Workload("Deployment", "kueue-controller-manager", _KUEUE),),
    loses="every queue and quota of Kueue, and what waits in them",
    last=WEBHOOKS,
)

TRAINING_OPERATOR = Addon(
    name="hyperpod-training-operator",
    namespace=_HYPERPOD,
    source=EksAddon("amazon-sagemaker-hyperpod-training-operator"),
    reason="HyperPodPyTorchJobs run by it",
    workloads=lambda _: (Workload("Deployment", "hp-training-operator-controller-manager", _HYPERPOD),),
    runs=(JobKind("sagemaker.amazonaws.com/v1", "HyperPodPyTorchJob"),),
    after={"hyperpod": "its chart makes the namespace aws-hyperpod, and Helm takes over none that is there"},
    needs={
        "cert-manager": "its webhooks have their certificates from it",
        _IDENTITY: "the operator has its rights in SageMaker from it",
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
    reason="metrics of HyperPod's nodes, jobs and quotas reach Prometheus by it",
    workloads=_observers,
    needs={_IDENTITY: "the collector has its rights in Prometheus and CloudWatch from it"},
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
