"""`docs/reference/description.md`: the keys of the description, generated from its types."""

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
from muster.config.description.hyperpod_slurm_cluster import HyperPodSlurmCluster
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.description.node_group import Group, Purpose
from muster.config.description.pcs_cluster import PcsCluster
from muster.config.description.slurm_cluster import SlurmCluster
from muster.hardware.catalogue import hardware, instance_types

HEAD = """\
# The description

Generated from the types of the description. `muster:cluster` in `stacks/Pulumi.STACK.yaml` contains one `EksCluster`,
one `HyperPodCluster`, one `HyperPodSlurmCluster` ([HyperPod with Slurm](../how-to/hyperpod-slurm.md)), one
`SlurmCluster` ([ParallelCluster](../how-to/slurm.md)), one `PcsCluster` ([AWS PCS](../how-to/pcs.md)) or, with
`addons-of`, one `AddonsOf`: only add-ons, for the cluster of another stack
([an example](../../examples/addons-of/README.md)). Editors that read the first line of a stack file complete and check
the description as you type.

The last column states what changing a field costs on a live cluster:

- *in place*: nothing restarts.
- *at the next launch*: nodes launched later have the new value; running nodes keep the old one.
- *drains nodes*: nodes are drained and replaced, one at a time.
- *needs the login nodes stopped*: `up` fails while login nodes of the pool run; `nodes: 0` of the pool stops them.
- *needs the compute fleet stopped*: `up` fails while compute nodes of a Slurm cluster run;
  `pcluster update-compute-fleet` stops them.
- *with the next other change*: on ParallelCluster, nothing happens until another change updates the cluster.
- *replaces*: the resource with the field is deleted and created again.
- *AWS refuses it*: `up` fails. SageMaker does not change it in an existing group, or no document of AWS states that it
  does: give the group another name, so that new nodes start and the old ones are deleted. The same
  is true of the instance type of a group on AWS PCS. ParallelCluster does not change it in an existing cluster: another
  name creates a new cluster.
- *stays as it was*: `up` reports an update but sends no request to AWS.
- *buys*: the purchase is immediate and cannot be undone.
- *nothing*: the field only informs Muster.

`muster plan STACK --against REF` prints the cost of your change ([how](../how-to/review-a-change.md)).

The nodes of a self-managed group are not drained: changes that elsewhere drain nodes, and changes of labels, taints and
image, apply to nodes launched later. On ParallelCluster, the nodes of a queue are replaced after their jobs end, or at
once if `slurm.on-update` is `terminate`. For blocks that all backends share, the table states the costs on EKS;
`muster plan` prints those that apply to your cluster.
"""


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    parts: list[type[StrictModel]] = []
    for whole in (EksCluster, HyperPodCluster, HyperPodSlurmCluster, SlurmCluster, PcsCluster, AddonsOf):
        _parts(whole, parts)
    for part in parts:
        lines += [f"## {part.__name__}", "", " ".join((part.__doc__ or "").split()), ""]
        if issubclass(part, Choice):
            words = ", ".join(f"`{word}`" for word in sorted(part.bare_words))
            lines += [f"Exactly one key{f' (or a bare word: {words})' if words else ''}.", ""]
        if part.model_fields:
            lines += ["| key | type | default | meaning | cost of a change |", "|---|---|---|---|---|"]
            lines += [_row(part, name, info) for name, info in part.model_fields.items()]
            lines += [""]
        if part is Group:
            lines += [*_purposes(), ""]
    return "\n".join(lines)


def _parts(part: type[StrictModel], seen: list[type[StrictModel]] | None = None) -> list[type[StrictModel]]:
    """A block and every block below it, each once, in the order of their first use."""
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
    """What `for` decides, derived from the code."""
    yield "What `for` decides:"
    yield ""
    yield "| `for` | default of `interfaces` | placement group, on demand with EFA | Lustre in its zone |"
    yield "|---|---|---|---|"
    for purpose in Purpose:
        group = Group.model_validate({"for": purpose.value, "instance": "p5.48xlarge", "nodes": 1})
        placed = "its own" if placement_group("", group, "", efa=True) else "none"
        near = "`lustre-in-training-zone`" if purpose is Purpose.TRAINING else "not required"
        yield f"| `{purpose.value}` | `{group.layout.value}` | {placed} | {near} |"
    yield ""
    tainted = {
        each.resource_name: each.accelerator.value for each in map(hardware, instance_types()) if each.resource_name
    }
    words = ", ".join(f"`{name}` ({kind})" for name, kind in sorted(tainted.items()))
    yield (
        f"The taint depends on the accelerator, not on `for`: {words}, each `NoSchedule`; nodes without an accelerator "
        "have no taint. The rule of one zone (`efa-single-zone`) also does not depend on `for`: it applies to every "
        "group with EFA."
    )


def _form(annotation: Any) -> str:
    """The name of a type for a reader of YAML."""
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
