"""The sentence of an edit has its action, its key and its values, and nothing else."""

import pytest

from muster.edits import PULUMI, Edit, add, lower_to, remove, sentence, sentence_in_program, set_to


@pytest.mark.parametrize(
    ("edit", "described", "registered"),
    [
        (set_to(4), "set KEY: 4", "set KEY to 4"),
        (set_to(words="at most 3"), "set KEY to at most 3", "set KEY to at most 3"),
        (set_to("a", "b"), "set KEY to a or b", "set KEY to a or b"),
        (set_to("spot", in_program="SPOT"), "set KEY: spot", "set KEY to SPOT"),
        (lower_to(2, words="in total"), "lower KEY to 2 in total", "lower KEY to 2 in total"),
        (add(words="a subnet"), "add a subnet to KEY", "add a subnet to KEY"),
        (remove(), "remove KEY", "remove KEY"),
    ],
)
def test_the_sentence_of_an_edit(edit: Edit, described: str, registered: str) -> None:
    assert (sentence(edit, "KEY"), sentence_in_program(edit, "KEY", PULUMI)) == (described, registered)
