"""What Muster registers of a HyperPod cluster, written as the API's request and read back, is judged alike."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources.ref import HYPERPOD
from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.sources.source import InputFile, InvalidFile
from tests.corpus import Entry, entries
from tests.corpus.judged import facts_of, region_of, registrations
from tests.sources.parallelcluster.files import the_format

PARTS = ("groups", "hyperpod", "network", "control-plane")
"""The parts of a description that a request has; an entry may also edit the registered cluster."""
CLUSTERS = [
    each
    for each in entries()
    if each.stack.startswith("hyperpod")
    and not each.refused
    and (any(key.startswith(PARTS) for key in each.change) or any(HYPERPOD in key for key in each.registered))
]
SPELLED = {"volumeSizeInGb": "VolumeSizeInGB", "sourceS3uri": "SourceS3Uri"}
"""The provider's spelling of some keys of the API."""
OWN_KEYS = frozenset({"Labels"})


@pytest.mark.parametrize("entry", CLUSTERS, ids=lambda each: each.name)
def test_the_request_is_judged_as_the_resource(entry: Entry) -> None:
    made = [each for each in registrations(entry, entry.opened()) if each.type == HYPERPOD]
    for cluster in made:
        request = pascal({key: value for key, value in cluster.inputs.items() if key != "region"})
        text = json.dumps(request)
        try:
            source = the_format("hyperpod").read(InputFile(Path("c.json"), text, (json.loads(text),), is_json=True))
        except InvalidFile:
            pytest.skip("the registered inputs have another form")
        assert found(entry, source.registrations) == found(entry, [alone(cluster)])


def alone(cluster: Registration) -> Registration:
    """The cluster without what it depends on, which is not in a request."""
    return Registration(cluster.urn, cluster.type, cluster.name, cluster.inputs)


def pascal(value: Any) -> Any:
    """The API's keys for the provider's."""
    if isinstance(value, Mapping):
        named = {SPELLED.get(key, key[:1].upper() + key[1:]): each for key, each in value.items()}
        return {key: dict(each) if key in OWN_KEYS else pascal(each) for key, each in named.items()}
    return [pascal(each) for each in value] if isinstance(value, list) else value


def found(entry: Entry, listed: Any) -> set[tuple[str, str]]:
    """What is found, in the words of the findings: they name the group."""
    fleet = fleet_of(
        listed, facts=facts_of(entry), region=region_of(entry.opened(), entry), as_of=entry.as_of, facts_file="facts"
    )
    assert not fleet.unreadable
    judgement = judge(fleet)
    return {(each.rule, each.got) for each in judgement.findings}
