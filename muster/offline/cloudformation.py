"""What AWS would answer of a CloudFormation stack: the outputs that its template asks ParallelCluster for."""

import json
from collections.abc import Mapping
from typing import Any

from muster.fleet.parallelcluster import template as names

_UPLOADED = (
    names.CLUSTER_STACK,
    names.HEAD_NODE,
    names.PRIVATE_ADDRESS,
    names.PUBLIC_ADDRESS,
    names.MESSAGES,
    names.PROVIDERS_LOG_GROUP,
)
"""Of a template that is not here to be read."""


def stack_outputs(token: str, inputs: Mapping[str, Any], region: str, account: str) -> dict[str, str]:
    """The outputs of a stack.

    Args:
        token: hexadecimal digits that are the stack's alone.
        inputs: what the program gives of it.
        region: where it is.
        account: whose it is.
    """
    number = int(token[:2], 16)
    known = {
        names.CLUSTER_STACK: f"arn:aws:cloudformation:{region}:{account}:stack/cluster/{token}",
        names.HEAD_NODE: f"i-{token}",
        names.PRIVATE_ADDRESS: f"10.0.0.{number}",
        names.PUBLIC_ADDRESS: f"198.51.100.{number}",
        names.MESSAGES: "[]",
        names.PROVIDERS_LOG_GROUP: f"/aws/lambda/pcluster-cfn-{token}",
    }
    return {name: known.get(name, f"{name}-{token[:7]}") for name in _asked(inputs.get("templateBody"))}


def _asked(body: Any) -> tuple[str, ...]:
    """The names of a template's outputs; those of ours, where it is somewhere else, or no JSON."""
    try:
        document = json.loads(body)
    except (TypeError, ValueError, RecursionError):
        return _UPLOADED
    return tuple(document.get("Outputs", ())) if isinstance(document, dict) else ()
