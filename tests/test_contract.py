"""What other teams read is what we write."""

import json
from datetime import date
from typing import Any

import pytest

from addons.addon import Nodes
from muster.contract import SECRETS, Cluster
from muster.offline.plan import plan_stack
from muster.project import open_stack, stacks
from tests.stack_files import AS_OF, ROOT


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_every_stack_exports_the_contract(stack: str) -> None:
    """The one model reads what the program exports; only the kubeconfig is secret; nothing is exported beside it."""
    plan = plan_stack(open_stack(ROOT, stack), date.fromisoformat(AS_OF))
    read = Cluster.read(plan.outputs)
    assert plan.secret_outputs == SECRETS
    assert given(read.model_dump(mode="json")) == given(dict(plan.outputs))
    assert json.loads(read.kubeconfig)["users"][0]["user"]["exec"]["command"] == "aws"


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_addons_see_the_same_nodes_from_the_blueprint_and_from_the_contract(stack: str) -> None:
    """So they can be deployed from a stack of their own."""
    plan = plan_stack(open_stack(ROOT, stack), date.fromisoformat(AS_OF))
    assert set(Nodes.of_contract(Cluster.read(plan.outputs).node_groups)) == set(Nodes.of_blueprint(plan.blueprint))


def given(value: Any) -> Any:
    """Without what is None: the SDK exports no such keys."""
    if isinstance(value, dict):
        return {key: given(below) for key, below in value.items() if below is not None}
    return [given(item) for item in value] if isinstance(value, list) else value


def test_another_contract_is_refused_by_number() -> None:
    """A reader never guesses at a form it does not know."""
    with pytest.raises(ValueError, match="contract 2; this reader knows contract 1"):
        Cluster.read({"contract": 2})
    with pytest.raises(ValueError, match="contract None"):
        Cluster.read({})
