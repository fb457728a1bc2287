"""What the template of a random legal cluster reads back as: what its blueprint derived."""

from typing import Any

from hypothesis import given, settings

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.blueprint.parallelcluster.template import template
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.validation import validate
from muster.deploy import deploy
from muster.finding import Finding
from muster.fleet.registration import Registration
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, ParallelCluster, Queue, Ref, Reference
from muster.fleet.resources.ref import CLOUDFORMATION_STACK, KEY_PAIR
from muster.offline.recording import record
from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import registered
from tests.strategies import Described
from tests.strategies.parallelcluster import legal_slurm

OF_A_CLUSTER = (ParallelCluster, HeadNode, Queue, ComputeResource)


def blueprint_of(described: Described) -> ParallelClusterBlueprint:
    made, faults = validate(SlurmCluster, described.document)
    assert made is not None, faults
    return derive(made, "random", described.region, described.known)


def program_of(blueprint: ParallelClusterBlueprint, *, preview: bool) -> Fleet:
    """The stack, and whatever its parameters are ids of."""
    made = template(blueprint)
    refs = [each for each in made.parameters.values() if isinstance(each, Ref)]
    given: dict[str, Any] = {
        name: each if isinstance(each, str) else UNKNOWN if preview else f"id-of-{each.name}"
        for name, each in made.parameters.items()
    }
    login = blueprint.described.head.login
    around = [_made(each, login.public_key, preview=preview) for each in refs]
    stack = registered(
        CLOUDFORMATION_STACK,
        "slurm",
        templateBody=made.body,
        parameters=given,
        needs={"parameters": refs},
    )
    fleet = fleet_of([stack, *around])
    assert fleet.unreadable == {}
    return fleet


def _made(ref: Ref, public_key: str | None, *, preview: bool) -> Registration:
    said = {"publicKey": public_key} if ref.type == KEY_PAIR else {}
    return registered(ref.type, ref.name, id=UNKNOWN if preview else f"id-of-{ref.name}", **said)


def parts(fleet: Fleet) -> dict[Reference, Any]:
    return {each.ref: each for each in fleet.objects if isinstance(each, OF_A_CLUSTER)}


@settings(max_examples=25)
@given(legal_slurm())
def test_a_cluster_reads_back_as_it_was_derived(described: Described) -> None:
    """Every part, where ids are known. In a preview nothing is made up: each value is unknown, or what was derived."""
    blueprint = blueprint_of(described)
    derived = {each.ref: each for each in blueprint.judged if isinstance(each, OF_A_CLUSTER)}
    assert parts(program_of(blueprint, preview=False)) == derived
    read = parts(program_of(blueprint, preview=True))
    assert read.keys() == derived.keys()
    for ref, each in read.items():
        for name, info in type(each).__dataclass_fields__.items():
            found = getattr(each, name)
            if info.compare and not _holds_unknown(found):
                assert found == getattr(derived[ref], name), name


@settings(max_examples=6)
@given(legal_slurm())
def test_a_preview_finds_what_it_can(described: Described) -> None:
    """Nothing but what is found where ids are known; and of what it does not find it says that it cannot."""
    blueprint = blueprint_of(described)
    known, unseen = (_registered(blueprint, described, preview=preview) for preview in (False, True))
    found, guessed = judge(known), judge(unseen)
    assert {_at(each) for each in guessed.findings} <= {_at(each) for each in found.findings}
    silent = {each.rule for each in found.findings} - {each.rule for each in guessed.findings}
    assert silent <= {each.rule for each in guessed.not_evaluated}


def _registered(blueprint: ParallelClusterBlueprint, described: Described, *, preview: bool) -> Fleet:
    recording = record(lambda: deploy(blueprint), stack="random", region=described.region, preview=preview)
    known, region = blueprint.facts, described.region
    return fleet_of(recording.registrations, facts=known, region=region, as_of=described.as_of)


def _at(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.where


def _holds_unknown(value: object) -> bool:
    return "UNKNOWN" in repr(value)
