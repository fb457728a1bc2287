"""A JobSet's roles. The JobSet controller itself makes its pods (`tests/rehearsal/test_operators.py`)."""

from typing import Any

import pytest

from muster.jobs.kinds.catalogue import roles_of
from tests.jobs.documents import a_job_set, a_replicated_job


@pytest.mark.parametrize(
    ("jobs", "spec", "after"),
    [
        ([a_replicated_job("a"), a_replicated_job("b"), a_replicated_job("c")], {}, [(), (), ()]),
        (
            [a_replicated_job("a"), a_replicated_job("b"), a_replicated_job("c")],
            {"startupPolicy": {"startupPolicyOrder": "InOrder"}},
            [(), ("a",), ("b",)],
        ),
        (
            [
                a_replicated_job("a"),
                a_replicated_job("b"),
                a_replicated_job("c", dependsOn=[{"name": each, "status": "Ready"} for each in "ab"]),
            ],
            {"startupPolicy": {"startupPolicyOrder": "AnyOrder"}},
            [(), (), ("a", "b")],
        ),
    ],
)
def test_order(jobs: list[dict[str, Any]], spec: dict[str, Any], after: list[tuple[str, ...]]) -> None:
    """Each after the one before, or after those it depends on, or all at once."""
    assert [role.after for role in roles_of(a_job_set(*jobs, **spec)).roles] == after


def test_what_is_not_rehearsed_is_said() -> None:
    """Completion, suspension."""
    then = a_replicated_job("b", dependsOn=[{"name": "a", "status": "Complete"}])
    job = a_job_set(a_replicated_job("a"), then, suspend=True)
    notes = roles_of(job).notes
    assert [next(word for word in ("suspended", "completed") if word in n) for n in notes] == ["suspended", "completed"]
    assert roles_of(a_job_set()).notes == ()
