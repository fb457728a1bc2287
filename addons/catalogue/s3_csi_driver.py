"""The Mountpoint for Amazon S3 CSI driver: mounts buckets into pods. An EKS add-on, `aws-mountpoint-s3-csi-driver`.

It only mounts buckets that exist (EKS user guide, "s3-csi"). Pods mount with the role of the driver, or with their own
(the driver's `docs/CONFIGURATION.md`). EKS documents IAM roles for service accounts for it, and in its table of add-ons
no Pod Identity ("Pod Identity Support Reference").

The configuration of the EKS add-on is not public. The workloads are those of the project's chart: a DaemonSet, and from
v2 on a controller, of which no placement is known here.
"""

from muster.addons.addon import Addon, EksAddon, Permissions, Statement
from muster.addons.context import AddonContext
from muster.addons.workload import Workload
from muster.config.description.addons import S3CsiDriverOptions

_NAME = "s3-csi-driver"
_NAMESPACE = "kube-system"
_ACCOUNT = "s3-csi-driver-sa"


def _permissions(context: AddonContext) -> tuple[Permissions, ...]:
    """The role of the driver, if it can read buckets (EKS user guide, "s3-csi", less what writes)."""
    options = context.chosen[_NAME]
    buckets = options.buckets if isinstance(options, S3CsiDriverOptions) else []
    if not buckets:
        return ()
    arns = tuple(f"arn:{{partition}}:s3:::{each}" for each in buckets)
    reads = Statement(("s3:GetObject",), tuple(f"{each}/*" for each in arns))
    return (Permissions(_NAMESPACE, _ACCOUNT, statements=(Statement(("s3:ListBucket",), arns), reads), by_oidc=True),)


ADDON = Addon(
    name=_NAME,
    namespace=_NAMESPACE,
    source=EksAddon("aws-mountpoint-s3-csi-driver", annotated=_ACCOUNT),
    reason="pods need it to mount S3 buckets",
    workloads=lambda _: (Workload("DaemonSet", "s3-csi-node", _NAMESPACE),),
    permissions=_permissions,
)
