"""HyperPod's add-ons that EKS installs: task governance, the training operator, observability. See their sheets."""

from muster.addons.addon import Json, Permissions, Statement
from muster.addons.context import AddonContext
from muster.addons.sheet import addon
from muster.config.description.addons import HyperPodObservabilityOptions

_HYPERPOD = "aws-hyperpod"
_OBSERVABILITY = "hyperpod-observability"

TASK_GOVERNANCE = addon("hyperpod-task-governance")


def _operators_role(_: AddonContext) -> tuple[Permissions, ...]:
    account = "hp-training-operator-controller-manager"
    return (Permissions(_HYPERPOD, account, managed=("AmazonSageMakerHyperPodTrainingOperatorAccess",)),)


TRAINING_OPERATOR = addon("hyperpod-training-operator", permissions=_operators_role)


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


_LOGS = "arn:{partition}:logs:{region}:*:log-group:/aws/sagemaker/Clusters/*"

OBSERVABILITY = addon(
    "hyperpod-observability",
    values=_values,
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
