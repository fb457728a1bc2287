"""CloudFormation's stacks, where Muster's programs meet them: their outputs, and what AWS refuses of a Slurm cluster.

Sources: CloudFormation guide, "AWS::CloudFormation::CustomResource" (of ServiceToken: "Updates aren't supported");
AWS's provider for ParallelCluster, `cloudformation/custom_resource/cluster.yaml`; the API of 3.16.1,
`pcluster/lib/lib.py`.
"""

import json
from typing import Any

from .wire import Properties, has_unknown

STACK = "aws:cloudformation/stack:Stack"
CUSTOM_RESOURCE = "Custom::PclusterCluster"
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
    return None


def _cluster(inputs: Properties) -> dict[str, Any] | None:
    resources = _document(inputs).get("Resources", {})
    return next((each["Properties"] for each in resources.values() if each["Type"] == CUSTOM_RESOURCE), None)


def _document(inputs: Properties) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(inputs.get("templateBody") or "{}")
    return document
