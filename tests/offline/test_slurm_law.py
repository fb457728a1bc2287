"""The law that holds everything together, on random legal Slurm clusters: registered == derived, and both judge
alike."""

from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import given, settings

from muster.contract import SlurmCluster as SlurmOutputs
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, LoginPool, Queue
from muster.fleet.resources import ParallelCluster as JudgedCluster
from muster.offline.recording import Recording, record
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import judge
from muster.policies.views.fleet import described_by, differences, fleet_of
from muster.unknown import UNKNOWN
from tests.fleet.parallelcluster.test_template import blueprint_of
from tests.slurm_strategies import legal_slurm
from tests.strategies import Described

slowly = settings(max_examples=8)
OURS = (JudgedCluster, HeadNode, LoginPool, Queue, ComputeResource)


def recorded(described: Described, *, preview: bool) -> Recording:
    """What the program registers of a random description."""
    from muster.deploy import deploy

    blueprint = blueprint_of(described)
    return record(lambda: deploy(blueprint), stack="random", region=described.region, preview=preview)


def both_readings(described: Described, recording: Recording) -> tuple[Fleet, Fleet]:
    """What was registered and what was derived, as rules see them."""
    derived = described_fleet(blueprint_of(described), described.as_of)
    return described_by(fleet_of(recording.registrations), derived), derived


@slowly
@given(legal_slurm())
def test_what_is_registered_is_what_was_derived(described: Described) -> None:
    """The views of the registered resources equal the blueprint's, and rules find the same in both. The contract has
    its groups, queues and file systems, by their names."""
    blueprint, recording = blueprint_of(described), recorded(described, preview=False)
    registered, derived = both_readings(described, recording)
    assert differences(registered, derived) == ()
    assert judge(registered).findings == judge(derived).findings
    read = SlurmOutputs.read(recording.outputs)
    assert set(read.node_groups) == {group.name for group in blueprint.groups}
    assert {name: set(each.groups) for name, each in read.queues.items()} == {
        each.name: {group.name for group in each.groups} for each in blueprint.queues
    }
    assert [name for name, each in read.queues.items() if each.default] == [blueprint.queues[0].name]
    assert {name: each.mount_directory for name, each in read.storage.items()} == {
        each.name: f"/{each.name}" for each in blueprint.storage
    }
    assert (read.head_node.ssh is None) is (read.head_node.key_pair is None)


@slowly
@given(legal_slurm())
def test_a_preview_contradicts_nothing(described: Described) -> None:
    """With ids unknown the views may know less, never something else; and they know every part of the cluster."""
    registered, derived = both_readings(described, recorded(described, preview=True))
    twins = {thing.ref: thing for thing in derived.objects}
    seen = [thing for thing in registered.objects if isinstance(thing, OURS)]
    assert {thing.ref for thing in seen} == {ref for ref, thing in twins.items() if isinstance(thing, OURS)}
    for thing in seen:
        assert not contradicts(thing, twins[thing.ref]), thing


def contradicts(seen: Any, said: Any) -> bool:
    """Whether a preview says something else of a thing, or of any part of it."""
    if seen is UNKNOWN or seen == said:
        return False
    if type(seen) is not type(said) or not is_dataclass(seen):
        return True
    compared = (each.name for each in fields(seen) if each.compare)
    return any(contradicts(getattr(seen, name), getattr(said, name)) for name in compared)
