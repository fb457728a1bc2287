"""`docs/reference/outputs.md`: the outputs of a stack, generated from their schema."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.cli.writers import json_schema

HEAD = """\
# Outputs

Generated from `muster.contract`, which writes and reads the outputs of a stack (contract 1: fields may be added, never
renamed; an added field may be absent if an older Muster deployed the stack). Keys are camelCase, so that every Pulumi
language can read them as usual. A stack with Kubernetes (EKS, HyperPod) exports a [Cluster](#cluster)
([JSON Schema](../schema/outputs.json): `muster schema outputs`). A stack with ParallelCluster exports a
[SlurmCluster](#slurmcluster) ([JSON Schema](../schema/slurm-outputs.json): `muster schema slurm-outputs`), one with
Slurm on HyperPod a [HyperPodSlurmCluster](#hyperpodslurmcluster)
([JSON Schema](../schema/hyperpod-slurm-outputs.json): `muster schema hyperpod-slurm-outputs`), and one with AWS PCS a
[PcsCluster](#pcscluster) ([JSON Schema](../schema/pcs-outputs.json): `muster schema pcs-outputs`). The output `backend`
shows which one it is.

Programs that read a stack, which the tests run or compile: [Python](../../examples/consumer-python/README.md),
[TypeScript](../../examples/consumer-typescript/README.md), [YAML](../../examples/consumer-yaml/README.md). In Python:

```python
import pulumi
from muster.contract import read_cluster, read_kubeconfig

stack = pulumi.StackReference("organization/muster/p5-odcr")
cluster = read_cluster(stack)  # pulumi.Output[Cluster], checked, no secret in it
kubeconfig = read_kubeconfig(stack)  # pulumi.Output[str], a secret
pulumi.export("gpus", cluster.apply(lambda it: it.node_groups["workers"].offers["nvidia.com/gpu"]))
```

`kubeconfig` is the only secret. A value made from all outputs at once (`stack.outputs`) is also secret, and so is
everything derived from it: read outputs one by one, as `read_cluster` does. To get the kubeconfig yourself, run
`pulumi stack output kubeconfig --show-secrets --stack STACK`. A script reads
`pulumi stack output --json --stack STACK` with `Cluster.read`.

Your program's tests need no deployed cluster: `muster plan STACK --json` has sample outputs of the stack in its key
`outputs`, in the same format (`Cluster.read(json.load(file)["outputs"])`).

Read a stack with ParallelCluster with `read_slurm_cluster` (in a script: `SlurmCluster.read`), one with Slurm on
HyperPod with `read_hyperpod_slurm_cluster` (`HyperPodSlurmCluster.read`), and one with AWS PCS with `read_pcs_cluster`
(`PcsCluster.read`). They have no secret. If you read them as Kubernetes, the error states that they have Slurm.

A stack with only add-ons (`addons-of`) exports no cluster: it exports `contract`, `addonsOf` (the stack of the cluster,
which you should read instead) and its own `addons`, in the format below.

"""


def page() -> str:
    """The whole page."""
    wholes = {name: schema() for name, schema in json_schema.OUTPUTS.items()}
    blocks = {**wholes, **{name: block for whole in wholes.values() for name, block in whole["$defs"].items()}}
    lines: list[str] = []
    for name in dict.fromkeys(each for whole in wholes for each in _met(whole, blocks)):
        lines += [f"## {name}", "", " ".join(blocks[name]["description"].split()), ""]
        lines += ["| key | type | meaning |", "|---|---|---|", *_rows(blocks[name]), ""]
    return HEAD + "\n".join(lines)


def _met(name: str, blocks: Mapping[str, Any]) -> list[str]:
    """A block and every block below it, each once, in the order of their first use."""
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
