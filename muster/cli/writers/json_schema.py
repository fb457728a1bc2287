"""The JSON Schemas of what users write and of what other teams read, made from the types that read it.

`make goldens` writes them to `docs/schema/`, where the stack files point editors.
"""

from functools import reduce
from operator import or_
from typing import Any

from pydantic import BaseModel, TypeAdapter

from muster import backends
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.document import CLUSTER_KEY, ENGINE_KEYS, POLICIES_KEY, REGION_KEY
from muster.contract import CONTRACT, Cluster, SlurmCluster
from muster.fleet.facts import Facts
from muster.hardware.zones import REGION

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _of(model: type[BaseModel], title: str) -> dict[str, Any]:
    return {"$schema": DIALECT, **model.model_json_schema(by_alias=True), "title": title}


def _description() -> dict[str, Any]:
    """One of the backends' models, or that of add-ons."""
    models: list[type[BaseModel]] = [*(each.description.load() for each in backends.every()), AddonsOf]
    return TypeAdapter(reduce(or_, models)).json_schema(by_alias=True)


def description() -> dict[str, Any]:
    """The `muster:cluster` block: a cluster, or add-ons for the cluster of another stack."""
    made = _description()
    return {"$schema": DIALECT, **made, "title": "A training cluster, or add-ons for one (muster:cluster)"}


def facts() -> dict[str, Any]:
    """`stacks/facts/<stack>.json`."""
    return _of(Facts, "Facts about things outside a stack (stacks/facts/STACK.json)")


def outputs() -> dict[str, Any]:
    """What a stack with Kubernetes exports. Additional keys are allowed: a newer Muster may export more."""
    return _of(Cluster, f"The outputs of a stack of Muster (contract {CONTRACT})")


def slurm_outputs() -> dict[str, Any]:
    """What a stack with Slurm exports, on ParallelCluster. Additional keys are allowed here, too."""
    return _of(SlurmCluster, f"The outputs of a stack of Muster with a Slurm cluster (contract {CONTRACT})")


def stack() -> dict[str, Any]:
    """A whole stack file: the Region, the cluster, other providers' settings, and the engine's own keys."""
    from policies.engine import configuration_schema

    described = _description()
    shared = described.pop("$defs") | configuration_schema.DEFINITIONS
    return {
        "$schema": DIALECT,
        "title": "A stack of Muster (stacks/Pulumi.STACK.yaml)",
        "type": "object",
        "properties": {
            "config": {
                "type": "object",
                "description": "The stack's configuration.",
                "properties": {
                    REGION_KEY: {
                        "type": "string",
                        "description": "The AWS Region.",
                        "pattern": f"^{REGION.pattern}$",
                        "examples": ["us-west-2"],
                    },
                    CLUSTER_KEY: described,
                    POLICIES_KEY: configuration_schema.of_stacks(),
                },
                # Other providers' settings are theirs to judge; our own namespace has these keys.
                "patternProperties": {f"^(?!{CLUSTER_KEY.partition(':')[0]}:)[^:]+:.+$": True},
                "required": [REGION_KEY, CLUSTER_KEY],
                "additionalProperties": False,
            },
            **{key: {"description": "Kept by the Pulumi engine."} for key in sorted(ENGINE_KEYS) if key != "config"},
        },
        "required": ["config"],
        "additionalProperties": False,
        "$defs": dict(sorted(shared.items())),
    }


def policies() -> dict[str, Any]:
    """The configuration of the rules (`muster check --config`, `pulumi preview --policy-pack-config`)."""
    from policies.engine import configuration_schema

    return {"$schema": DIALECT, "title": "How Muster's rules are asked", **configuration_schema.whole()}


COMMITTED = {
    "stack.json": stack,
    "policies.json": policies,
    "facts.json": facts,
    "outputs.json": outputs,
    "slurm-outputs.json": slurm_outputs,
}
"""File below `docs/schema/` -> what makes it."""
