"""HyperPod's inference operator: its values, roles and workloads. See `hyperpod_inference.toml`."""

from muster.addons.addon import CreatedInAws, EksAddon, Json, Permissions, Statement
from muster.addons.catalogue.hyperpod_eks_addons import OBSERVABILITY
from muster.addons.context import AddonContext
from muster.addons.sheet import addon
from muster.addons.workload import Placement, Workload, on_nodes
from muster.config.description.addons import HyperPodInferenceOptions, HyperPodObservabilityOptions

_NAME = "hyperpod-inference"
_NAMESPACE = "hyperpod-inference-system"
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
    objects = Statement(
        ("s3:DeleteObject", "s3:GetObject", "s3:PutObject", "s3:PutObjectTagging"),
        (f"arn:{{partition}}:s3:::{bucket}/*",),
    )
    return (
        Permissions(
            _NAMESPACE,
            _OPERATOR,
            managed=("AmazonSageMakerHyperPodInferenceAccess",),
            statements=() if bucket.startswith(_OWN_BUCKETS) else (objects,),
            by_oidc=True,
            services=("sagemaker.amazonaws.com",),
        ),
        Permissions(_NAMESPACE, _LOAD_BALANCER, policies=(policy,), by_oidc=True),
        Permissions(
            _NAMESPACE,
            _KEDA,
            statements=(
                # CloudWatch has no resources for these (service authorization reference, list_amazoncloudwatch).
                Statement(("cloudwatch:GetMetricData", "cloudwatch:GetMetricStatistics", "cloudwatch:ListMetrics")),
                Statement(
                    ("aps:GetLabels", "aps:GetMetricMetadata", "aps:GetSeries", "aps:QueryMetrics"),
                    (_workspace(context),),
                ),
            ),
            by_oidc=True,
        ),
    )


_AMD64 = on_nodes({"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]})

ADDON = addon(
    _NAME,
    source=EksAddon("amazon-sagemaker-hyperpod-inference", _values, created=_created),
    workloads=lambda _: (
        Workload("Deployment", _OPERATOR, _NAMESPACE, Placement(affinity=_AMD64)),
        Workload("Deployment", _LOAD_BALANCER, _NAMESPACE),
        Workload("Deployment", _KEDA, _NAMESPACE),
    ),
    permissions=_permissions,
)
