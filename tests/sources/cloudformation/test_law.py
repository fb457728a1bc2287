"""The law: what a stack registers with Pulumi, written as a template and read back, gets the same findings."""

import json
from pathlib import Path
from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources.ref import CLOUDFORMATION_STACK, Ref
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.judgement import judge
from muster.policies.engine.other_programs import for_other_programs
from muster.policies.views import fleet_of
from muster.sources.cloudformation.reader import read
from muster.sources.source import InputFile
from tests.corpus import Entry, entries
from tests.corpus_judged import REGION, registrations
from tests.sources.cloudformation.rendering import is_rendered, logical, template

_OBJECTS = {"lifecycle-scripts-complete"}
"""Rules about the objects in a bucket: CloudFormation has no type for these."""

ENTRIES = [each for each in entries() if each.stack and not each.program and not each.change]


def findings(registered: Any, as_of: Any, names: dict[str, str]) -> set[tuple[str, str]]:
    """Rules, with the resources that break them: by their names in `names`, else by their logical ids."""
    fleet = fleet_of(registered, region=REGION, as_of=as_of)
    assert not fleet.unreadable
    judged = judge(fleet, rules=for_other_programs(all_rules()))
    return {
        (each.rule, names.get(each.where, Ref.of_urn(each.where).name.partition(".")[0])) for each in judged.findings
    }


def parsed(document: dict[str, Any]) -> InputFile:
    """A template as a file."""
    text = json.dumps(document)
    return InputFile(Path("law.json"), text, (json.loads(text),), is_json=True)


@pytest.mark.parametrize("backend", ["eks", "hyperpod"])
def test_the_same_findings(backend: str) -> None:
    differing: dict[str, Any] = {}
    judged = 0
    for entry in ENTRIES:
        opened = entry.opened()
        if opened.described is None or opened.derive().described.backend != backend:
            continue
        listed = [each for each in registrations(entry, opened) if is_rendered(each)]
        names = {each.urn: logical(each) for each in listed}
        before = findings(listed, entry.as_of, names)
        after = findings(read(parsed(template(listed))).registrations, entry.as_of, {})
        judged += 1
        if before != after:
            differing[entry.name] = (before - after, after - before)
    assert not differing
    assert judged > 20
