"""The law that holds everything together, on random legal descriptions: registered == derived, and both judge alike."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings

from muster.contract import Cluster
from muster.fleet.derive import derive
from muster.fleet.description import EksCluster
from muster.fleet.shape import shape
from muster.fleet.unknown import UNKNOWN
from muster.offline import record
from policies.judgement import judge
from policies.views.fleet import described_by, differences, fleet_of
from tests.strategies import Described, legal

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=40)


def recorded(described: Described, *, preview: bool):
    from deploy import deploy

    made, faults = shape(EksCluster, described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    recording = record(lambda: deploy(blueprint), stack="random", region=described.region, preview=preview)
    return blueprint, recording


@slowly
@given(legal())
def test_what_is_registered_is_what_was_derived(described: Described) -> None:
    """The views of the registered resources equal the blueprint's; rules find the same in both; the contract reads."""
    blueprint, recording = recorded(described, preview=False)
    derived = blueprint.fleet(described.as_of)
    registered = described_by(fleet_of(recording.registrations), derived)
    assert differences(registered, derived) == ()
    assert judge(registered).findings == judge(derived).findings
    assert set(Cluster.read(recording.outputs).node_groups) == {group.name for group in blueprint.groups}


@slowly
@given(legal())
def test_a_preview_contradicts_nothing_and_finds_nothing_more(described: Described) -> None:
    """With ids unknown the views may know less, never something else; a legal program has no mandatory finding."""
    blueprint, recording = recorded(described, preview=True)
    derived = blueprint.fleet(described.as_of)
    registered = described_by(fleet_of(recording.registrations), derived)
    ours = {thing.ref: thing for thing in derived.objects}
    for thing in registered.objects:
        twin = ours[thing.ref]
        for name, info in type(thing).__dataclass_fields__.items():
            if info.compare and name != "interfaces" and getattr(thing, name) is not UNKNOWN:
                assert getattr(thing, name) == getattr(twin, name), (thing.ref, name)
        if hasattr(thing, "interfaces"):
            bare = [replace(nic, security_groups=()) for nic in thing.interfaces]
            assert bare == [replace(nic, security_groups=()) for nic in twin.interfaces]
    assert judge(registered).findings == judge(derived).findings
