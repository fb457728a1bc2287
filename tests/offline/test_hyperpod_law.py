"""The law that holds everything together, on random legal HyperPod clusters: registered == derived, and both judge
alike."""

from typing import Any

from hypothesis import HealthCheck, given, settings

from muster.blueprint.derive.cluster import derive
from muster.blueprint.kubernetes import Blueprint
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.validation import validate
from muster.finding import Level
from muster.fleet.resources import Fleet, InstanceGroup, LifecycleBundle
from muster.fleet.resources import HyperPodCluster as JudgedCluster
from muster.offline.plan import existing_clusters
from muster.offline.recording import record
from muster.unknown import UNKNOWN
from policies.engine.catalogue import rules_about
from policies.engine.described_fleet import described_fleet
from policies.engine.judgement import judge
from policies.views.fleet import described_by, differences, fleet_of
from tests.hyperpod_strategies import legal_hyperpod
from tests.strategies import Described

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=12)
OURS = (JudgedCluster, InstanceGroup, LifecycleBundle)


def both_readings(described: Described, *, preview: bool) -> tuple[Fleet, Fleet]:
    """What was registered and what was derived, as rules see them."""
    from deploy import deploy

    made, faults = validate(HyperPodCluster, described.document)
    assert made is not None, faults
    blueprint: Blueprint = derive(made, "random", described.region, described.known)
    recording = record(
        lambda: deploy(blueprint),
        stack="random",
        region=described.region,
        preview=preview,
        existing_clusters=existing_clusters(blueprint),
    )
    derived = described_fleet(blueprint, described.as_of)
    return described_by(fleet_of(recording.registrations), derived), derived


@slowly
@given(legal_hyperpod())
def test_what_is_registered_is_what_was_derived(described: Described) -> None:
    """The views of the registered resources equal the blueprint's, and rules find the same in both."""
    registered, derived = both_readings(described, preview=False)
    assert differences(registered, derived) == ()
    assert judge(registered).findings == judge(derived).findings


@slowly
@given(legal_hyperpod())
def test_a_preview_contradicts_nothing(described: Described) -> None:
    """With ids unknown the views may know less, never something else."""
    registered, derived = both_readings(described, preview=True)
    twins = {thing.ref: thing for thing in derived.objects}
    for thing in registered.objects:
        if isinstance(thing, OURS):
            assert contradictions(thing, twins[thing.ref]) == []


def contradictions(thing: Any, twin: Any) -> list[Any]:
    """The attributes of which a preview says something else."""
    compared = (name for name, info in type(thing).__dataclass_fields__.items() if info.compare)
    pairs = ((name, getattr(thing, name), getattr(twin, name)) for name in compared)
    return [each for each in pairs if UNKNOWN not in each[1:] and each[1] != each[2]]


@settings(slowly, max_examples=100)
@given(legal_hyperpod())
def test_no_rule_of_hyperpod_refuses_a_legal_cluster(described: Described) -> None:
    """A legal description breaks no mandatory rule about HyperPod; with the facts that there are, all of them judge it,
    but for the quotas of spot instances, which nobody documents."""
    made, faults = validate(HyperPodCluster, described.document)
    assert made is not None, faults
    fleet = described_fleet(derive(made, "random", described.region, described.known), described.as_of)
    judgement = judge(fleet, rules=rules_about("hyperpod"))
    assert [each for each in judgement.findings if each.level is Level.MANDATORY] == []
    if described.known:
        unheard = {each.missing for each in judgement.not_evaluated}
        assert all("spot instances" in each for each in unheard), unheard
