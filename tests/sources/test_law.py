"""The law of files: what a stack registers, written in another tool's format and read back, gets the same findings."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources.ref import CLOUDFORMATION_STACK, HYPERPOD, Ref
from muster.policies.engine.judgement import Judgement, judge
from muster.policies.views import fleet_of
from muster.policies.views.cloudformation import template_of
from muster.policies.views.parallelcluster_configuration import configurations_in
from muster.policies.views.references import References
from muster.sources.formats import FORMATS
from muster.sources.source import InputFile, InvalidFile, Source
from tests.corpus import Entry, entries
from tests.corpus.judged import facts_of, region_of, registrations
from tests.sources.cloudformation.rendering import RENDERED, is_rendered, logical, template
from tests.sources.judged import a_file
from tests.sources.remedied import unmended
from tests.sources.terraform.rendered import as_if_of_terraform, document

Pairs = set[tuple[str, str]]

ENTRIES = [each for each in entries() if each.stack and not each.refused]


def read(format_: str, document_: Any) -> Source:
    """A document as a file of a format, read."""
    text = json.dumps(document_)
    file = InputFile(Path("law.json"), text, (json.loads(text),), is_json=True)
    return next(each for each in FORMATS if each.id == format_).read(file)


def judged(entry: Entry, listed: Iterable[Registration]) -> Judgement:
    """What the rules say of registrations, with what the entry knows of the account."""
    region = region_of(entry.opened(), entry)
    fleet = fleet_of(listed, facts=facts_of(entry), region=region, as_of=entry.as_of, facts_file="facts")
    assert not fleet.unreadable
    return judge(fleet)


def in_words(judgement: Judgement, *but: str) -> Pairs:
    """What is found, in words that name the group: for formats in which it is a part of one resource."""
    return {(each.rule, each.got) for each in judgement.findings if each.rule not in but}


def made_by(entry: Entry, type_: str) -> list[Registration]:
    return [each for each in registrations(entry, entry.opened()) if each.type == type_]


NOT_IN_THE_FILE = (
    "parallelcluster-image-of-version",
    "parallelcluster-template-readable",
    "parallelcluster-version-known",
)
"""Rules that ask for the version of ParallelCluster or the template: no configuration has them."""


@pytest.mark.parametrize(
    "entry", [each for each in ENTRIES if each.stack.startswith("pcluster")], ids=lambda each: each.name
)
def test_parallelcluster(entry: Entry) -> None:
    (stack,) = made_by(entry, CLOUDFORMATION_STACK)
    references = References([stack])
    (one,) = configurations_in(stack, template_of(stack, references, []), references)  # type: ignore[arg-type]
    try:
        source = read("parallelcluster", one.configuration)
    except InvalidFile:
        pytest.skip("the registered configuration has another form")
    assert list(unmended(a_file(json.dumps(one.configuration), "law.json"))) == []
    expected = in_words(judged(entry, [stack]), *NOT_IN_THE_FILE)
    assert in_words(judged(entry, source.registrations), *NOT_IN_THE_FILE) == expected


PARTS = ("groups", "hyperpod", "network", "control-plane")
"""The parts of a description that a request has; an entry may also edit the registered cluster."""
OF_HYPERPOD = [
    each
    for each in ENTRIES
    if each.stack.startswith("hyperpod")
    and (any(key.startswith(PARTS) for key in each.change) or any(HYPERPOD in key for key in each.registered))
]


@pytest.mark.parametrize("entry", OF_HYPERPOD, ids=lambda each: each.name)
def test_hyperpod(entry: Entry) -> None:
    """A request has not what the cluster depends on."""
    for cluster in made_by(entry, HYPERPOD):
        _, request = RENDERED[HYPERPOD]({key: each for key, each in cluster.inputs.items() if key != "region"})
        try:
            source = read("hyperpod", request)
        except InvalidFile:
            pytest.skip("the registered inputs have another form")
        assert list(unmended(a_file(json.dumps(request), "law.json"))) == []
        alone = Registration(cluster.urn, cluster.type, cluster.name, cluster.inputs)
        assert in_words(judged(entry, source.registrations)) == in_words(judged(entry, [alone]))


@pytest.mark.parametrize("applied", [False, True], ids=["planned", "applied"])
@pytest.mark.parametrize(
    "entry", [each for each in ENTRIES if each.registered and not each.change], ids=lambda each: each.name
)
def test_terraform(entry: Entry, applied: bool) -> None:
    """In a plan, ids are unknown; in a state, they are those of AWS."""
    opened = entry.opened()
    region = region_of(opened, entry)
    listed = registrations(entry, opened, preview=not applied)
    source = read("terraform", document(listed, region=region, applied=applied))
    assert source.region == region
    expected, found = (judged(entry, each) for each in (as_if_of_terraform(listed), source.registrations))
    assert {(each.rule, each.where) for each in found.findings} == {
        (each.rule, each.where) for each in expected.findings
    }
    assert {(each.rule, each.resource) for each in found.not_evaluated} == {
        (each.rule, each.resource) for each in expected.not_evaluated
    }


OTHERWISE = {"empty-reservation-target"}
"""Entries with an empty block, which CloudFormation does not send to EC2 and Pulumi's program may."""


def by_name(entry: Entry, listed: Iterable[Registration], names: Mapping[str, str]) -> Pairs:
    """What is found, by the resources' names in `names`, else by their logical ids."""
    found = judged(entry, listed).findings
    return {(each.rule, names.get(each.where, Ref.of_urn(each.where).name.partition(".")[0])) for each in found}


def stacks_as_they_are(backend: str) -> list[Entry]:
    """Every third entry of a backend whose description is that of its stack: their programs run once."""
    listed = [each for each in ENTRIES if not each.change and each.name not in OTHERWISE and each.opened().described]
    return [each for each in listed if each.opened().derive().described.backend == backend][::3]


@pytest.mark.parametrize("backend", ["eks", "hyperpod", "hyperpod-slurm"])
def test_cloudformation(backend: str) -> None:
    judged_: dict[str, Pairs] = {}
    for entry in stacks_as_they_are(backend):
        listed = [each for each in registrations(entry, entry.opened()) if is_rendered(each)]
        judged_[entry.name] = by_name(entry, listed, {each.urn: logical(each) for each in listed})
        source = read("cloudformation", template(listed))
        assert list(unmended(a_file(json.dumps(template(listed)), "law.json"))) == []
        assert by_name(entry, source.registrations, {}) == judged_[entry.name], entry.name
    assert any(judged_.values())


def test_cloudformation_of_parallelcluster() -> None:
    """The template of the stack itself, with the stack's parameters as defaults."""
    judged_: dict[str, set[str]] = {}
    for entry in stacks_as_they_are("parallelcluster"):
        (stack,) = made_by(entry, CLOUDFORMATION_STACK)
        body = json.loads(stack.inputs["templateBody"])
        for name, value in stack.inputs.get("parameters", {}).items():
            body["Parameters"][name]["Default"] = value
        judged_[entry.name] = {each.rule for each in judged(entry, [stack]).findings}
        source = read("cloudformation", body)
        assert {each.rule for each in judged(entry, source.registrations).findings} == judged_[entry.name], entry.name
    assert any(judged_.values())
