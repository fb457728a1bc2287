"""A request as the inputs of `aws-native:sagemaker:Cluster`, which have the API's keys in camelCase."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.plain_data import value_at
from muster.sources.forms import Key
from muster.sources.hyperpod.keys import INSTANCE_GROUP, REQUEST
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
    made: dict[str, Any] = _camel_block(known, REQUEST)
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


def camel_group(group: Mapping[str, Any]) -> dict[str, Any]:
    """One instance group as an item of the inputs."""
    return _camel_block(group, INSTANCE_GROUP)


def _counted(group: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """`describe-cluster` prints a target and a current number of instances instead of the requested one."""
    made = dict(group)
    target = made.pop("targetCount", None)
    if made.get("instanceCount") is None and (target is not None or is_update(request)):
        made["instanceCount"] = UNKNOWN if target is None else target
    if is_update(request) and made.get("instanceType") is None and made.get("instanceRequirements") is None:
        made["instanceType"] = UNKNOWN
    return made


def _camel_block(values: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, Any]:
    return {camel(str(name)): _camel_value(value, keys.get(name)) for name, value in values.items()}


def _camel_value(value: Any, key: Key | None) -> Any:
    """A value; the keys of a block without a table are the user's own, such as labels."""
    if key is None or not key.below:
        return value
    if isinstance(value, Mapping):
        return _camel_block(value, key.below)
    if isinstance(value, list):
        return [_camel_block(each, key.below) if isinstance(each, Mapping) else each for each in value]
    return value


def camel(name: str) -> str:
    """``VpcConfig`` as ``vpcConfig``."""
    return name[:1].lower() + name[1:]


def names() -> Iterator[str]:
    """Every key of a request, at any depth."""
    yield from _names(REQUEST)


def _names(keys: Mapping[str, Key]) -> Iterator[str]:
    for name, key in keys.items():
        yield name
        yield from _names(key.below)
