"""The law on random legal Slurm clusters of each backend: registered == derived, and both judge alike."""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.blueprint.cluster import SlurmBlueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.contract import HyperPodSlurmCluster as HyperPodSlurmOutputs
from muster.contract import PcsCluster as PcsOutputs
from muster.contract import SlurmCluster as ParallelClusterOutputs
from muster.deploy import deploy
from muster.fleet.resources import (
    ComputeNodeGroup,
    ComputeResource,
    Fleet,
    HeadNode,
    HyperPodCluster,
    InstanceGroup,
    LoginPool,
    ParallelCluster,
    PcsCluster,
    PcsQueue,
    Queue,
)
from muster.offline.recording import Recording, record
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import judge
from muster.policies.views.fleet import described_by, differences, fleet_of
from muster.unknown import UNKNOWN
from tests.strategies import Described
from tests.strategies.hyperpod_slurm import legal_hyperpod_slurm
from tests.strategies.parallelcluster import legal_slurm
from tests.strategies.pcs import legal_pcs

slowly = settings(max_examples=8)


@dataclass(frozen=True)
class Backend:
    """A backend with Slurm."""

    clusters: Callable[[], st.SearchStrategy[Described]]
    outputs: Any
    parts: tuple[type, ...]
    """What its clusters consist of."""


BACKENDS = {
    "parallelcluster": Backend(
        legal_slurm, ParallelClusterOutputs, (ParallelCluster, HeadNode, LoginPool, Queue, ComputeResource)
    ),
    "pcs": Backend(legal_pcs, PcsOutputs, (PcsCluster, ComputeNodeGroup, PcsQueue)),
    "hyperpod-slurm": Backend(legal_hyperpod_slurm, HyperPodSlurmOutputs, (HyperPodCluster, InstanceGroup)),
}


def readings(described: Described, *, preview: bool) -> tuple[SlurmBlueprint, Recording, Fleet, Fleet]:
    """What a description comes to, what the program registers of it, and both as rules see them."""
    made, faults = validate(model_of(described.document), described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    recording = record(lambda: deploy(blueprint), stack="random", region=described.region, preview=preview)
    derived = described_fleet(blueprint, described.as_of)
    return blueprint, recording, described_by(fleet_of(recording.registrations), derived), derived


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
@slowly
@given(data=st.data())
def test_what_is_registered_is_what_was_derived(backend: Backend, data: st.DataObject) -> None:
    """The views of the registered resources equal the blueprint's, and rules find the same in both. The contract has
    its groups, queues and file systems, by their names."""
    blueprint, recording, registered, derived = readings(data.draw(backend.clusters()), preview=False)
    assert differences(registered, derived) == ()
    assert judge(registered).findings == judge(derived).findings
    read = backend.outputs.read(recording.outputs)
    assert set(read.node_groups) == {group.name for group in blueprint.groups}
    assert {name: set(each.groups) for name, each in read.queues.items()} == {
        each.name: {group.name for group in each.groups} for each in blueprint.queues
    }
    assert [name for name, each in read.queues.items() if each.default] == [blueprint.queues[0].name]
    assert {name: each.mount_directory for name, each in read.storage.items()} == {
        each.name: f"/{each.name}" for each in blueprint.storage
    }


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
@slowly
@given(data=st.data())
def test_a_preview_contradicts_nothing(backend: Backend, data: st.DataObject) -> None:
    """With ids unknown the views may know less, never something else; and they know every part of the cluster."""
    _, _, registered, derived = readings(data.draw(backend.clusters()), preview=True)
    twins = {thing.ref: thing for thing in derived.objects}
    seen = [thing for thing in registered.objects if isinstance(thing, backend.parts)]
    assert {thing.ref for thing in seen} == {ref for ref, thing in twins.items() if isinstance(thing, backend.parts)}
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
