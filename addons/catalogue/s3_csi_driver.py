"""The Mountpoint for Amazon S3 CSI driver: its role. See `s3_csi_driver.toml`."""

from muster.addons.addon import Permissions, Statement
from muster.addons.context import AddonContext
from muster.addons.sheet import addon
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


ADDON = addon(_NAME, permissions=_permissions)
