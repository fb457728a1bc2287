"""Reads `hyperpod_types.csv`: the instance types that SageMaker HyperPod supports, by SageMaker's names.

Source: the model of SageMaker's API that botocore carries, `ClusterInstanceType` (all rows) and
`ReservedCapacityInstanceType` (column `training_plan`). CloudFormation's schema of `AWS::SageMaker::Cluster` accepts
any text there, and the service refuses it later, so this table is stricter. It has types that the hardware catalog
lacks: only their names are known here.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from muster.hardware.catalogue import Hardware, UnknownInstance, hardware
from muster.hardware.tables import read_table
from muster.hardware.type_names import nearest_type

ML = "ml."
"""What SageMaker calls its instance types by: EC2's name of a type with this before it."""

SOURCE = "botocore 1.44.5 sagemaker"
"""The source in every row of the table, of its types and training plans."""


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
    """The type that HyperPod supports and that a name misspells; else its family's types; none if it has no such.

    Args:
        instance_type: with or without ``ml.``.
        among: the types to choose from; default: all of HyperPod's.
    """
    known, name = ec2_names(hyperpod_types() if among is None else among), instance_type.removeprefix(ML)
    near = nearest_type(name, known)
    family = f"{name.partition('.')[0]}."
    return tuple(f"{ML}{each}" for each in ((near,) if near else known) if near or each.startswith(family))


def ec2_names(types: Iterable[str]) -> tuple[str, ...]:
    """Types as a description has them: without ``ml.``."""
    return tuple(each.removeprefix(ML) for each in types)
