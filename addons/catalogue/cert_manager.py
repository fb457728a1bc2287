"""cert-manager: issues certificates inside the cluster. A community EKS add-on.

HyperPod's training operator needs it; Kueue, JobSet and the trainer make their certificates themselves.
Its three Deployments tolerate nothing by themselves; each has its own value for tolerations: `tolerations`,
`webhook.tolerations` and `cainjector.tolerations` (AWS's own Terraform gives them so: awslabs/awsome-distributed-ai
95b939c, `modules/hyperpod_cluster/cert_manager.tf`). Two replicas of the controller are EKS's default, as a public
configuration shows; one of each other is the project's: inferred.
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, EksAddon, Json
from muster.addons.context import AddonContext, system_tolerations
from muster.addons.values import at, over_defaults
from muster.addons.workload import LINUX, Placement, Workload

_NAME = "cert-manager"
_PARTS = ("webhook", "cainjector")


def _values(context: AddonContext) -> Json:
    listed = system_tolerations(context)
    return {"tolerations": listed, **{part: {"tolerations": listed} for part in _PARTS}} if listed else {}


_DEFAULTS: Json = {"replicaCount": 2, **{part: {"replicaCount": 1} for part in _PARTS}}


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    return (_deployment(_NAME, values), *(_deployment(f"{_NAME}-{part}", at(values, part) or {}) for part in _PARTS))


def _deployment(name: str, values: Mapping[str, Any]) -> Workload:
    placement = Placement.of(values, node_selector=LINUX)
    return Workload.deployment(name, _NAME, values, placement, replicas="replicaCount")


ADDON = Addon(
    name=_NAME,
    namespace=_NAME,
    source=EksAddon(_NAME, _values),
    reason="HyperPod's training operator gets the certificates of its webhooks from it",
    workloads=_workloads,
    loses="every Certificate and Issuer",
)
