"""The page about a stack's outputs, made from their schema."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.cli.writers import json_schema

HEAD = """\
# Outputs

Generated from `muster.contract`, which writes and reads what a stack exports (contract 1: fields may be added, never
renamed; what is added may be absent where an older Muster deployed). Keys are camelCase, so that every Pulumi language
reads them as its own. There are two forms: [Cluster](#cluster) of a stack with Kubernetes (EKS, HyperPod; as
[JSON Schema](schema/outputs.json): `muster schema outputs`), and [SlurmCluster](#slurmcluster) of one with Slurm
(ParallelCluster; [JSON Schema](schema/slurm-outputs.json): `muster schema slurm-outputs`). `backend` tells which one
it is.

Programs that read a stack, each run or compiled by the tests: [Python](../examples/consumer-python/README.md),
[TypeScript](../examples/consumer-typescript/README.md), [YAML](../examples/consumer-yaml/README.md). In Python:

```python
import pulumi
from muster.contract import read_cluster, read_kubeconfig

stack = pulumi.StackReference("organization/muster/p5-odcr")
cluster = read_cluster(stack)  # pulumi.Output[Cluster], checked, no secret in it
kubeconfig = read_kubeconfig(stack)  # pulumi.Output[str], a secret
pulumi.export("gpus", cluster.apply(lambda it: it.node_groups["workers"].offers["nvidia.com/gpu"]))
```

`kubeconfig` is the only secret. Whatever is made of all outputs at once (`stack.outputs`) is as secret as it is, and so
is all that follows: read outputs one by one, as `read_cluster` does. A person gets it by `muster kubeconfig STACK`.
A script reads `pulumi stack output --json --stack STACK` with `Cluster.read`.

A stack with Slurm is read by `read_slurm_cluster` (a script: `SlurmCluster.read`), and has no secret. Whoever reads it
as Kubernetes is told what it is.

A stack with add-ons alone (`addons-of`) exports no cluster: `contract`, `addonsOf` (the cluster's stack, which is to be
read instead) and its own `addons`, in the form below.

"""


def page() -> str:
    """The whole page."""
    schema, slurm = json_schema.outputs(), json_schema.slurm_outputs()
    blocks = {"Cluster": schema, "SlurmCluster": slurm, **schema["$defs"], **slurm["$defs"]}
    lines: list[str] = []
    for name in dict.fromkeys([*_met("Cluster", blocks), *_met("SlurmCluster", blocks)]):
        lines += [f"## {name}", "", " ".join(blocks[name]["description"].split()), ""]
        lines += ["| key | form | what it is |", "|---|---|---|", *_rows(blocks[name]), ""]
    return HEAD + "\n".join(lines)


def _met(name: str, blocks: Mapping[str, Any]) -> list[str]:
    """A block and every block below it, each once, in the order they are met."""
    names = [name]
    for field in blocks[name]["properties"].values():
        for below in _references(field):
            names += [each for each in _met(below, blocks) if each not in names]
    return names


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for below in schema.values():
            yield from _references(below)
    elif isinstance(schema, list):
        for each in schema:
            yield from _references(each)


def _rows(block: Mapping[str, Any]) -> Iterator[str]:
    for key, field in block["properties"].items():
        absent = "" if key in block["required"] else ", or absent"
        described = field.get("description", "").replace("|", "\\|")
        yield f"| `{key}` | {_form(field)}{absent} | {described} |"


def _form(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_form(each) for each in schema["anyOf"] if each.get("type") != "null")
    if "const" in schema or "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema.get("enum", [schema.get("const")]))
    if schema["type"] == "array":
        return f"list of {_form(schema['items'])}"
    if schema["type"] == "object":
        return f"map of {_form(schema['additionalProperties'])}"
    return {"string": "text", "integer": "number", "boolean": "true or false"}[schema["type"]]
