"""The law that holds everything together, on random legal descriptions: registered == derived, and both judge alike."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.addons.context import AddonContext, Mirrors
from muster.blueprint.cluster import Blueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.validation import validate
from muster.contract import Cluster
from muster.fleet.resources import Fleet
from muster.offline.plan import existing_clusters
from muster.offline.recording import Recording, record
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import judge
from muster.policies.views.fleet import described_by, differences, fleet_of
from muster.stack import cluster_outputs
from muster.unknown import UNKNOWN
from tests.addons.contexts import assert_the_same_context
from tests.strategies import Described, legal
from tests.strategies.hyperpod import legal_hyperpod

FORMS = {"eks": EksCluster, "hyperpod": HyperPodCluster}

Clusters = st.SearchStrategy[Described]
CLUSTERS: tuple[Clusters, ...] = (legal(), legal_hyperpod())

slowly = settings(max_examples=15)


def recorded(described: Described, *, preview: bool) -> tuple[Blueprint, Recording]:
    """The blueprint of a description, and what the program registers of it."""
    from muster.deploy import deploy

    made, faults = validate(FORMS[described.document["backend"]], described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    recording = record(
        lambda: deploy(blueprint),
        stack="random",
        region=described.region,
        preview=preview,
        existing_clusters=existing_clusters(blueprint),
    )
    return blueprint, recording


def both_readings(blueprint: Blueprint, recording: Recording, described: Described) -> tuple[Fleet, Fleet]:
    """What was registered and what was derived, as rules see them."""
    derived = described_fleet(blueprint, described.as_of)
    return described_by(fleet_of(recording.registrations), derived), derived


def contradictions(registered: Fleet, derived: Fleet) -> list[Any]:
    """Where a preview says something else than the blueprint. Less it may say."""
    ours = {thing.ref: thing for thing in derived.objects}
    found: list[Any] = []
    for thing in registered.derivable:
        twin = ours[thing.ref]
        for name, info in type(thing).__dataclass_fields__.items():
            made, meant = getattr(thing, name), getattr(twin, name)
            if name == "interfaces":
                made, meant = ([replace(nic, security_groups=()) for nic in each] for each in (made, meant))
            if info.compare and UNKNOWN not in (made, meant) and made != meant:
                found.append((thing.ref, name, made, meant))
    return found


@pytest.mark.parametrize("clusters", CLUSTERS, ids=("eks", "hyperpod"))
@slowly
@given(data=st.data())
def test_what_is_registered_is_what_was_derived(clusters: Clusters, data: st.DataObject) -> None:
    """The views of the registered resources equal the blueprint's; rules find the same in both; the contract reads, and
    add-ons see in it the same cluster, also where nothing else of the cluster is known."""
    described = data.draw(clusters)
    blueprint, recording = recorded(described, preview=False)
    registered, derived = both_readings(blueprint, recording, described)
    assert differences(registered, derived) == ()
    assert judge(registered).findings == judge(derived).findings
    outputs, context = Cluster.read(recording.outputs), AddonContext.of_blueprint(blueprint)
    assert_the_same_context(context, outputs)
    known, faults = cluster_outputs.to_description(outputs)
    assert known is not None, faults
    again = AddonContext.of_blueprint(cluster_outputs.to_blueprint(outputs, known, "random"))
    assert [each.name for each in again.volumes] == [each.name for each in context.volumes]
    nothing = {"chosen": {}, "charts": {}, "volumes": (), "mirrors": Mirrors()}
    assert replace(again, **nothing) == replace(context, **nothing)
    assert_preview_contradicts_nothing_and_finds_nothing_more(described)


def assert_preview_contradicts_nothing_and_finds_nothing_more(described: Described) -> None:
    """With ids unknown the views may know less, never something else; a legal program has no mandatory finding, and
    what is found in the blueprint alone is said not to be judged."""
    registered, derived = both_readings(*recorded(described, preview=True), described)
    assert {thing.ref for thing in registered.derivable} == {thing.ref for thing in derived.objects}
    assert contradictions(registered, derived) == []
    shown, meant = judge(registered), judge(derived)
    lost = set(meant.findings) - set(shown.findings)
    assert set(shown.findings) <= set(meant.findings)
    # HyperPod's groups are parts of one resource: which of the subnets in it is whose, its dependencies do not tell.
    assert not lost or described.document["backend"] == "hyperpod"
    unjudged = {(each.rule, each.resource) for each in shown.not_evaluated}
    assert {(each.rule, each.resource) for each in lost} <= unjudged
