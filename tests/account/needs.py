"""The request for a reference stack with every id filled in, as somebody who deploys one has it, and changed."""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from muster.account.topic import PreflightRequest
from muster.config.document import CLUSTER_KEY
from muster.config.placeholders import PLACEHOLDER
from muster.stack.stack_file import StackFile, load
from tests.corpus import edited
from tests.factories import NOW
from tests.stack_files import ROOT

_ID = re.compile(rf"\b(vpc|subnet|sg|cr|ami|fs)-{PLACEHOLDER}[a-z0-9-]*")

_PLAN = re.compile(rf"training-plan/{PLACEHOLDER}[a-z0-9-]*")


def id_for(placeholder: str) -> str:
    """A real-looking id for one to be filled in, always the same: ``subnet-fill-me-in-private-a`` -> subnet-0..."""
    prefix, _, rest = placeholder.partition("-")
    return f"{prefix}-0{hashlib.sha256(rest.encode()).hexdigest()[:16]}"


def filled_text(text: str) -> str:
    """A text with its ids filled in: a stack's file, or its facts."""
    named = _PLAN.sub("training-plan/spring", text).replace(f"key-{PLACEHOLDER}", "ml-admins")
    return _ID.sub(lambda found: id_for(found.group()), named)


def filled(stack: str) -> str:
    """A reference stack's file with its ids filled in. Accounts of ARNs stay the documentation's."""
    return filled_text((ROOT / "stacks" / f"Pulumi.{stack}.yaml").read_text())


def filled_facts(stack: str) -> str:
    """The facts beside it, with the same ids."""
    return filled_text((ROOT / "stacks" / "facts" / f"{stack}.json").read_text())


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
