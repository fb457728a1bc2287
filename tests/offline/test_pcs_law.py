"""The law that holds everything together, on random legal clusters of AWS PCS: registered == derived, and both judge
alike."""

from hypothesis import given, settings

from muster.blueprint.derive.cluster import derive
from muster.blueprint.pcs.cluster import PcsBlueprint
from muster.config.description.pcs_cluster import PcsCluster as PcsDescription
from muster.config.validation import validate
from muster.contract import PcsCluster as PcsOutputs
from muster.deploy import deploy
from muster.finding import Level
from muster.fleet.resources import ComputeNodeGroup, Fleet, PcsCluster, PcsQueue
from muster.offline.recording import Recording, record
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import judge
from muster.policies.views.fleet import described_by, differences, fleet_of
from tests.offline.test_slurm_law import contradicts
from tests.pcs_strategies import groups_of, legal_pcs
from tests.strategies import Described

slowly = settings(max_examples=8)
OURS = (PcsCluster, ComputeNodeGroup, PcsQueue)


def blueprint_of(described: Described) -> PcsBlueprint:
    """What a random description comes to."""
    made, faults = validate(PcsDescription, described.document)
    assert made is not None, faults
    derived = derive(made, "random", described.region, described.known)
    assert isinstance(derived, PcsBlueprint)
    return derived


def both_readings(described: Described, *, preview: bool) -> tuple[Fleet, Fleet, Recording]:
    """What was registered and what was derived, as rules see them."""
    blueprint = blueprint_of(described)
    recording = record(lambda: deploy(blueprint), stack="random", region=described.region, preview=preview)
    derived = described_fleet(blueprint, described.as_of)
    return described_by(fleet_of(recording.registrations), derived), derived, recording


@slowly
@given(legal_pcs())
def test_what_is_registered_is_what_was_derived(described: Described) -> None:
    """The views of the registered resources equal the blueprint's, and rules find the same in both. The contract has
    its groups, queues and file systems, by their names."""
    blueprint = blueprint_of(described)
    registered, derived, recording = both_readings(described, preview=False)
    assert differences(registered, derived) == ()
    found = judge(registered).findings
    assert found == judge(derived).findings
    assert [each for each in found if each.level is Level.MANDATORY] == []
    read = PcsOutputs.read(recording.outputs)
    assert set(read.node_groups) == set(groups_of(described.document))
    assert set(read.login_groups) == set(described.document.get("login-nodes", {}))
    assert {name: set(each.groups) for name, each in read.queues.items()} == {
        name: set(each["groups"]) for name, each in described.document["queues"].items()
    }
    assert [name for name, each in read.queues.items() if each.default] == [blueprint.queues[0].name]
    assert {name: each.mount_directory for name, each in read.storage.items()} == {
        each.name: f"/{each.name}" for each in blueprint.storage
    }


@slowly
@given(legal_pcs())
def test_a_preview_contradicts_nothing(described: Described) -> None:
    """With ids unknown the views may know less, never something else; and they know every part of the cluster."""
    registered, derived, _ = both_readings(described, preview=True)
    twins = {thing.ref: thing for thing in derived.objects}
    seen = [thing for thing in registered.objects if isinstance(thing, OURS)]
    assert {thing.ref for thing in seen} == {ref for ref, thing in twins.items() if isinstance(thing, OURS)}
    for thing in seen:
        assert not contradicts(thing, twins[thing.ref]), thing
