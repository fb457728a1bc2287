"""A Volcano Job: the pods of its tasks, and how many of them make its gang."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.jobs.kinds.catalogue import roles_of
from muster.jobs.manifest import MalformedJob
from tests.jobs.documents import a_template, a_volcano_job, role_of


def a_task(name: str, replicas: Any, **said: Any) -> dict[str, Any]:
    return {"name": name, "replicas": replicas, "template": a_template(), **said}


def test_names_of_tasks() -> None:
    """A task without a name is numbered."""
    job = a_volcano_job(a_task("ps", 1), {"replicas": 2, "template": a_template()})
    assert [role.name for role in roles_of(job).roles] == ["ps", "default1"]


@given(
    st.lists(st.tuples(st.integers(0, 5), st.none() | st.integers(0, 5)), min_size=1, max_size=3), st.integers(0, 15)
)
def test_the_gang(tasks: list[tuple[int, int | None]], least: int) -> None:
    """The job's minimum counts; the tasks' own count too where it covers them all."""
    listed = [
        a_task(f"t{index}", replicas, **({"minAvailable": min(own, replicas)} if own is not None else {}))
        for index, (replicas, own) in enumerate(tasks)
    ]
    own = [min(each, replicas) if each is not None else replicas for replicas, each in tasks]
    everything = sum(replicas for replicas, _ in tasks)
    job = a_volcano_job(*listed, minAvailable=least)
    if least > everything:
        with pytest.raises(MalformedJob, match="set at most"):
            roles_of(job)
        return
    shape = roles_of(job)
    assert shape.needed == (least or sum(own))
    covers = shape.needed >= sum(own)
    assert sum(role.needed for role in shape.roles) <= shape.needed
    if covers:
        assert [role.needed for role in shape.roles] == own
    assert shape.goes_on({role.name: role.pods for role in shape.roles})
    if shape.needed:
        assert not shape.goes_on({})


def test_a_gang_smaller_than_its_tasks() -> None:
    """Any pods make it: two of four are enough, whichever tasks they are of."""
    shape = roles_of(a_volcano_job(a_task("a", 2), a_task("b", 2), minAvailable=2))
    assert shape.goes_on({"a": 2}) and shape.goes_on({"b": 2}) and shape.goes_on({"a": 1, "b": 1})
    assert not shape.goes_on({"a": 1})
    (role,) = roles_of(a_volcano_job(a_task("a", 4), minAvailable=3)).roles
    assert (role.pods, role.needed) == (4, 3)


def test_partitions() -> None:
    """So many whole partitions are the task's minimum."""
    policy = {"totalPartitions": 4, "partitionSize": 2, "minPartitions": 3}
    (role,) = roles_of(a_volcano_job(a_task("a", 8, partitionPolicy=policy))).roles
    assert role.needed == 6


def test_tasks_in_order() -> None:
    """A task comes after those that it depends on."""
    job = a_volcano_job(a_task("first", 3), a_task("then", 1, dependsOn={"name": ["first"]}), minAvailable=1)
    assert role_of(roles_of(job), "then").after == ("first",)
