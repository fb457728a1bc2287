"""CloudFormation's stacks, where Muster's programs meet them: their outputs, and what AWS refuses of a Slurm cluster.

Sources: CloudFormation guide, "AWS::CloudFormation::CustomResource" (of ServiceToken: "Updates aren't supported");
AWS's provider for ParallelCluster, `cloudformation/custom_resource/cluster.yaml`; the API of 3.16.1,
`pcluster/lib/lib.py`.
"""

from typing import Any

from muster.yaml_text import load_all
from tests.pulumi_engine.wire import Properties, has_unknown

STACK = "aws:cloudformation/stack:Stack"
CUSTOM_RESOURCE = "Custom::PclusterCluster"
UNSUPPORTED = ("Image.Os", "Image.CustomAmi", "Imds", "HeadNode.Networking.SubnetId", "HeadNode.Networking.ElasticIp")
"""Of a configuration what no update changes (`UpdatePolicy.UNSUPPORTED` in `pcluster/schemas/cluster_schema.py`): those
that tests change, not all there are."""
_DECIDE_OUTPUTS = ("parameters", "templateBody", "templateUrl")


def outputs_of(inputs: Properties, salt: str) -> dict[str, str]:
    """What a stack answers once it is made, by its template. Of one that is somewhere else nothing is modelled."""
    return {name: f"{name}-{salt}" for name in _document(inputs).get("Outputs", {})}


def are_to_come(old: Properties, new: Properties) -> bool:
    """Whether the plugin knows the outputs only after the update: as soon as what decides them differs."""
    return any(old.get(key) != new.get(key) or has_unknown(new.get(key)) for key in _DECIDE_OUTPUTS)


def refused_update(old: Properties, new: Properties) -> str | None:
    """Why such a stack is not updated: it was rolled back, and the cluster is as it was."""
    before, after = _cluster(old), _cluster(new)
    if before is None or after is None or before == after:
        return None
    if before["ServiceToken"] != after["ServiceToken"]:
        return "UPDATE_ROLLBACK_COMPLETE: Modifying service token is not allowed."
    if before["ClusterName"] != after["ClusterName"]:
        return "UPDATE_ROLLBACK_COMPLETE: Cannot update the ClusterName in the properties."
    provider = after["ServiceToken"]["Fn::GetAtt"][-1] == "Outputs.ServiceToken"
    if provider and {"RollbackOnFailure"} & {*before, *after}:
        return "UPDATE_ROLLBACK_FAILED: <update-cluster> got unexpected arguments: {'rollback_on_failure'}"
    wanted = [path for path in UNSUPPORTED if _at(before, path) != _at(after, path)]
    return f"UPDATE_ROLLBACK_COMPLETE: Update actions are not currently supported: {wanted}" if wanted else None


def _at(properties: dict[str, Any], path: str) -> Any:
    value: Any = properties["ClusterConfiguration"]
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _cluster(inputs: Properties) -> dict[str, Any] | None:
    """The cluster's properties as the provider gets them: with the parameters' values."""
    resources = _document(inputs).get("Resources", {})
    found = next((each["Properties"] for each in resources.values() if each["Type"] == CUSTOM_RESOURCE), None)
    resolved: dict[str, Any] | None = _resolved(found, inputs.get("parameters", {}))
    return resolved


def _resolved(value: Any, parameters: Properties) -> Any:
    if isinstance(value, dict):
        if set(value) == {"Ref"}:
            return parameters.get(value["Ref"], value)
        return {key: _resolved(inner, parameters) for key, inner in value.items()}
    return [_resolved(each, parameters) for each in value] if isinstance(value, list) else value


def _document(inputs: Properties) -> dict[str, Any]:
    (document,) = load_all(inputs.get("templateBody") or "{}", template=True)
    return dict(document)
