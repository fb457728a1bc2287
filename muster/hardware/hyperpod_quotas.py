"""SageMaker's quotas for HyperPod: their names, and their codes if they are known.

The name decides: public sources also have wrong codes, so Muster checks the name in the response to a code. A type
whose code is not here is looked up in the list of all of SageMaker's quotas, which is long (more than 1,500 in 2025).

The codes of types are columns of `hyperpod_types.csv`.

Sources: klaffka/aws-quota-monitor, `docs/quota-audit-s-z.md` (from a snapshot of all quotas, 2025-11), and public notes
of 2026-10 on the output of `list-service-quotas` in three Regions: for newer types, spot, and the limits of clusters.
"""

from collections.abc import Mapping

from muster.hardware.hyperpod_types import quota_codes
from muster.hardware.quotas import Quota

SERVICE = "sagemaker"
"""Service Quotas' code of the service."""

IN_ONE_CLUSTER = "Maximum number instances allowed per SageMaker HyperPod cluster"
IN_ALL_CLUSTERS = "Total number of instances allowed across SageMaker HyperPod clusters"
ON_SPOT = "Total number of Spot instances allowed across SageMaker HyperPod clusters"
LARGEST_VOLUME = "Maximum size of EBS volume in GB for a SageMaker HyperPod cluster instance"

_LIMITS: Mapping[str, str] = {
    IN_ONE_CLUSTER: "L-2CE978FC",
    IN_ALL_CLUSTERS: "L-3308CCC7",
    ON_SPOT: "L-97A2C724",
    LARGEST_VOLUME: "L-E13DF72A",
}


def instance_quota(instance_type: str, *, spot: bool) -> str:
    """The name of the quota that counts a type's instances: ``ml.p5.48xlarge for cluster usage``."""
    return f"{instance_type} for cluster {'spot instance ' if spot else ''}usage"


CODES: Mapping[str, str] = {
    **_LIMITS,
    **{instance_quota(each, spot=spot): code for (each, spot), code in quota_codes().items()},
}
"""Name -> code."""


# The defaults have every quota. An account's own list has only those that were applied.
_CODES_OF_ALL = f"aws service-quotas list-aws-default-service-quotas --service-code {SERVICE}"


def request(name: str, wanted: int) -> str:
    """The command that requests an increase from AWS; for a code that is not in the table, the command that prints
    it."""
    code = CODES.get(name)
    if code is None:
        return f"'{name}' to {wanted} in Service Quotas (`{_CODES_OF_ALL}` prints its code)"
    return Quota(SERVICE, code, name).request(wanted)
