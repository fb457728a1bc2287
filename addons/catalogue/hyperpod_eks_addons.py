"""Two of HyperPod's add-ons that EKS installs: observability and inference. See their sheets."""

from dataclasses import replace

from muster.addons.addon import ArnOf, Json, Permissions
from muster.addons.context import AddonContext
from muster.addons.sheet import addon, permissions
from muster.config.description.addons import HyperPodInferenceOptions, HyperPodObservabilityOptions

_OBSERVABILITY = "hyperpod-observability"


def _workspace(context: AddonContext) -> str:
    options = context.chosen[_OBSERVABILITY]
    assert isinstance(options, HyperPodObservabilityOptions)
    return options.workspace


def _values(context: AddonContext) -> Json:
    arn = _workspace(context)
    endpoint = f"https://aps-workspaces.{arn.split(':')[3]}.amazonaws.com/workspaces/{arn.rpartition('/')[2]}"
    return {"ampWorkspace": {"arn": arn, "prometheusEndpoint": endpoint}}


OBSERVABILITY = addon(
    _OBSERVABILITY,
    values=_values,
    permissions=lambda context: permissions(_OBSERVABILITY, workspace=_workspace(context)),
)


_INFERENCE = "hyperpod-inference"
_OPERATOR, _LOAD_BALANCER, _KEDA = (
    "hyperpod-inference-controller-manager",
    "aws-load-balancer-controller",
    "keda-operator",
)
_OWN_BUCKETS = "hyperpod-tls-"
_ANY_WORKSPACE = "arn:{partition}:aps:{region}:*:workspace/*"


def _inference(context: AddonContext) -> HyperPodInferenceOptions:
    options = context.chosen[_INFERENCE]
    assert isinstance(options, HyperPodInferenceOptions)
    return options


def _inference_values(context: AddonContext) -> Json:
    return {
        "tlsCertificateS3Bucket": _inference(context).tls_bucket,
        "executionRoleArn": ArnOf(_OPERATOR),
        "hyperpodClusterArn": ArnOf(""),
        "alb": {"serviceAccount": {"create": True, "roleArn": ArnOf(_LOAD_BALANCER)}},
        "keda": {"auth": {"aws": {"irsa": {"roleArn": ArnOf(_KEDA)}}}},
    }


def _queried_workspace(context: AddonContext) -> str:
    """The workspace to which the cluster's metrics go; of a cluster without one, each of the Region: a `ScaledObject`
    names the workspace that it queries."""
    found = context.chosen.get(OBSERVABILITY.name)
    return found.workspace if isinstance(found, HyperPodObservabilityOptions) else _ANY_WORKSPACE


def _inference_permissions(context: AddonContext) -> tuple[Permissions, ...]:
    options = _inference(context)
    bucket, policy = options.tls_bucket, options.load_balancer_policy
    operator, *others = permissions(_INFERENCE, bucket=bucket, policy=policy, workspace=_queried_workspace(context))
    # The managed policy has the rights on buckets of this name.
    return (replace(operator, statements=()) if bucket.startswith(_OWN_BUCKETS) else operator, *others)


INFERENCE = addon(_INFERENCE, values=_inference_values, permissions=_inference_permissions)
