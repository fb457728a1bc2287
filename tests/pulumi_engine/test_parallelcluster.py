"""A Slurm cluster in the engine: what updates it, what makes another one of it, and what AWS refuses."""

import json
from typing import Any

import pytest

from muster.config.description.base import Change, StrictModel, change_cost
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.description.parallelcluster_nodes import HeadNode
from tests.pulumi_engine.cloudformation import STACK
from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED, Outcome
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import edited, filled_in, text_of

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

NAME = "pcluster-gpu"
TEXT = filled_in(text_of(NAME))
HEAD = "    head:\n"
FOUR, FIVE = "            nodes: 4\n", "            nodes: {min: 4, max: 5}\n"
KEEP_A_FAILED_ONE = (HEAD, f"    on-failure: keep\n{HEAD}")


def with_range(text: str) -> str:
    """With one node more where the queue is long: a change that ParallelCluster makes while jobs run."""
    return edited(edited(text, FOUR, FIVE), "count: 4", "count: 5")


def urn_of(outcome: Outcome) -> str:
    """The URN of the CloudFormation stack."""
    (urn,) = [urn for urn, state in outcome.resources.items() if state["type"] == STACK]
    return urn


def cluster_of(outcome: Outcome) -> dict[str, Any]:
    """The properties of the cluster as CloudFormation was told them."""
    document = json.loads(outcome.one(STACK)["inputs"]["templateBody"])
    properties: dict[str, Any] = document["Resources"]["PclusterCluster"]["Properties"]
    return properties


@pytest.mark.parametrize(
    ("block", "name", "cost"),
    [
        (SlurmCluster, "name", Change.REPLACES),
        (SlurmCluster, "os", Change.REFUSED),
        (SlurmCluster, "on_failure", Change.REFUSED),
        (SlurmCluster, "on_destroy", Change.IN_PLACE),
        (HeadNode, "subnets", Change.REFUSED),
    ],
)
def test_what_is_seen_here_is_what_the_fields_say(block: type[StrictModel], name: str, cost: Change) -> None:
    """Each is changed by a test below."""
    assert change_cost(block, name) is cost


def test_a_queue_grows_in_place(muster: MakeStack) -> None:
    """The template alone changes; nothing else is touched, and a second up changes nothing."""
    it = muster(NAME, text=TEXT, facts="")
    first = it.up().require()
    it.describe(with_range(TEXT))
    done = it.up().require()
    assert done.changes == {urn_of(first): "update"}
    assert done.differences(urn_of(first)) == {"templateBody"}
    assert it.up().require().changes == {}


def test_another_name_is_another_cluster_after_the_old_one_is_gone(muster: MakeStack, stand_in: StandIn) -> None:
    """ParallelCluster never renames one. The files stay, and are mounted by the new one."""
    it = muster(NAME, text=TEXT, facts="")
    it.up().require()
    it.describe(edited(TEXT, HEAD, f"    name: another\n{HEAD}"))
    stand_in.log.clear()
    done = it.up().require()
    assert cluster_of(done)["ClusterName"] == "another"
    life = [call.method for call in stand_in.log.calls if call.token == STACK and call.method in {"create", "delete"}]
    assert life == ["delete", "create"]
    assert not [name for name in stand_in.log.names("delete") if "lustreFileSystem" in name]


def test_a_cluster_that_is_kept_is_neither_destroyed_nor_made_anew(muster: MakeStack, stand_in: StandIn) -> None:
    """`on-destroy: keep` stops whatever would delete it, before anything is touched."""
    kept = edited(TEXT, HEAD, f"    on-destroy: keep\n{HEAD}")
    it = muster(NAME, text=kept, facts="")
    urn = urn_of(it.up().require())
    stand_in.log.clear()
    stopped = it.destroy(preview=True)
    assert stopped.code != 0
    assert urn in stopped.text
    it.describe(edited(kept, HEAD, f"    name: another\n{HEAD}"))
    refused = it.up()
    assert refused.code != 0
    assert urn in refused.text
    assert [name for name in stand_in.log.names("delete") if "cloudformation" in name] == []


def test_what_becomes_of_it_on_destroy_changes_in_place(muster: MakeStack) -> None:
    """The provider hears of it, and touches no node."""
    it = muster(NAME, text=TEXT, facts="")
    first = it.up().require()
    it.describe(edited(TEXT, HEAD, f"    on-destroy: keep\n{HEAD}"))
    done = it.up().require()
    assert done.changes == {urn_of(first): "update"}
    assert cluster_of(done) == {**cluster_of(first), "DeletionPolicy": "Retain"}


def test_a_cluster_made_to_stay_when_it_fails_can_be_updated(muster: MakeStack) -> None:
    """What is said at creation only reaches no update: our function takes it out of all later requests."""
    text = edited(TEXT, *KEEP_A_FAILED_ONE)
    it = muster(NAME, text=text, facts="")
    first = it.up().require()
    assert first.one(STACK)["inputs"]["onFailure"] == "DO_NOTHING"
    assert cluster_of(first)["RollbackOnFailure"] is False
    it.describe(with_range(text))
    assert it.up().require().changes == {urn_of(first): "update"}


@pytest.mark.parametrize("kept_first", [True, False], ids=["keep, then rollback", "rollback, then keep"])
def test_what_was_said_at_creation_cannot_be_said_otherwise(
    kept_first: bool, muster: MakeStack, stand_in: StandIn
) -> None:
    """CloudFormation refuses another function for a cluster: `up` fails, and the cluster is as it was. It is never made
    anew for that."""
    texts = [edited(TEXT, *KEEP_A_FAILED_ONE), TEXT]
    before, after = texts if kept_first else reversed(texts)
    it = muster(NAME, text=before, facts="")
    urn = urn_of(it.up().require())
    it.describe(after)
    assert it.preview().require().steps[urn] == "update"
    refused = it.up()
    assert refused.code != 0
    assert "Modifying service token is not allowed" in refused.text
    assert stand_in.log.names("delete") == []
    it.describe(before)
    assert it.up().require().changes == {}


def test_another_id_changes_a_parameter_alone(muster: MakeStack) -> None:
    """The template is the description's: another reservation for the group is the same text."""
    it = muster(NAME, text=TEXT, facts="")
    first = it.up().require()
    (reservation,) = {each for each in first.one(STACK)["inputs"]["parameters"].values() if each.startswith("cr-")}
    it.describe(edited(TEXT, reservation, "cr-0ddddddddddddddd1"))
    done = it.up().require()
    assert done.differences(urn_of(first)) == {"parameters"}


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (("      subnets: public\n", "      subnets: private\n"), "HeadNode.Networking.SubnetId"),
        (("    os: alinux2023\n", "    os: ubuntu2404\n"), "Image.Os"),
    ],
    ids=["the head node's subnet", "the operating system"],
)
def test_what_parallelcluster_refuses_leaves_the_cluster_as_it_was(
    change: tuple[str, str], path: str, muster: MakeStack, stand_in: StandIn
) -> None:
    """No preview knows; `up` fails with AWS's words, nothing is made anew, and the old description changes nothing."""
    it = muster(NAME, text=TEXT, facts="")
    urn = urn_of(it.up().require())
    it.describe(edited(TEXT, *change))
    assert it.preview().require().steps[urn] == "update"
    refused = it.up()
    assert refused.code != 0
    assert path in refused.text
    assert stand_in.log.names("delete") == []
    it.describe(TEXT)
    assert it.up().require().changes == {}
