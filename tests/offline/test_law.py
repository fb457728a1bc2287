"""The law that holds everything together, on random legal descriptions: registered == derived, and both judge alike."""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.addons.context import AddonContext, Mirrors
from muster.blueprint.cluster import Blueprint, ClusterBlueprint, SlurmBlueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.contract import Cluster, HyperPodSlurmCluster, PcsCluster, SlurmCluster
from muster.deploy import deploy
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
from tests.strategies.hyperpod_slurm import legal_hyperpod_slurm
from tests.strategies.parallelcluster import legal_slurm
from tests.strategies.pcs import legal_pcs


@dataclass(frozen=True)
class Backend:
    """The legal clusters of a backend, and what its stacks export."""

    clusters: Callable[[], st.SearchStrategy[Described]]
    outputs: Any
    examples: int = 8


BACKENDS = {
    "eks": Backend(legal, Cluster, 15),
    "hyperpod": Backend(legal_hyperpod, Cluster, 15),
    "parallelcluster": Backend(legal_slurm, SlurmCluster),
    "pcs": Backend(legal_pcs, PcsCluster),
    "hyperpod-slurm": Backend(legal_hyperpod_slurm, HyperPodSlurmCluster),
}


def recorded(described: Described, *, preview: bool) -> tuple[Any, Recording]:
    """The blueprint of a description, and what the program registers of it."""
    made, faults = validate(model_of(described.document), described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    existing = existing_clusters(blueprint)
    return blueprint, record(
        lambda: deploy(blueprint),
        stack="random",
        region=described.region,
        preview=preview,
        existing_clusters=existing,
    )


def both_readings(blueprint: ClusterBlueprint, recording: Recording, described: Described) -> tuple[Fleet, Fleet]:
    """What was registered and what was derived, as rules see them."""
    derived = described_fleet(blueprint, described.as_of)
    return described_by(fleet_of(recording.registrations), derived), derived


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
def test_what_is_registered_is_what_was_derived(backend: Backend) -> None:
    """The views of the registered resources equal the blueprint's; rules find the same in both; the contract reads."""

    @settings(max_examples=backend.examples)
    @given(backend.clusters())
    def law(described: Described) -> None:
        blueprint, recording = recorded(described, preview=False)
        registered, derived = both_readings(blueprint, recording, described)
        assert differences(registered, derived) == ()
        assert judge(registered).findings == judge(derived).findings
        outputs = backend.outputs.read(recording.outputs)
        if blueprint.on_kubernetes:
            assert_add_ons_see_the_same_cluster(blueprint, outputs)
        else:
            assert_the_contract_has_its_names(blueprint, outputs)
        assert_a_preview_contradicts_nothing(described)

    law()


def assert_add_ons_see_the_same_cluster(blueprint: Blueprint, outputs: Cluster) -> None:
    """Also where nothing else of the cluster is known than its contract."""
    context = AddonContext.of_blueprint(blueprint)
    assert_the_same_context(context, outputs)
    known, faults = cluster_outputs.to_description(outputs)
    assert known is not None, faults
    again = AddonContext.of_blueprint(cluster_outputs.to_blueprint(outputs, known, "random"))
    assert [each.name for each in again.volumes] == [each.name for each in context.volumes]
    nothing = {"chosen": {}, "charts": {}, "volumes": (), "mirrors": Mirrors()}
    # In the description of outputs, groups of Karpenter are groups without Karpenter.
    nodes = tuple(replace(each, reserved=False) for each in context.nodes)
    assert replace(again, **nothing) == replace(context, **nothing, nodes=nodes)


def assert_the_contract_has_its_names(blueprint: SlurmBlueprint, outputs: Any) -> None:
    """Groups, queues and file systems."""
    assert set(outputs.node_groups) == {group.name for group in blueprint.groups}
    assert {name: set(each.groups) for name, each in outputs.queues.items()} == {
        each.name: {group.name for group in each.groups} for each in blueprint.queues
    }
    assert [name for name, each in outputs.queues.items() if each.default] == [blueprint.queues[0].name]
    assert {name: each.mount_directory for name, each in outputs.storage.items()} == {
        each.name: f"/{each.name}" for each in blueprint.storage
    }


def assert_a_preview_contradicts_nothing(described: Described) -> None:
    """With ids unknown the views may know less, never something else, and they know every part of the cluster; a legal
    program has no mandatory finding, and what is found in the blueprint alone is said not to be judged."""
    blueprint, recording = recorded(described, preview=True)
    registered, derived = both_readings(blueprint, recording, described)
    assert {thing.ref for thing in registered.derivable} == {thing.ref for thing in derived.derivable}
    assert contradictions(registered, derived) == []
    shown, meant = judge(registered), judge(derived)
    lost = set(meant.findings) - set(shown.findings)
    assert set(shown.findings) <= set(meant.findings)
    # HyperPod's groups and ParallelCluster's queues are parts of one resource: which of its unknown ids is whose, its
    # dependencies do not tell.
    assert not lost or described.document["backend"] != "eks"
    exact = blueprint.on_kubernetes  # of a queue it is said by group
    unjudged = {(each.rule, exact and each.resource) for each in shown.not_evaluated}
    assert {(each.rule, exact and each.resource) for each in lost} <= unjudged


def contradictions(registered: Fleet, derived: Fleet) -> list[Any]:
    """What a preview registers that is something else than the blueprint has. Less it may know."""
    twins = {thing.ref: thing for thing in derived.objects}
    return [thing for thing in registered.derivable if contradicts(thing, twins[thing.ref])]


def contradicts(seen: Any, said: Any) -> bool:
    """Whether a preview says something else of a thing, or of any part of it."""
    if UNKNOWN in (seen, said) or seen == said:
        return False
    if type(seen) is not type(said):
        return True
    if isinstance(seen, tuple):
        return len(seen) != len(said) or any(map(contradicts, seen, said))
    if not is_dataclass(seen):
        return True
    compared = (each.name for each in fields(seen) if each.compare)
    return any(contradicts(getattr(seen, name), getattr(said, name)) for name in compared)
