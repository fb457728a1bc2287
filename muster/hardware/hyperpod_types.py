"""Reads `hyperpod_types.csv`: the instance types that SageMaker HyperPod supports, by SageMaker's names.

Source: the model of SageMaker's API that botocore carries, `ClusterInstanceType` (all rows) and
`ReservedCapacityInstanceType` (column `training_plan`). CloudFormation's schema of `AWS::SageMaker::Cluster` accepts
any text there, and the service refuses it later, so this table is stricter. It has types that the hardware catalog
lacks: only their names are known here.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from math import inf

from muster.hardware.catalogue import Accelerator, Hardware, UnknownInstance, hardware
from muster.hardware.tables import read_table
from muster.hardware.type_names import nearest_type

ML = "ml."
"""What SageMaker calls its instance types by: EC2's name of a type with this before it."""

SOURCE = "botocore 1.44.5 sagemaker"
"""The source in every row of the table, of its types and training plans."""

_NEAREST = 2
"""How many types of a family are named as near."""

_SIZE = re.compile(r"\.((?P<number>\d*)xlarge|metal|medium|large)$")


@cache
def _types() -> Mapping[str, bool]:
    """Type -> whether training plans offer it."""
    return {row["instance_type"]: row["training_plan"] == "true" for row in read_table("hyperpod_types.csv")}


def hyperpod_types() -> tuple[str, ...]:
    """Every type that HyperPod takes: ``ml.p5.48xlarge``. By family, the smallest first."""
    return tuple(_types())


def takes_training_plan(instance_type: str) -> bool:
    """Whether training plans offer instances of that type (SageMaker's name)."""
    return _types().get(instance_type, False)


def quota_codes() -> Mapping[tuple[str, bool], str]:
    """Type, and whether on spot -> the code of the quota that counts its instances, where it is known."""
    columns = {False: "quota_code", True: "spot_quota_code"}
    rows = read_table("hyperpod_types.csv")
    return {(row["instance_type"], spot): code for row in rows for spot, key in columns.items() if (code := row[key])}


def training_plan_types() -> tuple[str, ...]:
    """The types that training plans offer."""
    return tuple(each for each, planned in _types().items() if planned)


def machine_of(instance_type: str) -> Hardware | None:
    """The catalog row of a type by SageMaker's name; None if it has none."""
    try:
        return hardware(instance_type.removeprefix(ML))
    except UnknownInstance:
        return None


def nearest_types(instance_type: str, among: Iterable[str] | None = None) -> tuple[str, ...]:
    """The types that HyperPod supports and that are most like one that it does not; none if they cannot be compared.

    For a type in the catalog it is the one with the same kind of accelerator, as near as possible in family and in
    number of accelerators and vCPUs; for any other type the nearest sizes of its family, or a similar name.

    Args:
        instance_type: with or without ``ml.``.
        among: the types to choose from; default: all of HyperPod's.
    """
    wanted = f"{ML}{instance_type.removeprefix(ML)}"
    known = hyperpod_types() if among is None else tuple(among)
    if wanted in known:
        return (wanted,)
    machine = machine_of(wanted)
    if machine is not None:
        candidates = [(each, row) for each in known if (row := machine_of(each)) and _alike(row, machine)]
        candidates.sort(key=lambda each: _distance(each[1], machine))
        return tuple(name for name, _ in candidates[:1])
    family = tuple(each for each in known if _family(each) == _family(wanted))
    if family and (size := _SIZE.search(wanted)):
        return _around(size, family)
    near = nearest_type(wanted.removeprefix(ML), [each.removeprefix(ML) for each in known])
    return (f"{ML}{near}",) if near else ()


def ec2_names(types: Iterable[str]) -> tuple[str, ...]:
    """Types as a description has them: without ``ml.``."""
    return tuple(each.removeprefix(ML) for each in types)


def _around(size: re.Match[str], family: tuple[str, ...]) -> tuple[str, ...]:
    """The next smaller and the next larger size of a family, which begins with the smallest; without a number the
    largest ones."""
    if not size["number"]:
        return family[-_NEAREST:]
    larger = [each for each in family if _number(each) > int(size["number"])]
    smaller = [each for each in family if each not in larger]
    return (*smaller[-1:], *larger[:1])


def _number(instance_type: str) -> float:
    size = _SIZE.search(instance_type)
    return int(size["number"] or 1) if size and not size[1].startswith("metal") else inf


def _alike(one: Hardware, other: Hardware) -> bool:
    """Software for GPUs exists for both architectures; elsewhere, the architecture of the image decides."""
    same = one.architecture == other.architecture
    return one.accelerator is other.accelerator and (same or one.accelerator is not Accelerator.NONE)


def _distance(one: Hardware, other: Hardware) -> tuple[float, ...]:
    """How unlike two machines of one kind are: by family, series, accelerators, architecture, vCPUs, memory."""
    family, series = _family(one.instance), _series(one.instance)
    return (
        family != _family(other.instance),
        series != _series(other.instance),
        abs(one.accelerators - other.accelerators),
        one.architecture != other.architecture,
        abs(one.vcpus - other.vcpus),
        abs((one.accelerator_memory_gib or 0) - (other.accelerator_memory_gib or 0)),
        abs(one.memory_mib - other.memory_mib),
    )


def _family(instance_type: str) -> str:
    """``ml.p5.48xlarge`` -> ``p5``."""
    return instance_type.removeprefix(ML).partition(".")[0]


def _series(instance_type: str) -> str:
    """``p3dn.24xlarge`` -> ``p``."""
    return re.split("[^a-z]", _family(instance_type), maxsplit=1)[0]
