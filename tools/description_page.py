"""The reference page of the description, made from its types."""

import types
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from muster.blueprint.derive.capacity import placement_group
from muster.config.description.base import Choice, StrictModel, change_cost
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.description.node_group import Group, Purpose
from muster.config.description.slurm_cluster import SlurmCluster
from muster.hardware.catalogue import hardware, instance_types

HEAD = """\
# The description

Generated from the types that read it. `muster:cluster` in `stacks/Pulumi.STACK.yaml` holds one `EksCluster`, one
`HyperPodCluster`, one `SlurmCluster` ([ParallelCluster](parallelcluster.md)) or, with `addons-of`, one `AddonsOf`:
add-ons alone, for the cluster of another stack ([an example](../examples/addons-of/README.md)). Editors that follow the
first line of a stack file complete and check it as you type.

The last column says what changing a field costs on a live cluster: *in place* nothing restarts; *at the next launch*
nodes launched from then on have it, those that run keep what they have; *drains nodes* nodes are drained and replaced,
one at a time; *needs the compute fleet stopped* `up` fails while compute nodes of a Slurm cluster run
(`pcluster update-compute-fleet` stops them); *replaces* what carries it is deleted and made anew; *AWS refuses it* `up`
fails, since SageMaker changes it in no group that exists, or no document of AWS says that it does: give the group
another name, and its nodes come anew while the old ones go (ParallelCluster changes it in no cluster: another name
makes a new one); *stays as it was* `up` reports an update, and AWS is not asked for it; *buys* something is bought at
once and for good; *nothing* the field only tells Muster about the world.

What a change of yours costs, `muster plan STACK --against REF` says ([how](changes.md)).

Nobody drains the nodes of a self-managed group: what drains elsewhere, its labels, taints and image reach the nodes
launched from then on. On ParallelCluster a queue's nodes are replaced when their jobs have ended, or as
`slurm.on-update` says, and blocks that all backends share are told as on EKS: `muster plan` says what applies to yours.
"""


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    for part in _parts(AddonsOf, _parts(SlurmCluster, _parts(HyperPodCluster, _parts(EksCluster)))):
        lines += [f"## {part.__name__}", "", " ".join((part.__doc__ or "").split()), ""]
        if issubclass(part, Choice):
            words = ", ".join(f"`{word}`" for word in sorted(part.bare_words))
            lines += [f"Exactly one key{f' (or a bare word: {words})' if words else ''}.", ""]
        if part.model_fields:
            lines += ["| key | form | without it | what it is | changing it |", "|---|---|---|---|---|"]
            lines += [_row(part, name, info) for name, info in part.model_fields.items()]
            lines += [""]
        if part is Group:
            lines += [*_purposes(), ""]
    return "\n".join(lines)


def _parts(part: type[StrictModel], seen: list[type[StrictModel]] | None = None) -> list[type[StrictModel]]:
    """A block and every block below it, each once, in the order they are met."""
    seen = [] if seen is None else seen
    if part not in seen and part.model_fields:
        seen.append(part)
        for info in part.model_fields.values():
            for below in _classes(info.annotation):
                if isinstance(below, type) and issubclass(below, StrictModel):
                    _parts(below, seen)
    return seen


def _classes(annotation: Any) -> Iterator[Any]:
    inner = get_args(annotation)
    if get_origin(annotation) in (None, Literal) or not inner:
        yield annotation
    else:
        for each in inner:
            yield from _classes(each)


def _row(part: type[StrictModel], name: str, info: FieldInfo) -> str:
    without = "required" if info.is_required() else _default(info.default)
    described = (info.description or "").replace("|", "\\|")
    return (
        f"| `{info.alias or name}` | {_form(info.annotation)} | {without} | {described} | {change_cost(part, name)} |"
    )


def _default(value: Any) -> str:
    if value in (None, {}, ()) or value is PydanticUndefined:
        return "-"
    if isinstance(value, Choice):
        return f"`{value.chosen}`"
    if isinstance(value, StrictModel):
        return "its defaults"
    if isinstance(value, dict):
        return ", ".join(f"`{key}`" for key in value)
    if isinstance(value, tuple):
        return ", ".join(_default(each) for each in value)
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value.value if isinstance(value, Enum) else value}`"


def _purposes() -> Iterator[str]:
    """What `for` decides, from the code that decides it."""
    yield "What `for` decides:"
    yield ""
    yield "| `for` | without `interfaces` | placement group, on demand with EFA | Lustre in its zone |"
    yield "|---|---|---|---|"
    for purpose in Purpose:
        group = Group.model_validate({"for": purpose.value, "instance": "p5.48xlarge", "nodes": 1})
        placed = "one of its own" if placement_group("", group, "", efa=True) else "none"
        near = "`lustre-in-training-zone`" if purpose is Purpose.TRAINING else "not asked"
        yield f"| `{purpose.value}` | `{group.layout.value}` | {placed} | {near} |"
    yield ""
    tainted = {
        each.resource_name: each.accelerator.value for each in map(hardware, instance_types()) if each.resource_name
    }
    words = ", ".join(f"`{name}` ({kind})" for name, kind in sorted(tainted.items()))
    yield (
        f"The taint follows from the accelerator, whatever the group is for: {words}, each `NoSchedule`; nodes without "
        "one have none. So does the rule of one zone (`efa-single-zone`): it holds for every group with EFA."
    )


def _form(annotation: Any) -> str:
    """A type as a reader of YAML would name it."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _form(inner[0])
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_form(each) for each in inner if each is not type(None)))
    if origin is Literal:
        return ", ".join(f"`{each}`" for each in inner)
    if origin is tuple:
        return f"list of {_form(inner[0])}"
    if origin is dict:
        return f"map of {_form(inner[1])}"
    if isinstance(annotation, type) and issubclass(annotation, StrictModel):
        return f"[{annotation.__name__}](#{annotation.__name__.lower()})" if annotation.model_fields else "`{}`"
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return ", ".join(f"`{each.value}`" for each in annotation)
    return {str: "text", int: "number", bool: "true or false"}.get(
        annotation, getattr(annotation, "__name__", "any").lower()
    )
