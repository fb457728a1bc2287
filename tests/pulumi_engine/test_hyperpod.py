"""HyperPod's cluster in the engine: what replaces it, how, and what an autoscaler's numbers mean to it."""

from dataclasses import replace

import pytest

from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.existing import GET_CLUSTER, get_cluster
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED, Outcome
from tests.pulumi_engine.muster_stack import MusterStack
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import edited, filled_in, text_of

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

STACK, MACHINES = "hyperpod-existing-eks", "aws-native:sagemaker:Cluster"
TEXT = filled_in(text_of(STACK))
FIVE = ("{count: 4, minimum: 2}", "{count: 5, minimum: 2}")
SCALED = ("      provisioning: continuous\n", "      provisioning: continuous\n      autoscaling: karpenter\n")


ANOTHER_GROUP = (
    "    hyperpod:\n      name:",
    "      more: {for: training, instance: p5.48xlarge, nodes: 3, zone: us-west-2a}\n    hyperpod:\n      name:",
)


def counts(outcome: Outcome) -> dict[str, int]:
    """Group -> how many instances AWS was told."""
    groups = outcome.one(MACHINES)["inputs"]["instanceGroups"]
    return {each["instanceGroupName"]: each["instanceCount"] for each in groups}


def machines(it: MusterStack) -> str:
    """The URN of the HyperPod cluster."""
    (urn,) = [urn for urn, state in it.preview().require().resources.items() if state["type"] == MACHINES]
    return urn


def test_another_eks_cluster_gets_a_cluster_of_its_own_after_the_old_one_is_gone(
    muster: MakeStack, stand_in: StandIn
) -> None:
    """The orchestrator replaces it, and the old one is deleted first: its name is taken while it is there."""
    it = muster(STACK, text=TEXT, facts="")
    it.up().require()
    (cluster,) = it.clusters()
    urn = machines(it)
    stand_in.calls[GET_CLUSTER] = get_cluster(cluster, replace(cluster, name="another"))
    it.describe(edited(TEXT, "name: ml-platform\n", "name: another\n"))
    planned = it.preview().require()
    assert planned.steps[urn] == "replace"
    stand_in.log.clear()
    done = it.up().require()
    assert done.one(MACHINES)["inputs"]["orchestrator"]["eks"]["clusterArn"].endswith(":cluster/another")
    life = [call.method for call in stand_in.log.calls if call.token == MACHINES and call.method != "read"]
    assert life == ["delete", "create"]


def test_a_count_changes_in_place_and_a_second_up_changes_nothing(muster: MakeStack, stand_in: StandIn) -> None:
    """Nothing else is touched, and nothing is made anew."""
    it = muster(STACK, text=TEXT, facts="")
    it.up().require()
    urn = machines(it)
    it.describe(edited(TEXT, *FIVE))
    done = it.up().require()
    assert done.steps[urn] == "update"
    assert done.differences(urn) == {"instanceGroups"}
    assert counts(done) == {"workers": 5}
    assert it.up().require().changes == {}


def test_a_group_more_changes_no_other_groups_number(muster: MakeStack) -> None:
    """Groups stand in the list by their names, and a new one may come first; with Karpenter as without."""
    text = edited(TEXT, *SCALED)
    it = muster(STACK, text=text, facts="")
    it.up().require()
    it.describe(edited(text, *ANOTHER_GROUP))
    assert counts(it.up().require()) == {"more": 3, "workers": 4}
    it.describe(text)
    assert counts(it.up().require()) == {"workers": 4}
