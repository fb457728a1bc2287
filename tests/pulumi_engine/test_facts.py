"""The tables of the simulated AWS name types and properties of the SDKs: it would never look up a misspelt one."""

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any

import pytest
from pulumi_aws_native import sagemaker

from tests.pulumi_engine.facts import (
    FOR_NEW_INSTANCES,
    ID_IS_ARN,
    ID_PATTERNS,
    ID_PREFIXES,
    NAMES,
    NESTED_COMPUTED,
    NEW_AT_EACH_UPDATE,
    REFUSED_IN_A_GROUP,
    REPLACES,
    SETS,
)
from tests.pulumi_engine.shapes import roles_of


@pytest.mark.parametrize(
    "table", [SETS, REPLACES, NESTED_COMPUTED, NEW_AT_EACH_UPDATE, NAMES, ID_PREFIXES, ID_PATTERNS, ID_IS_ARN]
)
def test_every_type_in_the_tables_is_a_type_of_the_sdk(table: Iterable[str]) -> None:
    for token in table:
        assert roles_of(token).token == token


@pytest.mark.parametrize(("table", "known"), [(SETS, "outputs"), (REPLACES, "inputs"), (NAMES, "inputs")])
def test_every_property_in_the_tables_is_a_property_of_its_type(table: Mapping[str, Any], known: str) -> None:
    for token, paths in table.items():
        names = {path.split(".")[0] for path in ([paths] if isinstance(paths, str) else paths)}
        assert names <= set(getattr(roles_of(token), known)), token


def test_every_property_of_a_hyperpod_group_is_one_of_the_sdk() -> None:
    known = signature(sagemaker.ClusterInstanceGroupArgs).parameters
    listed = (*REFUSED_IN_A_GROUP, *FOR_NEW_INSTANCES)
    assert {"".join(f"_{each.lower()}" if each.isupper() else each for each in name) for name in listed} <= set(known)
