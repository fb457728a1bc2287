"""HyperPod's inference operator: its values and roles. See `hyperpod_inference.toml`."""

from dataclasses import replace

from muster.addons.addon import CreatedInAws, EksAddon, Json, Permissions
from muster.addons.catalogue.hyperpod_eks_addons import OBSERVABILITY
from muster.addons.context import AddonContext
from muster.addons.sheet import addon, permissions
from muster.config.description.addons import HyperPodInferenceOptions, HyperPodObservabilityOptions

_NAME = "hyperpod-inference"
_OPERATOR, _LOAD_BALANCER, _KEDA = (
    "hyperpod-inference-controller-manager",
    "aws-load-balancer-controller",
    "keda-operator",
)
_OWN_BUCKETS = "hyperpod-tls-"
_ANY_WORKSPACE = "arn:{partition}:aps:{region}:*:workspace/*"


def _options(context: AddonContext) -> HyperPodInferenceOptions:
    options = context.chosen[_NAME]
    assert isinstance(options, HyperPodInferenceOptions)
    return options


def _values(context: AddonContext) -> Json:
    # None where another stack has it: its options are not known here.
    bucket = _options(context).tls_bucket
    return {"tlsCertificateS3Bucket": bucket} if bucket else {}


def _created(made: CreatedInAws) -> Json:
    return {
        "executionRoleArn": made.roles[_OPERATOR],
        "hyperpodClusterArn": made.hyperpod,
        "alb": {"serviceAccount": {"create": True, "roleArn": made.roles[_LOAD_BALANCER]}},
        "keda": {"auth": {"aws": {"irsa": {"roleArn": made.roles[_KEDA]}}}},
    }


def _workspace(context: AddonContext) -> str:
    """The workspace to which the cluster's metrics go; of a cluster without one, each of the Region: a `ScaledObject`
    names the workspace that it queries."""
    found = context.chosen.get(OBSERVABILITY.name)
    return found.workspace if isinstance(found, HyperPodObservabilityOptions) and found.workspace else _ANY_WORKSPACE


def _permissions(context: AddonContext) -> tuple[Permissions, ...]:
    options = _options(context)
    bucket, policy = options.tls_bucket, options.load_balancer_policy
    assert bucket is not None, "a stack that installs it describes it"
    assert policy is not None, "a stack that installs it describes it"
    operator, *others = permissions(_NAME, bucket=bucket, policy=policy, workspace=_workspace(context))
    # The managed policy has the rights on buckets of this name.
    return (replace(operator, statements=()) if bucket.startswith(_OWN_BUCKETS) else operator, *others)


ADDON = addon(
    _NAME,
    source=EksAddon("amazon-sagemaker-hyperpod-inference", _values, created=_created),
    permissions=_permissions,
)
