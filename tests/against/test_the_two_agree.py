"""What the description's fields say that a change costs, and what becomes of the registered resources: one story.

On random pairs of legal descriptions that differ in one place.
"""

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.config.change_costs import cost_of
from muster.config.description.base import Change
from muster.extras.against.consequences import ROLLS
from muster.extras.against.resource_changes import Operation, ResourceChange
from tests.against.pairs import Pair, pairs
from tests.hyperpod_slurm_strategies import legal_hyperpod_slurm
from tests.hyperpod_strategies import legal_hyperpod
from tests.slurm_strategies import legal_slurm
from tests.strategies import Described, legal

Clusters = st.SearchStrategy[Described]
CLUSTERS: dict[str, Clusters] = {
    "eks": legal(),
    "hyperpod": legal_hyperpod(),
    "hyperpod-slurm": legal_hyperpod_slurm(),
    "parallelcluster": legal_slurm(),
}

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

NAMES_OF_INSTANCE_GROUPS = ("controller.name", "login.name")
"""HyperPod makes other nodes for another name, inside the cluster that stays."""

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


DECIDES_BESIDES = ("for", "provided-by", "start")
"""What decides placement, EFA, taints or the number of nodes only where nothing else of the description does."""

BESIDE_THE_GROUPS_OWN = "capacity-block.zone"
"""The block's zone decides nothing where the group has a zone of its own: rules compare the two."""

CARRY_NODES = {
    "aws:autoscaling/group:Group",
    "aws:cloudformation/stack:Stack",
    "aws:ec2/launchTemplate:LaunchTemplate",
    "aws:eks/nodeGroup:NodeGroup",
    "aws-native:sagemaker:Cluster",
    "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
    "kubernetes:karpenter.sh/v1:NodePool",
}
"""What nodes are made by: one that is drained is so because one of these changes."""


@pytest.mark.parametrize("backend", CLUSTERS)
@settings(max_examples=10)
@given(data=st.data())
def test_what_is_said_to_change_changes_and_the_other_way_round(backend: str, data: st.DataObject) -> None:
    """Both directions, of one pair after the other."""
    pair = data.draw(pairs(CLUSTERS[backend]))
    said, registered = costs(pair), pair.registered()
    assert_what_is_replaced_is_said(said, registered)
    otherwise = {each.where for each in pair.said if each.before is not None and each.after is not None}
    assert_what_costs_something_changes({path: said[path] for path in otherwise}, registered)


def assert_what_is_replaced_is_said(said: dict[str, str], registered: Sequence[ResourceChange]) -> None:
    """No path costs "replaces" without a resource that goes, and none goes without a path that says so; what says that
    nothing carries it changes nothing; and nodes are drained where, and only where, that is said."""
    going = [each for each in registered if each.operation in (Operation.REPLACE, Operation.DELETE)]
    dear = [path for path, cost in said.items() if cost == Change.REPLACES and not path.startswith(AT_THE_DEAREST)]
    dear = [path for path in dear if not path.endswith((BESIDE_THE_GROUPS_OWN, *NAMES_OF_INSTANCE_GROUPS))]
    assert going or not dear, said
    assert DEAR & set(said.values()) or not gone(registered), (said, gone(registered))
    if set(said.values()) <= {Change.NOTHING}:
        assert not registered
    rolling = [each for each in registered if each.type.endswith(":NodeGroup") and set(ROLLS) & set(each.inputs)]
    assert not rolling or set(said.values()) - {Change.NOTHING, Change.IN_PLACE, Change.NEXT_LAUNCH}, (said, rolling)


def assert_what_costs_something_changes(said: dict[str, str], registered: Sequence[ResourceChange]) -> None:
    """Nothing is said to cost what nothing pays for. Where nodes are drained, what makes them changes; where something
    is changed in place, something changes. What is said on one side alone may be what is derived on the other."""
    paid = {path: cost for path, cost in said.items() if cost != Change.NOTHING}
    paid = {path: cost for path, cost in paid.items() if not path.startswith(AT_THE_DEAREST)}
    paid = {path: cost for path, cost in paid.items() if path.rpartition(".")[2] not in DECIDES_BESIDES}
    assert registered or not paid, paid
    drained = {path for path, cost in paid.items() if cost in (Change.DRAINS, Change.NEXT_LAUNCH, Change.FLEET_STOP)}
    assert not drained or CARRY_NODES & {each.type for each in registered}, (drained, registered)


@pytest.mark.parametrize("backend", CLUSTERS)
@settings(max_examples=3)
@given(data=st.data())
def test_the_same_description_changes_nothing(backend: str, data: st.DataObject) -> None:
    """Two recordings of one description are the same, whatever it says."""
    drawn = data.draw(CLUSTERS[backend])
    pair = data.draw(pairs(st.just(drawn)))
    assert pair.path == ()
    assert (pair.said, pair.registered()) == ((), ())
