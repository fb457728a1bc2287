"""A configuration of ParallelCluster that Muster wrote becomes the same configuration when `init` brings it over."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from muster.blueprint.parallelcluster.configuration import configuration
from muster.fleet.resources import Reference
from muster.fleet.resources.ref import EFS, KEY_PAIR, LUSTRE, OPENZFS, SUBNET, Ref
from muster.sources.recognition import recognize
from tests.corpus import SOUND, entries
from tests.sources.brought_over import opened
from tests.sources.judged import a_file

ENTRIES = {each.name: each for each in entries(SOUND) if each.stack and each.stack.startswith("pcluster-")}
IDS = {SUBNET: "subnet", LUSTRE: "fs", EFS: "fs", OPENZFS: "fsvol", KEY_PAIR: "key"}

OF_MUSTER = ("SecurityGroups", "Tags", "DevSettings")
"""Muster's own security group and tag, which the new stack has too; the timeout of nodes that install nothing."""


def id_of(reference: Reference) -> str:
    if not isinstance(reference, Ref):
        return reference
    return f"{IDS.get(reference.type, 'sg')}-{sum(map(ord, reference.name)):017x}"


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each scalar with the way to it."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, f"{path}.{key}")
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from leaves(each, f"{path}[{index}]")
    else:
        yield path, value


@pytest.mark.parametrize("name", ENTRIES)
def test_a_configuration_comes_back(name: str) -> None:
    written = configuration(ENTRIES[name].opened().derive(), id_of)
    file = a_file(json.dumps(written), "cluster.json")
    again = configuration(opened(recognize(file).describe(file)).derive(), id_of)
    differ = {path for path, _ in {*leaves(written)} ^ {*leaves(again)}}
    assert not [path for path in differ if not any(each in path for each in OF_MUSTER)]
