"""The law on random legal Slurm clusters on HyperPod: registered == derived, both judge alike, and no rule
refuses them."""

from hypothesis import given, settings

from muster.blueprint.derive.cluster import derive
from muster.blueprint.hyperpod.slurm import HyperPodSlurmBlueprint
from muster.config.description.hyperpod_slurm_cluster import HyperPodSlurmCluster
from muster.config.validation import validate
from muster.contract import HyperPodSlurmCluster as Outputs
from muster.deploy import deploy
from muster.finding import Level
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.offline.recording import Recording, record
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import judge
from muster.policies.views.fleet import described_by, differences, fleet_of
from tests.hyperpod_slurm_strategies import legal_hyperpod_slurm
from tests.offline.test_slurm_law import contradicts
from tests.strategies import Described

slowly = settings(max_examples=8)


def blueprint_of(described: Described) -> HyperPodSlurmBlueprint:
    """What a random description comes to."""
    made, faults = validate(HyperPodSlurmCluster, described.document)
    assert made is not None, faults
    return derive(made, "random", described.region, described.known)


def readings(described: Described, blueprint: HyperPodSlurmBlueprint, recording: Recording) -> tuple[Fleet, Fleet]:
    """What was registered and what was derived, as rules see them."""
    derived = described_fleet(blueprint, described.as_of)
    return described_by(fleet_of(recording.registrations), derived), derived


def recorded(described: Described, blueprint: HyperPodSlurmBlueprint, *, preview: bool) -> Recording:
    """What the program registers."""
    return record(lambda: deploy(blueprint), stack="random", region=described.region, preview=preview)


@slowly
@given(legal_hyperpod_slurm())
def test_what_is_registered_is_what_was_derived(described: Described) -> None:
    """The views of the registered resources equal the blueprint's, and rules find the same in both, and refuse
    nothing. The contract has its groups, partitions and file systems, by their names."""
    blueprint = blueprint_of(described)
    recording = recorded(described, blueprint, preview=False)
    registered, derived = readings(described, blueprint, recording)
    assert differences(registered, derived) == ()
    assert judge(registered).findings == judge(derived).findings
    assert [each for each in judge(derived).findings if each.level is Level.MANDATORY] == []
    read = Outputs.read(recording.outputs)
    assert set(read.node_groups) == {group.name for group in blueprint.groups}
    assert {name: set(each.groups) for name, each in read.queues.items()} == {
        each.name: {group.name for group in each.groups} for each in blueprint.queues
    }
    assert {name: each.mount_directory for name, each in read.storage.items()} == {
        each.name: f"/{each.name}" for each in blueprint.storage
    }
    assert (read.login is None) is ("login" not in described.document)


@slowly
@given(legal_hyperpod_slurm())
def test_a_preview_contradicts_nothing(described: Described) -> None:
    """With ids unknown the views may know less, never something else; and they know every part of the cluster."""
    blueprint = blueprint_of(described)
    registered, derived = readings(described, blueprint, recorded(described, blueprint, preview=True))
    twins = {thing.ref: thing for thing in derived.objects}
    kinds = (HyperPodCluster, InstanceGroup)
    seen = [thing for thing in registered.objects if isinstance(thing, kinds)]
    assert {thing.ref for thing in seen} == {ref for ref, thing in twins.items() if isinstance(thing, kinds)}
    for thing in seen:
        assert not contradicts(thing, twins[thing.ref]), thing
