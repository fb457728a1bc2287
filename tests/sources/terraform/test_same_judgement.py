"""The same cluster is judged alike, whether Pulumi or Terraform creates it."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from muster.fleet.registration import Registration
from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.sources.source import InputFile
from muster.sources.terraform.reader import read
from tests.corpus import Entry, entries
from tests.corpus.judged import facts_of, region_of, registrations
from tests.sources.terraform.rendered import as_if_of_terraform, document

Said = set[tuple[str, str]]


def said(listed: Iterable[Registration], entry: Entry, region: str) -> tuple[Said, Said]:
    """Rule and resource of what is found, and of what is not evaluated."""
    seen = fleet_of(listed, facts=facts_of(entry), region=region, as_of=entry.as_of)
    assert not seen.unreadable
    judgement = judge(seen)
    return (
        {(each.rule, each.where) for each in judgement.findings},
        {(each.rule, each.resource) for each in judgement.not_evaluated},
    )


def through_terraform(listed: Iterable[Registration], region: str, *, applied: bool) -> tuple[Registration, ...]:
    """Rendered and read back."""
    text = json.dumps(document(listed, region=region, applied=applied))
    source = read(InputFile(Path("plan.json"), text, (json.loads(text),), is_json=True))
    assert source.region == region
    return source.registrations


def chosen() -> list[Entry]:
    """Entries that edit what is registered."""
    return [each for each in entries() if each.stack and each.registered and not each.change]


@pytest.mark.parametrize("applied", [False, True], ids=["planned", "applied"])
@pytest.mark.parametrize("entry", chosen(), ids=lambda entry: entry.name)
def test_an_entry_is_judged_alike(entry: Entry, applied: bool) -> None:
    """In a plan, ids are unknown; in a state, they are those of AWS."""
    opened = entry.opened()
    region = region_of(opened, entry)
    listed = registrations(entry, opened, preview=not applied)
    expected = said(as_if_of_terraform(listed), entry, region)
    assert said(through_terraform(listed, region, applied=applied), entry, region) == expected
