"""What reports tell together."""

from dataclasses import replace

from hypothesis import given

from muster.rehearsal.outcome import GroupedCause, NodeReport, Waiting, group_causes, nodes_by_group
from tests.cli.rehearsals import FULL, REASON, nodes

FULL_ELSEWHERE = replace(FULL, said="other nodes are full", where="", sums=())


def test_equal_causes_are_one() -> None:
    """With every pod that waits for it, and each wording counted, and who wrote it; the cause of most pods first."""
    waiting = (
        Waiting("launcher", "no", FULL_ELSEWHERE, "sbatch"),
        Waiting("a", "other words", FULL),
        Waiting("b", REASON, FULL),
        Waiting("c", REASON, FULL),
    )
    assert group_causes(waiting) == (
        GroupedCause(FULL, ("a", "b", "c"), ((REASON, 2), ("other words", 1))),
        GroupedCause(FULL_ELSEWHERE, ("launcher",), (("no", 1),), "sbatch"),
    )


def test_one_cause_with_other_numbers_is_another() -> None:
    """Its arithmetic is told, so it is not mixed up with that of pods which ask for something else."""
    less = replace(FULL, sums=FULL.sums[:1])
    assert [each.cause for each in group_causes((Waiting("a", REASON, FULL), Waiting("b", REASON, less)))] == [
        FULL,
        less,
    ]


@given(nodes())
def test_every_node_is_in_the_group_it_is_of(seen: tuple[NodeReport, ...]) -> None:
    """Once, in the order they come."""
    groups = nodes_by_group(seen)
    names = list(dict.fromkeys(node.group for node in seen))
    assert [{node.group for node in group} for group in groups] == [{name} for name in names]
    assert sorted(seen, key=lambda node: names.index(node.group)) == [node for group in groups for node in group]
