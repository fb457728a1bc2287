"""The labels by which Karpenter and EKS Auto Mode choose among instance types, and which types meet requirements on
them.

From `computeRequirements` in `pkg/providers/instancetype/types.go` and `pkg/apis/v1/labels.go` of
aws/karpenter-provider-aws at v1.14.1, and `pkg/scheduling/requirement.go` of kubernetes-sigs/karpenter. Auto Mode has
the same labels in its own domain (EKS user guide, create-node-pool).

EC2 adds types: a type that is newer than the hardware tables may meet what no type in them does. So beside the types of
the tables, requirements are compared with what such a type can be: a new size of a known family, or a new family.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from muster.blueprint.karpenter import CAPACITY_TYPE, ON_DEMAND, RESERVED, SPOT
from muster.blueprint.labels import INSTANCE_TYPE, kubernetes_architecture
from muster.hardware.catalogue import Accelerator, Hardware, hardware, instance_types
from muster.hardware.other_types import types_without_hardware
from muster.hardware.tables import read_table
from muster.hardware.type_names import nearest_type
from muster.scheduling.requirements import Operator, Requirement

KARPENTER, AUTO_MODE = "karpenter.k8s.aws", "eks.amazonaws.com"
"""The domains of the labels of Karpenter on EC2, and of EKS Auto Mode."""
ARCHITECTURE = "kubernetes.io/arch"
FAMILY, SIZE = "instance-family", "instance-size"
_NOT_OF_GO = {"x86_64": "amd64", "aarch64": "arm64"}
"""Linux' names of architectures -> those of nodes, which Go chose."""
_NAME = re.compile(r"([a-z]+)(?:-\d{1,3}tb)?(\d{1,3})")

Requirements = Sequence[Requirement]


@cache
def label_names() -> frozenset[str]:
    """The names of the labels in Karpenter's domain that a NodePool may require (`karpenter.sh_nodepools.yaml`)."""
    return frozenset(row["name"] for row in read_table("karpenter_labels.csv", "muster.policies.lookups"))


class Newer(NamedTuple):
    """A label of a type that is newer than the tables: any value, except those that only known types have."""

    taken: frozenset[str] = frozenset()


Value = tuple[str, ...] | Newer
"""The values that the label can have; none of a label that the node does not have."""
Labels = Mapping[str, Value]
"""By label; those in the domain of the provisioner by their name. A label that is not in it may have any value."""


def _of_name(instance: str) -> dict[str, Value]:
    """What follows from the name of a type."""
    family, _, size = instance.partition(".")
    found = _NAME.match(family)
    return {
        INSTANCE_TYPE: (instance,),
        FAMILY: (family,),
        SIZE: (size,),
        "instance-category": (found[1],) if found else (),
        "instance-generation": (found[2],) if found else (),
        "instance-capability-flex": ("true" if "-flex" in family else "false",),
    }


def _of_hardware(machine: Hardware) -> dict[str, Value]:
    """What a type has."""
    found: dict[str, Value] = {
        ARCHITECTURE: (kubernetes_architecture(machine),),
        "instance-cpu": (str(machine.vcpus),),
        "instance-memory": (str(machine.memory_mib),),
    }
    if machine.nvme_gb is not None:
        found["instance-local-nvme"] = (str(machine.nvme_gb),) if machine.nvme_gb else ()
    # The tables name a superchip with its GPU: "B200 (GB200 superchip)".
    names = tuple(each.lower().replace(" ", "-") for each in re.split(r" \(| superchip\)", machine.accelerator_model))
    kinds = {"gpu": (Accelerator.GPU, "nvidia"), "accelerator": (Accelerator.NEURON, "aws")}
    for kind, (accelerator, maker) in kinds.items():
        has = machine.accelerator is accelerator
        found[f"instance-{kind}-name"] = names if has else ()
        found[f"instance-{kind}-manufacturer"] = (maker,) if has else ()
        found[f"instance-{kind}-count"] = (
            (str(machine.accelerators if machine.gpu_fraction == 1 else 0),) if has else ()
        )
    return found


_MAKERS = ("instance-gpu-manufacturer", "instance-accelerator-manufacturer")


@cache
def _labels_of(instance: str) -> Labels:
    known = instance in _with_hardware()
    return {**_of_name(instance), **(_of_hardware(hardware(instance)) if known else {})}


@cache
def _with_hardware() -> frozenset[str]:
    return frozenset(instance_types())


@cache
def _all_types() -> frozenset[str]:
    return _with_hardware() | types_without_hardware()


@cache
def _families() -> Mapping[str, tuple[str, ...]]:
    """Family -> its types in the tables."""
    found: dict[str, tuple[str, ...]] = {}
    for each in sorted(_all_types()):
        family = each.partition(".")[0]
        found[family] = (*found.get(family, ()), each)
    return found


@cache
def known_values(label: str) -> frozenset[str]:
    """The values that types in the tables have."""
    if label == CAPACITY_TYPE:
        return frozenset({ON_DEMAND, RESERVED, SPOT})
    found = (_labels_of(each).get(label, ()) for each in _all_types())
    return frozenset(value for each in found if not isinstance(each, Newer) for value in each)


@cache
def meant(label: str, value: str) -> tuple[str, ...]:
    """The known values that a value misspells; none of one that may be newer than the tables."""
    known = known_values(label)
    if value in known:
        return ()
    if label == ARCHITECTURE and value in _NOT_OF_GO:
        return (_NOT_OF_GO[value],)
    # The whole name where a part of it is asked: the category p5, the family p5.48xlarge.
    part = _of_name(value if "." in value else f"{value}.").get(label, ())
    if not isinstance(part, Newer) and part and part[0] in known:
        return part
    longer = tuple(sorted(each for each in known if label == FAMILY and each.startswith(f"{value}-")))
    near = nearest_type(value, known)
    return longer or ((near,) if near else ())


@cache
def _new_size(family: str) -> Labels:
    """A type of a known family that is newer than the tables: it has what all of the family have."""
    types = _families()[family]
    every = [_labels_of(each) for each in types]
    same = {label: value for label, value in every[0].items() if all(each.get(label) == value for each in every)}
    sizes = frozenset(each.partition(".")[2] for each in types)
    # What no type of a family has, such as GPUs, no size of it will have.
    counted = {label: value for label, value in same.items() if label not in _OF_SIZE or not value}
    return {**counted, INSTANCE_TYPE: Newer(_all_types()), SIZE: Newer(sizes)}


_OF_SIZE = frozenset(
    {
        *("instance-cpu", "instance-memory", "instance-local-nvme"),
        *("instance-gpu-count", "instance-accelerator-count"),
    }
)
"""What differs between the sizes of a family, also where the tables have one size of it."""


def _newer(requirements: Requirements) -> Iterator[Labels]:
    """What a type that is newer than the tables can be: one that the requirements name, or a size of a known family, or
    of a new one."""
    for value in _listed(requirements, INSTANCE_TYPE):
        if value not in _all_types() and not meant(INSTANCE_TYPE, value):
            family = value.partition(".")[0]
            yield {**(_new_size(family) if family in _families() else {}), **_of_name(value)}
    for value in _listed(requirements, FAMILY):
        if value not in _families() and not meant(FAMILY, value):
            yield {**_of_name(f"{value}."), INSTANCE_TYPE: Newer(_all_types()), SIZE: Newer()}
    yield from map(_new_size, _families())
    yield {INSTANCE_TYPE: Newer(_all_types()), FAMILY: Newer(frozenset(_families()))}


def _listed(requirements: Requirements, label: str) -> Iterator[str]:
    yield from (
        value for each in requirements if each.key == label and each.operator == Operator.IN for value in each.values
    )


def _known(requirements: Requirements) -> Iterator[Labels]:
    """The types in the tables, as far as their names can meet the requirements."""
    types, families = ({*_listed(requirements, label)} for label in (INSTANCE_TYPE, FAMILY))
    # The accelerators of other makers have no hardware in the tables: amd, habana.
    makers = {value for label in _MAKERS for value in _listed(requirements, label) if value not in known_values(label)}
    for each in _all_types() if types or families or makers else _with_hardware():
        if (not types or each in types) and (not families or each.partition(".")[0] in families):
            yield _labels_of(each)


def _meeting(types: Iterable[Labels], of_all: Labels, requirements: Requirements) -> Iterator[Labels]:
    """The types that meet all requirements."""
    by_label: dict[str, list[Requirement]] = {}
    for each in dict.fromkeys(requirements):
        by_label.setdefault(each.key, []).append(each)
    for labels in types:
        if all(_allows(of_all.get(key, labels.get(key, Newer())), key, own) for key, own in by_label.items()):
            yield labels


def _allows(value: Value, label: str, requirements: Requirements) -> bool:
    """Whether one value of the label meets all requirements on it."""
    if isinstance(value, Newer):
        listed = [{*each.values} for each in requirements if each.operator == Operator.IN]
        if not listed:
            return True
        of_types = label in (INSTANCE_TYPE, FAMILY)
        possible = {each for each in set.intersection(*listed) - value.taken if not meant(label, each)}
        return not of_types and bool(possible)
    return any(all(each.allows(one) for each in requirements) for one in value or (None,))


class Conflict(NamedTuple):
    """Requirements that no type in the tables meets together, and of which each is needed for that."""

    requirements: tuple[Requirement, ...]
    certain: bool
    """Whether no type that is newer than the tables can meet them either."""


def conflict(requirements: Requirements, of_all: Labels) -> Conflict | None:
    """The requirements that no instance type meets; None if there is a type for all of them.

    Args:
        requirements: those of a NodePool, with the labels in the domain of its provisioner by their names.
        of_all: the labels that any type can have there: zones, capacity types.
    """
    # A label of the user's excludes no type, whatever is required of it.
    read = {INSTANCE_TYPE, ARCHITECTURE, *label_names(), *of_all}
    requirements = [each for each in requirements if each.key in read]
    if _met(_known(requirements), of_all, requirements):
        return None
    # Karpenter also gets types of capacity.
    open_ = {label: values for label, values in of_all.items() if label != CAPACITY_TYPE}
    certain = not _met(_newer(requirements), open_, requirements)
    left = list(requirements)
    # First all requirements on a label at once, then one at a time.
    parts = [[each for each in left if each.key == key] for key in dict.fromkeys(each.key for each in left)]
    for part in (*parts, *([each] for each in requirements)):
        without = [other for other in left if all(other is not each for each in part)]
        if (
            len(without) < len(left)
            and not _met(_known(without), of_all, without)
            and not (certain and _met(_newer(without), open_, without))
        ):
            left = without
    return Conflict(tuple(left), certain)


def _met(types: Iterable[Labels], of_all: Labels, requirements: Requirements) -> bool:
    return any(True for _ in _meeting(types, of_all, requirements))


def values_beside(requirement: Requirement, others: Requirements, of_all: Labels) -> tuple[str, ...]:
    """The values of a label on the types that meet the other requirements. Sorted."""
    label = requirement.key
    found = [of_all.get(label, each.get(label, ())) for each in _meeting(_known(others), of_all, others)]
    values = {one for each in found if not isinstance(each, Newer) for one in each}
    return tuple(sorted(one for one in values if all(each.allows(one) for each in others if each.key == label)))
