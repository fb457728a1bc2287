"""A request as the inputs of `aws-native:sagemaker:Cluster`, which have the API's keys in camelCase."""

from collections.abc import Mapping
from typing import Any

from muster.plain_data import value_at
from muster.sources.cloudformation.converted import camelized
from muster.unknown import UNKNOWN

_NOT_INPUTS = frozenset({"InstanceGroupsToDelete", "ClusterArn", "ClusterStatus", "CreationTime", "FailureMessage"})


def inputs_of(request: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of the cluster.

    A request without `VpcConfig` that does not name an EKS cluster may be one of CreateCluster, for a cluster with
    Slurm in SageMaker's own network, or one of UpdateCluster: the network is then unknown, and so are the orchestrator
    and the provisioning mode if the request does not set them. A group that only changes its number of instances in
    UpdateCluster has no type: the type is unknown.
    """
    known = {name: value for name, value in request.items() if name not in _NOT_INPUTS}
    made: dict[str, Any] = camelized(known)
    if is_update(request):
        made |= {name: made.get(name, UNKNOWN) for name in ("orchestrator", "vpcConfig", "nodeProvisioningMode")}
    groups = made.get("instanceGroups")
    if isinstance(groups, list):
        made["instanceGroups"] = [each if each is UNKNOWN else _counted(each, request) for each in groups]
    return made


def is_update(request: Mapping[str, Any]) -> bool:
    """Whether a request may be one of UpdateCluster. Only CreateCluster has a network, or names an EKS cluster."""
    on_eks = value_at(request, "Orchestrator", "Eks") is not None
    return request.get("VpcConfig") is None and (not on_eks or request.get("InstanceGroupsToDelete") is not None)


def _counted(group: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """`describe-cluster` prints a target and a current number of instances instead of the requested one."""
    made = dict(group)
    target = made.pop("targetCount", None)
    if made.get("instanceCount") is None and (target is not None or is_update(request)):
        made["instanceCount"] = UNKNOWN if target is None else target
    if is_update(request) and made.get("instanceType") is None and made.get("instanceRequirements") is None:
        made["instanceType"] = UNKNOWN
    return made
