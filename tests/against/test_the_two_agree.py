"""What the description's fields say that a change costs, and what becomes of the registered resources: one story.

On random pairs of legal descriptions that differ in one place.
"""

from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.config.change_costs import cost_of
from muster.config.description.base import Change
from muster.extras.against.consequences import ROLLS
from muster.extras.against.resource_changes import Operation, ResourceChange
from tests.against.pairs import Pair, pairs
from tests.hyperpod_strategies import legal_hyperpod
from tests.slurm_strategies import legal_slurm
from tests.strategies import Described, legal

Clusters = st.SearchStrategy[Described]
CLUSTERS: dict[str, Clusters] = {"eks": legal(), "hyperpod": legal_hyperpod(), "parallelcluster": legal_slurm()}

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=15)

DEAR = {Change.REPLACES, Change.DELETES, Change.REFUSED, Change.STAYS, Change.BUYS}
"""What may come with a resource that is replaced: what is refused or bought is said to be so, whatever else it is."""

LIVE = {
    "aws:autoscaling/group:Group",
    "aws:cloudformation/stack:Stack",
    "aws:eks/cluster:Cluster",
    "aws:eks/nodeGroup:NodeGroup",
    "aws:fsx/lustreFileSystem:LustreFileSystem",
    "aws-native:sagemaker:Cluster",
}
"""What runs, or holds data: to lose one is as dear as to have it replaced."""

AT_THE_DEAREST = ("network.existing.private", "network.existing.public")
"""Subnets: what a change costs is who is in them, and it may be nobody."""


def costs(pair: Pair) -> dict[str, str]:
    """Path -> cost."""
    return {each.where: cost_of(each, pair.before, pair.after) for each in pair.said}


def gone(registered: Iterable[ResourceChange]) -> list[ResourceChange]:
    """What is replaced, and what runs and is deleted."""
    return [
        each
        for each in registered
        if each.operation is Operation.REPLACE or (each.operation is Operation.DELETE and each.type in LIVE)
    ]


@pytest.mark.parametrize("backend", CLUSTERS)
@slowly
@given(data=st.data())
def test_what_replaces_by_its_field_replaces_a_resource_and_the_other_way_round(
    backend: str, data: st.DataObject
) -> None:
    """No path costs "replaces" without a resource that goes, and none goes without a path that says so; what says that
    nothing carries it changes nothing; and nodes are drained where, and only where, that is said."""
    pair = data.draw(pairs(CLUSTERS[backend]))
    said, registered = costs(pair), pair.registered()
    going = [each for each in registered if each.operation in (Operation.REPLACE, Operation.DELETE)]
    dear = [path for path, cost in said.items() if cost == Change.REPLACES and not path.startswith(AT_THE_DEAREST)]
    assert going or not dear, said
    assert DEAR & set(said.values()) or not gone(registered), (said, gone(registered))
    if set(said.values()) <= {Change.NOTHING}:
        assert not registered
    rolling = [each for each in registered if each.type.endswith(":NodeGroup") and set(ROLLS) & set(each.inputs)]
    assert not rolling or set(said.values()) - {Change.NOTHING, Change.IN_PLACE, Change.NEXT_LAUNCH}, (said, rolling)


DECIDES_BESIDES = ("for", "provided-by")
"""What decides placement, EFA or taints only where nothing else of the description does."""

CARRY_NODES = {
    "aws:autoscaling/group:Group",
    "aws:cloudformation/stack:Stack",
    "aws:ec2/launchTemplate:LaunchTemplate",
    "aws:eks/nodeGroup:NodeGroup",
    "aws-native:sagemaker:Cluster",
}
"""What nodes are made by: one that is drained is so because one of these changes."""


@pytest.mark.parametrize("backend", CLUSTERS)
@slowly
@given(data=st.data())
def test_what_costs_something_by_its_field_changes_a_resource(backend: str, data: st.DataObject) -> None:
    """The second direction: nothing is said to cost what nothing pays for. Where nodes are drained, what makes them
    changes; where something is changed in place, something changes. What is said on one side alone may be what is
    derived on the other."""
    pair = data.draw(pairs(CLUSTERS[backend]))
    said, registered = costs(pair), pair.registered()
    otherwise = {each.where for each in pair.said if each.before is not None and each.after is not None}
    paid = {path: cost for path, cost in said.items() if cost != Change.NOTHING and path in otherwise}
    paid = {path: cost for path, cost in paid.items() if not path.startswith(AT_THE_DEAREST)}
    paid = {path: cost for path, cost in paid.items() if path.rpartition(".")[2] not in DECIDES_BESIDES}
    assert registered or not paid, paid
    drained = {path for path, cost in paid.items() if cost in (Change.DRAINS, Change.NEXT_LAUNCH, Change.FLEET_STOP)}
    assert not drained or CARRY_NODES & {each.type for each in registered}, (drained, registered)


@pytest.mark.parametrize("backend", CLUSTERS)
@settings(slowly, max_examples=5)
@given(data=st.data())
def test_the_same_description_changes_nothing(backend: str, data: st.DataObject) -> None:
    """Two recordings of one description are the same, whatever it says."""
    drawn = data.draw(CLUSTERS[backend])
    pair = data.draw(pairs(st.just(drawn)))
    assert pair.path == ()
    assert (pair.said, pair.registered()) == ((), ())
