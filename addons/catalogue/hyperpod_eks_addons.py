"""HyperPod's add-ons that EKS installs: task governance, the training operator, observability. See their sheets."""

from muster.addons.addon import Json
from muster.addons.context import AddonContext
from muster.addons.sheet import addon, permissions
from muster.config.description.addons import HyperPodObservabilityOptions

_OBSERVABILITY = "hyperpod-observability"

TASK_GOVERNANCE = addon("hyperpod-task-governance")


TRAINING_OPERATOR = addon("hyperpod-training-operator")


def _values(context: AddonContext) -> Json:
    options = context.chosen[_OBSERVABILITY]
    assert isinstance(options, HyperPodObservabilityOptions)
    # None where another stack has it: its options are not known here.
    if options.workspace is None:
        return {}
    region, workspace = options.workspace.split(":")[3], options.workspace.rpartition("/")[2]
    endpoint = f"https://aps-workspaces.{region}.amazonaws.com/workspaces/{workspace}"
    return {"ampWorkspace": {"arn": options.workspace, "prometheusEndpoint": endpoint}}


def _workspace(context: AddonContext) -> str:
    options = context.chosen[_OBSERVABILITY]
    assert isinstance(options, HyperPodObservabilityOptions)
    assert options.workspace is not None, "a stack that installs it describes it"
    return options.workspace


OBSERVABILITY = addon(
    _OBSERVABILITY,
    values=_values,
    permissions=lambda context: permissions(_OBSERVABILITY, workspace=_workspace(context)),
)

ADDONS = (TASK_GOVERNANCE, TRAINING_OPERATOR, OBSERVABILITY)
