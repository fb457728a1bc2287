"""The JSON Schemas of what users write and of what other teams read, made from the types that read it.

`make goldens` writes them to `docs/schema/`, where the stack files point editors.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial, reduce
from operator import or_
from typing import Any

from pydantic import BaseModel, TypeAdapter

from muster import backends
from muster.addresses import schema_address
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.description.root import ADDONS_OF, DEFAULT_BACKEND
from muster.config.document import CLUSTER_KEY, ENGINE_KEYS, POLICIES_KEY, REGION_KEY
from muster.contract import CONTRACT, Cluster, HyperPodSlurmCluster, PcsCluster, SlurmCluster
from muster.fleet.facts import Facts
from muster.hardware.catalogue import hardware, instance_types
from muster.hardware.hyperpod_types import hyperpod_types, machine_of
from muster.hardware.zones import REGION

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _head(form: str) -> dict[str, Any]:
    """The dialect, and the address where the site publishes the schema of this version."""
    return {"$schema": _DIALECT, "$id": schema_address(form)}


def _of(form: str, model: type[BaseModel], title: str) -> dict[str, Any]:
    return {**_head(form), **model.model_json_schema(by_alias=True), "title": title}


_TYPES, _HYPERPOD_TYPES = "InstanceType", "HyperPodInstanceType"
_ON_HYPERPOD = ("hyperpod", "hyperpod-slurm")


def _description() -> dict[str, Any]:
    """One of the backends' models, or that of add-ons.

    `if` and `then` choose the model by `backend`, so that a validator reports the faults of that model, and an editor
    completes its keys; an `anyOf` would only report that none fits.
    """
    models: dict[str, type[BaseModel]] = {each.name: each.description.load() for each in backends.RECORDS.values()}
    every: list[type[BaseModel]] = [*models.values(), AddonsOf]
    whole = TypeAdapter(reduce(or_, every)).json_schema(by_alias=True)
    objects = {f"#/$defs/{name}" for name, each in whole["$defs"].items() if each.get("type") == "object"}
    shared = {name: _precise(each, objects) for name, each in whole["$defs"].items()}
    chosen: dict[str, Any] = {"properties": {"backend": {"enum": sorted(models)}}}
    for name, model in models.items():
        has_it = {
            "properties": {"backend": {"const": name}},
            "required": [] if name == DEFAULT_BACKEND else ["backend"],
        }
        chosen = {"if": has_it, "then": {"$ref": f"#/$defs/{model.__name__}"}, "else": chosen}
    chosen = {"if": {"required": [ADDONS_OF]}, "then": {"$ref": f"#/$defs/{AddonsOf.__name__}"}, "else": chosen}
    of_hyperpod = set().union(*(_reached(models[each].__name__, shared) for each in _ON_HYPERPOD))
    for name, each in shared.items():
        if "instance" in each.get("properties", {}):
            kind = _HYPERPOD_TYPES if name in of_hyperpod else _TYPES
            described = each["properties"]["instance"]
            each["properties"]["instance"] = {"$ref": f"#/$defs/{kind}", **_without(described, "type", "title")}
    names = [each for each in instance_types() if not hardware(each).architecture.endswith("_mac")]
    shared[_TYPES] = {"description": "An EC2 instance type.", "type": "string", "enum": names}
    hyperpod = sorted({machine.instance for each in hyperpod_types() if (machine := machine_of(each))})
    shared[_HYPERPOD_TYPES] = {"description": "An EC2 instance type that HyperPod has.", "enum": hyperpod}
    return {**chosen, "$defs": dict(sorted(shared.items()))}


def _reached(name: str, shared: Mapping[str, Any]) -> set[str]:
    """The definitions that one refers to, at any depth."""
    found, names = set[str](), [name]
    while names:
        found.add(each := names.pop())
        names += set(re.findall(r"'#/\$defs/(\w+)'", str(shared[each]))) - found
    return found


def _precise(schema: Any, objects: set[str]) -> Any:
    """A schema whose faults name the wrong key.

    No value may be null: a key without a value is an error. Where a value may be an object or something simpler, the
    kind of the value chooses the alternative.

    Args:
        schema: the schema, or a part of one.
        objects: references to the definitions that are objects.
    """
    if isinstance(schema, list):
        return [_precise(each, objects) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _precise(each, objects) for key, each in schema.items() if not (key == "default" and each is None)}
    if not isinstance(made.get("anyOf"), list):
        return made
    kinds = [each for each in made.pop("anyOf") if each != {"type": "null"}]
    blocks = [each for each in kinds if each.get("$ref") in objects or each.get("type") == "object"]
    others = [each for each in kinds if each not in blocks]
    rest = others[0] if len(others) == 1 else {"anyOf": others}
    if len(blocks) == 1 and others:
        return {**made, "if": {"type": "object"}, "then": blocks[0], "else": rest}
    return {**made, **(kinds[0] if len(kinds) == 1 else {"anyOf": kinds})}


def _without(schema: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: each for key, each in schema.items() if key not in keys}


def description() -> dict[str, Any]:
    """The `muster:cluster` block: a cluster, or add-ons for the cluster of another stack."""
    made = _description()
    return {**_head("description"), **made, "title": "A training cluster, or add-ons for one (muster:cluster)"}


def stack() -> dict[str, Any]:
    """A whole stack file: the Region, the cluster, other providers' settings, and the engine's own keys."""
    from muster.policies.engine import configuration_schema

    described = _description()
    shared = described.pop("$defs") | configuration_schema.DEFINITIONS
    return {
        **_head("stack"),
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
    from muster.policies.engine import configuration_schema

    return {**_head("policies"), "title": "The configuration of Muster's rules", **configuration_schema.whole()}


_OF_OUTPUTS: Mapping[str, tuple[type[BaseModel], str]] = {
    "outputs": (Cluster, "a stack of Muster"),
    "slurm-outputs": (SlurmCluster, "a stack of Muster with a Slurm cluster"),
    "hyperpod-slurm-outputs": (HyperPodSlurmCluster, "a stack of Muster with Slurm on HyperPod"),
    "pcs-outputs": (PcsCluster, "a stack of Muster on AWS PCS"),
}

SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "description": description,
    "stack": stack,
    "policies": policies,
    "facts": partial(_of, "facts", Facts, "Facts about things outside a stack (stacks/facts/STACK.json)"),
    # Additional keys are allowed in outputs: a newer Muster may export more.
    **{
        form: partial(_of, form, model, f"The outputs of {what} (contract {CONTRACT})")
        for form, (model, what) in _OF_OUTPUTS.items()
    },
}
"""Name -> what makes the schema. Its file in git is ``docs/schema/NAME.json``."""

OUTPUTS = {model.__name__: SCHEMAS[form] for form, (model, _) in _OF_OUTPUTS.items()}
"""Name of the outputs of a kind of stack -> what makes their schema."""
