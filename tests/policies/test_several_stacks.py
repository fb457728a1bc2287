"""What rules conclude from the accounts of the stacks of one run."""

import pytest

from muster.finding import Finding, Level
from muster.fleet.resources import ControlPlane, Fleet, Place, Ref
from muster.fleet.stack_uses import StackUses
from muster.policies.engine.catalogue import all_rules

CLUSTER = ControlPlane(Ref("aws:eks/cluster:Cluster", "cluster"), "1.35", (), Place(""))
RULE = next(each for each in all_rules() if each.id == "names-differ-between-stacks")
NAMES = {("EKS cluster", "train"): "name"}


@pytest.mark.parametrize(
    ("own", "other", "level"),
    [
        ((), (), Level.ADVISORY),
        (("1",), (), Level.ADVISORY),
        (("1",), ("1",), Level.MANDATORY),
        (("1", "2"), ("1", "2"), Level.ADVISORY),
        (("1",), ("2",), None),
    ],
)
def test_a_name_is_taken_only_in_its_account(own: tuple[str, ...], other: tuple[str, ...], level: Level | None) -> None:
    """It is certain if both stacks have one account, and the same."""
    uses = [StackUses("a", "us-west-2", frozenset(own), NAMES), StackUses("b", "us-west-2", frozenset(other), NAMES)]
    found = list(RULE.ask(CLUSTER, Fleet((CLUSTER,), uses=uses[0], beside=(uses[1],))))
    assert [each.level for each in found if isinstance(each, Finding)] == ([level] if level else [])


def test_a_name_is_taken_only_in_its_region() -> None:
    """Two clusters of one name in two Regions are two clusters."""
    uses = [StackUses("a", region, frozenset(), NAMES) for region in ("us-west-2", "us-east-1")]
    assert list(RULE.ask(CLUSTER, Fleet((CLUSTER,), uses=uses[0], beside=(uses[1],)))) == []
