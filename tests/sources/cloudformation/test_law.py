"""The law: what a stack registers with Pulumi, written as a template and read back, gets the same findings."""

import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources.ref import CLOUDFORMATION_STACK, Ref
from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.sources.cloudformation.reader import read
from muster.sources.source import InputFile
from tests.corpus import Entry, entries
from tests.corpus.judged import REGION, registrations
from tests.sources.cloudformation.rendering import is_rendered, logical, template

OTHERWISE = {"empty-reservation-target"}
"""Entries with an empty block, which CloudFormation does not send to EC2 and Pulumi's program may."""

ENTRIES = [
    each
    for each in entries()
    if each.stack and not each.change and each.name not in OTHERWISE and each.opened().described
]
"""Those that start from a stack as it is: their programs run once."""


def findings(registered: Iterable[Registration], as_of: date, names: dict[str, str]) -> set[tuple[str, str]]:
    """Rules, with the resources that break them: by their names in `names`, else by their logical ids."""
    fleet = fleet_of(registered, region=REGION, as_of=as_of)
    assert not fleet.unreadable
    judged = judge(fleet)
    return {
        (each.rule, names.get(each.where, Ref.of_urn(each.where).name.partition(".")[0])) for each in judged.findings
    }


def parsed(document: dict[str, Any]) -> InputFile:
    """A template as a file."""
    text = json.dumps(document)
    return InputFile(Path("law.json"), text, (json.loads(text),), is_json=True)


LEAST = 1
"""The entries of a backend that have findings."""


def sample(backend: str) -> list[Entry]:
    """Every third entry of a backend."""
    return [each for each in ENTRIES if each.opened().derive().described.backend == backend][::3]


@pytest.mark.parametrize("backend", ["eks", "hyperpod", "hyperpod-slurm"])
def test_the_same_findings(backend: str) -> None:
    differing: dict[str, Any] = {}
    judged = 0
    for entry in sample(backend):
        listed = [each for each in registrations(entry, entry.opened()) if is_rendered(each)]
        before = findings(listed, entry.as_of, {each.urn: logical(each) for each in listed})
        after = findings(read(parsed(template(listed))).registrations, entry.as_of, {})
        judged += bool(before)
        if before != after:
            differing[entry.name] = (before - after, after - before)
    assert not differing
    assert judged >= LEAST


def test_the_same_findings_for_parallelcluster() -> None:
    """The template of the stack itself, with the stack's parameters as defaults."""
    judged = 0
    for entry in sample("parallelcluster"):
        (stack,) = [each for each in registrations(entry, entry.opened()) if each.type == CLOUDFORMATION_STACK]
        document = json.loads(stack.inputs["templateBody"])
        for name, value in stack.inputs.get("parameters", {}).items():
            document["Parameters"][name]["Default"] = value
        before, after = (
            {rule for rule, _ in findings(listed, entry.as_of, {})}
            for listed in ([stack], read(parsed(document)).registrations)
        )
        assert before == after, entry.name
        judged += bool(before)
    assert judged >= LEAST
