"""The request for a reference stack, filled in and changed."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from muster.account.topic import PreflightRequest
from muster.config.document import CLUSTER_KEY
from muster.stack.stack_file import StackFile, load
from tests.account.filled import filled, filled_facts
from tests.corpus import edited
from tests.factories import NOW


def opened(stack: str, change: Mapping[str, Any] | None = None) -> StackFile:
    """The stack with its ids filled in; changes are dotted paths in `muster:cluster`."""
    document = yaml.safe_load(filled(stack))
    document["config"][CLUSTER_KEY] = edited(document["config"][CLUSTER_KEY], change or {})
    with TemporaryDirectory() as folder:
        file, facts = Path(folder) / f"Pulumi.{stack}.yaml", Path(folder) / f"{stack}.json"
        file.write_text(json.dumps(document))
        facts.write_text(filled_facts(stack))
        return load(stack, file, facts)


def needs(stack: str, change: Mapping[str, Any] | None = None) -> PreflightRequest:
    """The request for such a stack."""
    return _needs(stack, json.dumps(change or {}))


@cache
def _needs(stack: str, change: str) -> PreflightRequest:
    stacked = opened(stack, json.loads(change))
    assert stacked.described is not None, [each.finding for each in stacked.faults]
    return PreflightRequest(stacked.derive(), NOW)
